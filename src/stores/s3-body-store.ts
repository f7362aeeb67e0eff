import type { S3Client } from "@aws-sdk/client-s3";
import { type BodyStore, forgottenAfterMs } from "../domain/body-store.ts";
import { loadClient } from "../domain/client-library.ts";
import { type Clock, within } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";

export interface S3BodyStoreOptions {
  readonly bucket: string;
  /** What every key begins with, without a slash at its end; empty for none. */
  readonly prefix: string;
  /** Of a server that speaks S3; null for Amazon's, in the region that the environment names. */
  readonly endpoint: string | null;
  /** Null for the one that the environment names; a server of one's own needs none. */
  readonly region: string | null;
  readonly clock: Clock;
  /** How long the server may be silent, in milliseconds, each time it is asked. @default 5_000 */
  readonly answerWithinMs?: number;
  /**
   * How long reading a body may wait for the first byte, in milliseconds, however often it is asked for: people wait for the rest of
   * its letter. @default as long as it takes to ask each time
   */
  readonly readWithinMs?: number | null;
  /** By which setting somebody named the bucket. @default "ledger.bodies.path" */
  readonly namedIn?: string;
  /** Whether bodies are ever let go, which needs a right of its own. @default true */
  readonly forgets?: boolean;
}

/** How often a request is made in all, before its failure is told. */
const maxAttempts = 3;
const defaultAnswerWithinMs = 5_000;
/** A server that is there takes a connection much sooner: to one that is not, nothing answers at all. */
const longestConnectMs = 3_000;
/** For so long after a read that had to be broken off the next ones are refused at once, in milliseconds: a list of letters would wait for each. */
const restMs = 5_000;

/**
 * Bodies as objects of a bucket, named by their hash: for offices on several machines. Who may write there is for the environment
 * to say, as the AWS clients read it; the bucket is not made.
 */
export async function s3BodyStore(options: S3BodyStoreOptions): Promise<BodyStore> {
  const { bucket, prefix, endpoint, region, answerWithinMs = defaultAnswerWithinMs } = options;
  const { namedIn = "ledger.bodies.path", forgets = true } = options;
  const s3 = await loadClient("A bucket for bodies", "@aws-sdk/client-s3", () => import("@aws-sdk/client-s3"));
  const client: S3Client = new s3.S3Client({
    maxAttempts,
    requestHandler: {
      connectionTimeout: Math.min(answerWithinMs, longestConnectMs),
      ...{ requestTimeout: answerWithinMs, socketTimeout: answerWithinMs },
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
  const first = firstAnswer(options);
  const read = async (sha256: string) => {
    const found = await first((abortSignal) => client.send(new s3.GetObjectCommand(at(sha256)), { abortSignal })).catch(
      unlessMissing,
    );
    return found?.Body === undefined ? null : found.Body.transformToByteArray();
  };
  const forget = async (sha256: string) => {
    const known = await client.send(new s3.HeadObjectCommand(at(sha256))).catch(unlessMissing);
    const keptAt = known?.LastModified?.getTime() ?? Number.POSITIVE_INFINITY;
    if (options.clock.now() - keptAt >= forgottenAfterMs) await client.send(new s3.DeleteObjectCommand(at(sha256)));
  };
  return {
    name: "s3",
    // Written again even where it is: its time then says that somebody kept it anew. The server compares the hash.
    keep: (sha256, body) => keep(sha256, body).catch(unavailable),
    read: (sha256) => read(sha256).catch(unavailable),
    placeOf: (sha256) => `s3://${bucket}/${at(sha256).Key}`,
    forget: (sha256) => forget(sha256).catch(unavailable),
  };
}

/** Asks for what begins to come within the time that reading has, and breaks off what does not. */
function firstAnswer({ clock, readWithinMs = null }: S3BodyStoreOptions) {
  let restsUntil = Number.NEGATIVE_INFINITY;
  return async <Answer>(ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> => {
    const late = new AbortController();
    if (readWithinMs === null) return ask(late.signal);
    const tooLate = () => {
      late.abort();
      restsUntil = clock.now() + restMs;
      throw new Error(`no answer within ${readWithinMs / 1_000} s`);
    };
    if (clock.now() < restsUntil) throw new Error(`no answer within ${readWithinMs / 1_000} s a while ago`);
    return within(clock, readWithinMs, ask(late.signal), tooLate);
  };
}

/** What the client rejects with, as far as it says what to do. */
interface AwsError {
  readonly name?: string;
  readonly message?: string;
  /** Of the connection, where that failed. */
  readonly code?: string;
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

/** How TLS says that nobody it trusts vouches for a certificate. */
const unknownAuthority: readonly string[] = [
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
];

function remedyFor({ name, code = "", $metadata }: AwsError, { namedIn, forgets }: Omit<Named, "bucket">): string {
  if (name === "NoSuchBucket") return `Make it, or name another one in \`${namedIn}\`.`;
  if ($metadata?.httpStatusCode === 403) {
    const rights = forgets ? "s3:GetObject, s3:PutObject and s3:DeleteObject" : "s3:GetObject and s3:PutObject";
    return `Whoever we are there needs ${rights} on its objects, and s3:ListBucket on itself: without that a key that is missing is refused too.`;
  }
  if (unknownAuthority.includes(code))
    return "Its certificate is of an authority that is not known here: start this process with NODE_EXTRA_CA_CERTS set to a file with that authority's certificate.";
  return "Look whether it can be reached from here, at the endpoint, the region and with the credentials that we are given, and try again.";
}
