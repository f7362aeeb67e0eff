import type { BodyStore } from "../domain/body-store.ts";
import { requireNumber, requireOption, withDefaults } from "../domain/options.ts";
import { systemClock } from "../system/host.ts";
import { s3BodyStore } from "./s3-body-store.ts";

export interface S3BodiesOptions {
  /** The bucket. It is not made. */
  readonly bucket: string;
  /** What every key begins with, without a slash at its end. @default "" */
  readonly prefix?: string;
  /** Where another server speaks S3 (`http://127.0.0.1:9000`); null for Amazon's own. @default null */
  readonly endpoint?: string | null;
  /** The bucket's region, as `eu-west-1`; null for the one that the environment names. @default null */
  readonly region?: string | null;
  /** How long S3 may be silent, in milliseconds, each time it is asked. @default 5_000 */
  readonly answerWithinMs?: number;
}

type Settings = Omit<S3BodiesOptions, "bucket">;

export const s3BodiesDefaults: Required<Settings> = {
  prefix: "",
  endpoint: null,
  region: null,
  answerWithinMs: 5_000,
};

/** Bodies as objects of a bucket, named by their SHA-256. Needs the package `@aws-sdk/client-s3`, loaded when it is first needed. */
export function s3Bodies({ bucket, ...options }: S3BodiesOptions): BodyStore {
  const settings = withDefaults<Settings>(s3BodiesDefaults, options);
  requireOption(typeof bucket === "string" && /^[^/\s]+$/u.test(bucket), "bucket", "a bucket's name", bucket);
  requireNumber("answerWithinMs", settings.answerWithinMs, { min: 1 });
  let opening: Promise<BodyStore> | null = null;
  const opened = () => {
    const ours = { clock: systemClock, namedIn: "bucket", forgets: false };
    opening ??= s3BodyStore({ bucket, ...settings, ...ours }).catch((error: unknown) => {
      // Asked again next time: the package may be there by then.
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    name: "s3",
    keep: async (sha256, body) => (await opened()).keep(sha256, body),
    read: async (sha256) => (await opened()).read(sha256),
    forget: async (sha256) => (await opened()).forget(sha256),
  };
}
