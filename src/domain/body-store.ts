/** Where bodies are kept that are too large for a row. They are durable before the row that names them is. */
export interface BodyStore {
  /** What its references begin with: `fs`. */
  readonly name: string;
  /** Keeps the bytes under their SHA-256 in hexadecimal digits; resolves when they are durable. Repeating it is harmless. */
  keep(sha256: string, body: Uint8Array): Promise<void>;
  /** The bytes; null if they are not there. */
  read(sha256: string): Promise<Uint8Array | null>;
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

/** Null where the store fails, too: for whoever shows what there is, beside much else, and decides nothing by it. */
export async function readBodyToShow(bodies: BodyStore | null, ref: string): Promise<Uint8Array | null> {
  return readBody(bodies, ref).catch(() => null);
}
