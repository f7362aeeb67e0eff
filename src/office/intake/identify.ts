import { createHash } from "node:crypto";
import type { DeadLetter } from "../../domain/dead-letter.ts";
import { encodeHeaders } from "../../domain/header-codec.ts";
import type { LetterIdentity } from "../../ledger/new-letter.ts";

/** How the one who found a letter can tell it from others. */
export type FoundBy =
  /** The broker has a name for where it is. */
  | { readonly kind: "position"; readonly position: string }
  /** It has none: the drain it came by, the how-manieth it was there, and whether it was given out before. */
  | { readonly kind: "delivery"; readonly session: Uint8Array; readonly ordinal: number; readonly redelivered: boolean }
  /** Somebody who had it before says so. */
  | { readonly kind: "key"; readonly key: Uint8Array };

/** Counters of the broker's own, which are others each time it hands the same message out. */
const volatileHeaders: ReadonlySet<string> = new Set(["x-delivery-count", "x-acquired-count"]);

/** Headers and properties as the ledger keeps them. Writing them costs, so it is done once for a letter. */
export interface EncodedHeaders {
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
}

/** What the message is: where it was found, its bytes, its headers. Equal messages have equal digests. */
function digestOf(source: string, { queue, message }: DeadLetter, encoded: EncodedHeaders): Uint8Array {
  const { body, headers, key } = message;
  const hash = createHash("sha256");
  const isVolatile = headers.some(({ name }) => volatileHeaders.has(name));
  const lasting = isVolatile
    ? encodeHeaders(headers.filter(({ name }) => !volatileHeaders.has(name)))
    : encoded.headers;
  const parts = [Buffer.from(JSON.stringify([source, queue])), body, lasting, encoded.properties, key];
  for (const part of parts) {
    // The length keeps the end of one part from being taken for the beginning of the next.
    hash.update(part === null ? "-" : `${part.byteLength}:`);
    if (part !== null) hash.update(part);
  }
  return hash.digest();
}

/**
 * A position alone is not enough: a topic that was made anew begins at 0 again. The same position with another digest is
 * another letter.
 */
export function identityOf(
  source: string,
  letter: DeadLetter,
  found: FoundBy,
  encoded: EncodedHeaders,
): LetterIdentity {
  if (found.kind === "key") return { kind: "position", key: found.key };
  const digest = digestOf(source, letter, encoded);
  if (found.kind === "position") {
    const key = createHash("sha256").update("position").update(digest).update(found.position).digest();
    return { kind: "position", key };
  }
  const { session, ordinal, redelivered } = found;
  const key = createHash("sha256").update("delivery").update(session).update(String(ordinal)).digest();
  return { kind: "delivery", key, digest, redelivered };
}
