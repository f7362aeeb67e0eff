import type { S3Client } from "@aws-sdk/client-s3";
import { type BodyStore, forgottenAfterMs } from "../domain/body-store.ts";
import { loadClient } from "../domain/client-library.ts";
import type { Clock } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";

export interface S3BodyStoreOptions {
  readonly bucket: string;
  /** What every key begins with, without a slash at its end; empty for none. */
  readonly prefix: string;
  /** Of a server that speaks S3; null for Amazon's, in the region that the environment names. */
  readonly endpoint: string | null;
  /** Null for the one that the environment names; a server of one's own needs none. */
  readonly region: string | null;
  readonly clock: Pick<Clock, "now">;
  /** How long the server may be silent, in milliseconds, each time it is asked. @default 15_000 */
  readonly answerWithinMs?: number;
  /** By which setting somebody named the bucket. @default "ledger.bodies.path" */
  readonly namedIn?: string;
  /** Whether bodies are ever let go, which needs a right of its own. @default true */
  readonly forgets?: boolean;
}

/** How often a request is made in all, before its failure is told. */
const maxAttempts = 4;
const defaultAnswerWithinMs = 15_000;

/**
 * Bodies as objects of a bucket, named by their hash: for offices on several machines. Who may write there is for the environment
 * to say, as the AWS clients read it; the bucket is not made.
 */
export async function s3BodyStore(options: S3BodyStoreOptions): Promise<BodyStore> {
  const { bucket, prefix, endpoint, region, clock, answerWithinMs = defaultAnswerWithinMs } = options;
  const { namedIn = "ledger.bodies.path", forgets = true } = options;
  const s3 = await loadClient("A bucket for bodies", "@aws-sdk/client-s3", () => import("@aws-sdk/client-s3"));
  const client: S3Client = new s3.S3Client({
    maxAttempts,
    requestHandler: {
      ...{ connectionTimeout: answerWithinMs, requestTimeout: answerWithinMs, socketTimeout: answerWithinMs },
      throwOnRequestTimeout: true,
    },
    // Servers of one's own have no names for their buckets, and take any region; the client insists on one.
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true, region: "us-east-1" }),
    ...(region === null ? {} : { region }),
  });
  const at = (sha256: string) => ({ Bucket: bucket, Key: [prefix, sha256].filter(Boolean).join("/") });
  const unavailable = (error: AwsError) => {
    throw bucketUnavailable({ bucket, namedIn, forgets }, error);
  };
  const keep = async (sha256: string, body: Uint8Array) => {
    const digest = Buffer.from(sha256, "hex").toString("base64");
    const command = new s3.PutObjectCommand({ ...at(sha256), Body: body, ChecksumSHA256: digest });
    // That limit counts from the first byte sent to the answer: a large body on a slow line would never go. Silence is told by the socket.
    await client.send(command, { requestTimeout: 0 });
  };
  const read = async (sha256: string) => {
    const found = await client.send(new s3.GetObjectCommand(at(sha256))).catch(unlessMissing);
    return found?.Body === undefined ? null : found.Body.transformToByteArray();
  };
  const forget = async (sha256: string) => {
    const known = await client.send(new s3.HeadObjectCommand(at(sha256))).catch(unlessMissing);
    const keptAt = known?.LastModified?.getTime() ?? Number.POSITIVE_INFINITY;
    if (clock.now() - keptAt >= forgottenAfterMs) await client.send(new s3.DeleteObjectCommand(at(sha256)));
  };
  return {
    name: "s3",
    // Written again even where it is: its time then says that somebody kept it anew. The server compares the hash.
    keep: (sha256, body) => keep(sha256, body).catch(unavailable),
    read: (sha256) => read(sha256).catch(unavailable),
    forget: (sha256) => forget(sha256).catch(unavailable),
  };
}

/** What the client rejects with, as far as it says what to do. */
interface AwsError {
  readonly name?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** A bucket that is not there is a mistake to be told of, not a body that is gone. */
function unlessMissing(error: AwsError): null {
  if (error.name === "NoSuchKey" || error.name === "NotFound") return null;
  throw error;
}

type Named = Required<Pick<S3BodyStoreOptions, "bucket" | "namedIn" | "forgets">>;

function bucketUnavailable({ bucket, ...named }: Named, error: AwsError): OfficeError {
  const said = [error.name, error.message].filter(Boolean).join(": ");
  return new OfficeError(
    "STORE_UNAVAILABLE",
    `The bucket ${bucket}, where large bodies are kept, cannot be used (${said}). ${remedyFor(error, named)}`,
    { details: { bucket, reason: error.name ?? null }, cause: error },
  );
}

function remedyFor({ name, $metadata }: AwsError, { namedIn, forgets }: Omit<Named, "bucket">): string {
  if (name === "NoSuchBucket") return `Make it, or name another one in \`${namedIn}\`.`;
  if ($metadata?.httpStatusCode === 403) {
    const rights = forgets ? "s3:GetObject, s3:PutObject and s3:DeleteObject" : "s3:GetObject and s3:PutObject";
    return `Whoever we are there needs ${rights} on its objects, and s3:ListBucket on itself: without that a key that is missing is refused too.`;
  }
  return "Look whether it can be reached from here, at the endpoint, the region and with the credentials that we are given, and try again.";
}
