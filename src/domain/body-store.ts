import { isOfficeError, OfficeError } from "./errors.ts";

/** Where bodies are kept that are too large for a row. They are durable before the row that names them is. */
export interface BodyStore {
  /** What its references begin with: `fs`. */
  readonly name: string;
  /** Keeps the bytes under their SHA-256 in hexadecimal digits; resolves when they are durable. Repeating it is harmless. */
  keep(sha256: string, body: Uint8Array): Promise<void>;
  /** The bytes; null if they are not there. */
  read(sha256: string): Promise<Uint8Array | null>;
  /** What people look for there: `s3://letters/bodies/9f86…`, or a file. @default not said */
  placeOf?(sha256: string): string;
  /**
   * Lets go of bytes that no letter refers to. Not of those that somebody kept within the last day: a letter that refers to
   * them may be about to be committed. What stays so is left over, and harms nobody.
   */
  forget(sha256: string): Promise<void>;
}

/** What was kept within this time, in milliseconds, is not forgotten. */
export const forgottenAfterMs = 86_400_000;

/** Every store there is. References name the one that was in force when they were written. */
export const bodyStoreNames = ["fs", "s3"] as const;

export function bodyRef({ name }: BodyStore, sha256: string): string {
  return `${name}:${sha256}`;
}

/** What bodies are kept by, in whichever store. */
export function hashInRef(ref: string): string {
  return ref.slice(ref.indexOf(":") + 1);
}

/** From the store in force, wherever the body was when it was written down: offices move, and take their bodies along. */
export async function readBody(bodies: BodyStore | null, ref: string): Promise<Uint8Array | null> {
  return bodies === null ? null : bodies.read(hashInRef(ref));
}

/** Null where the store fails, too: for a copy that may be without it. */
export async function readBodyIfPossible(bodies: BodyStore | null, ref: string): Promise<Uint8Array | null> {
  return readBody(bodies, ref).catch(() => null);
}

/** A body outside the database, as far as it can be had now. */
export type FoundBody =
  | { readonly kind: "here"; readonly bytes: Uint8Array }
  /** Its store answers, and doesn't have it: something other than us deleted it, or it is elsewhere. */
  | { readonly kind: "deleted" }
  /** Its store does not answer as it should. */
  | { readonly kind: "unavailable"; readonly why: string };

/** For what is shown next to much else: a store that fails must not take the rest along. */
export async function findBody(bodies: BodyStore | null, ref: string): Promise<FoundBody> {
  if (bodies === null) return { kind: "unavailable", why: "No place for large bodies is configured here." };
  try {
    const bytes = await readBody(bodies, ref);
    return bytes === null ? { kind: "deleted" } : { kind: "here", bytes };
  } catch (error) {
    return { kind: "unavailable", why: storeUnavailable(error).message };
  }
}

/** Keeps a body, whatever a store throws where it can't, as one refusal that says so. */
export async function keepBody(bodies: BodyStore, sha256: string, body: Uint8Array): Promise<void> {
  await bodies.keep(sha256, body).catch((error: unknown) => {
    throw storeUnavailable(error);
  });
}

function storeUnavailable(error: unknown): OfficeError {
  if (isOfficeError(error, "STORE_UNAVAILABLE")) return error;
  const said = error instanceof Error ? error.message : String(error);
  const sentence = `The place where large bodies are kept can't be used (${said}). Look at \`ledger.bodies\` in the configuration.`;
  return new OfficeError("STORE_UNAVAILABLE", sentence, { cause: error });
}
