import type { DeadLetter } from "../../domain/dead-letter.ts";
import { encodeHeaders } from "../../domain/header-codec.ts";
import type { Header, Message } from "../../domain/message.ts";
import type { LetterIdentity } from "../../ledger/new-letter.ts";
import { sha256Of } from "../../ledger/sha256.ts";

/** How the one who found a letter can tell it from others. */
export type FoundBy =
  /** The broker has a name for where it is; `isName`: nothing else is ever there. @default false */
  | { readonly kind: "position"; readonly position: string; readonly isName?: boolean }
  /** It has none: the drain it came by, the how-manieth it was there, and whether it was given out before. */
  | { readonly kind: "delivery"; readonly session: Uint8Array; readonly ordinal: number; readonly redelivered: boolean }
  /** Somebody who had it before says so. */
  | { readonly kind: "key"; readonly key: Uint8Array };

/** Counters of the broker's own, which are others each time it hands the same message out. */
const volatileHeaders: ReadonlySet<string> = new Set(["x-delivery-count", "x-acquired-count"]);
const volatileProperties: ReadonlySet<string> = new Set([
  "ApproximateReceiveCount",
  "ApproximateFirstReceiveTimestamp",
]);

/** A message as the ledger keeps it. Writing and hashing cost, so each is done once for a letter. */
export interface EncodedMessage {
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  readonly bodySha256: Uint8Array;
}

export function encodeMessage({ headers, properties, body }: Message): EncodedMessage {
  return { headers: encodeHeaders(headers), properties: encodeHeaders(properties), bodySha256: sha256Of(body) };
}

/** What the message is: where it was found, its bytes, its headers. Equal messages have equal digests. */
export function digestOf(source: string, { queue, message }: DeadLetter, encoded: EncodedMessage): Uint8Array {
  const { headers, properties, key } = message;
  const parts = [
    lasting(headers, volatileHeaders, encoded.headers),
    lasting(properties, volatileProperties, encoded.properties),
    key,
  ];
  // The lengths keep the end of one part from being taken for the beginning of the next.
  const shape = JSON.stringify([source, queue, parts.map((part) => part?.byteLength ?? null)]);
  const nothing = new Uint8Array();
  return sha256Of(Buffer.concat([Buffer.from(shape), encoded.bodySha256, ...parts.map((part) => part ?? nothing)]));
}

/** Without what is volatile of them; most have nothing of that, and are `encoded` already. */
function lasting(
  all: readonly Header[],
  isVolatile: ReadonlySet<string>,
  encoded: Uint8Array | null,
): Uint8Array | null {
  const kept = all.filter(({ name }) => !isVolatile.has(name));
  return kept.length === all.length ? encoded : encodeHeaders(kept);
}

/**
 * A position alone is not enough: a topic that was made anew begins at 0 again. The same position with another digest is
 * another letter.
 */
export function identityOf(
  source: string,
  letter: DeadLetter,
  found: FoundBy,
  encoded: EncodedMessage,
): LetterIdentity {
  if (found.kind === "key") return { kind: "position", key: found.key };
  if (found.kind === "position" && found.isName === true) {
    const name = JSON.stringify([source, letter.queue, found.position]);
    return { kind: "position", key: sha256Of(Buffer.from(`named ${name}`)) };
  }
  const digest = digestOf(source, letter, encoded);
  if (found.kind === "position") {
    const key = sha256Of(Buffer.concat([Buffer.from("position"), digest, Buffer.from(found.position)]));
    return { kind: "position", key };
  }
  const { session, ordinal, redelivered } = found;
  const key = sha256Of(Buffer.concat([Buffer.from("delivery"), session, Buffer.from(String(ordinal))]));
  return { kind: "delivery", key, digest, redelivered };
}
