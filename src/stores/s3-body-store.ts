import type { S3Client } from "@aws-sdk/client-s3";
import { type BodyStore, forgottenAfterMs } from "../domain/body-store.ts";
import { loadClient } from "../domain/client-library.ts";
import type { Clock } from "../domain/clock.ts";

export interface S3BodyStoreOptions {
  readonly bucket: string;
  /** What every key begins with, without a slash at its end; empty for none. */
  readonly prefix: string;
  /** Of a server that speaks S3; null for Amazon's, in the region that the environment names. */
  readonly endpoint: string | null;
  /** Null for the one that the environment names; a server of one's own needs none. */
  readonly region: string | null;
  readonly clock: Pick<Clock, "now">;
}

/** How often a request is made in all, before its failure is told. */
const maxAttempts = 4;

/**
 * Bodies as objects of a bucket, named by their hash: for offices on several machines. Who may write there is for the environment
 * to say, as the AWS clients read it; the bucket is not made.
 */
export async function s3BodyStore({ bucket, prefix, endpoint, region, clock }: S3BodyStoreOptions): Promise<BodyStore> {
  const s3 = await loadClient("A bucket for bodies", "@aws-sdk/client-s3", () => import("@aws-sdk/client-s3"));
  const client: S3Client = new s3.S3Client({
    maxAttempts,
    // Servers of one's own have no names for their buckets, and take any region; the client insists on one.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true, region: "us-east-1" }),
    ...(region === null ? {} : { region }),
  });
  const at = (sha256: string) => ({ Bucket: bucket, Key: [prefix, sha256].filter(Boolean).join("/") });
  return {
    name: "s3",
    // Written again even where it is: its time then says that somebody kept it anew. The server compares the hash.
    async keep(sha256, body) {
      const digest = Buffer.from(sha256, "hex").toString("base64");
      await client.send(new s3.PutObjectCommand({ ...at(sha256), Body: body, ChecksumSHA256: digest }));
    },
    async read(sha256) {
      const found = await client.send(new s3.GetObjectCommand(at(sha256))).catch(unlessMissing);
      return found?.Body === undefined ? null : found.Body.transformToByteArray();
    },
    async forget(sha256) {
      const known = await client.send(new s3.HeadObjectCommand(at(sha256))).catch(unlessMissing);
      const keptAt = known?.LastModified?.getTime() ?? Number.POSITIVE_INFINITY;
      if (clock.now() - keptAt >= forgottenAfterMs) await client.send(new s3.DeleteObjectCommand(at(sha256)));
    },
  };
}

/** A bucket that is not there is a mistake to be told of, not a body that is gone. */
function unlessMissing(error: { readonly name?: string }): null {
  if (error.name === "NoSuchKey" || error.name === "NotFound") return null;
  throw error;
}
