import { type BodyStore, bodyRef } from "../../domain/body-store.ts";
import type { DeadLetter, LetterReading } from "../../domain/dead-letter.ts";
import { encodeHeaders } from "../../domain/header-codec.ts";
import { hexOf } from "../../domain/ids.ts";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { readableText } from "../../domain/readable.ts";
import type { LetterContent } from "../../ledger/new-letter.ts";
import type { EncodedMessage } from "./identify.ts";

/** In bytes. What is longer is cut, and the letter says so: it cannot be sent again as it was. */
export const letterCaps = {
  /** Larger bodies are kept by reference, where there is a store for them. */
  inlineBody: 262_144,
  /** Without a store: larger ones are cut to this. */
  body: 33_554_432,
  headers: 1_048_576,
  properties: 1_048_576,
  stack: 65_536,
} as const;

export interface ContentParts {
  readonly position: string | null;
  readonly bodies: BodyStore | null;
  readonly encoded: EncodedMessage;
  /** How many bytes the body has that is not here; null where it is. */
  readonly missingBodyBytes: number | null;
}

/** What is kept of a letter, as it came. The body of one with a `bodyRef` has yet to be put where that leads. */
export function contentOf(
  letter: DeadLetter,
  reading: LetterReading,
  { position, bodies, encoded, missingBodyBytes }: ContentParts,
): LetterContent {
  const { body, key } = letter.message;
  const digest = encoded.bodySha256;
  const isLarge = body.byteLength > letterCaps.inlineBody && bodies !== null;
  const isShort = body.byteLength <= letterCaps.body;
  const kept = isLarge || missingBodyBytes !== null ? null : isShort ? body : body.subarray(0, letterCaps.body);
  const headers = fittingHeaders(letter.message.headers, encoded.headers, letterCaps.headers);
  const properties = fittingHeaders(letter.message.properties, encoded.properties, letterCaps.properties);
  return {
    body: kept,
    bodyRef: isLarge ? bodyRef(bodies, hexOf(digest)) : null,
    bodyPlace: isLarge ? (bodies.placeOf?.(hexOf(digest)) ?? null) : null,
    sha256: missingBodyBytes === null ? digest : null,
    sizeBytes: missingBodyBytes ?? body.byteLength,
    headers: headers.bytes,
    properties: properties.bytes,
    messageKey: key,
    position: position === null ? null : readableText(position, 500),
    exchange: letter.exchange,
    routingKey: letter.routingKey,
    reading: readingBytes(reading),
    cut: cutOf({
      body: missingBodyBytes ?? (kept !== null && kept.byteLength < body.byteLength ? body.byteLength : 0),
      headers: headers.fullBytes,
      properties: properties.fullBytes,
      stack: (reading.stack?.length ?? 0) > letterCaps.stack ? (reading.stack?.length ?? 0) : 0,
    }),
  };
}

function cutOf(lengths: Readonly<Record<string, number>>): Readonly<Record<string, number>> | null {
  const cut = Object.entries(lengths).filter(([, length]) => length > 0);
  return cut.length === 0 ? null : Object.fromEntries(cut);
}

/** Headers, or properties, as bytes, within their cap; `fullBytes` is 0 where nothing was cut. */
function fittingHeaders(
  headers: readonly Header[],
  bytes: Uint8Array | null,
  most: number,
): { readonly bytes: Uint8Array | null; readonly fullBytes: number } {
  if (bytes === null || bytes.byteLength <= most) return { bytes, fullBytes: 0 };
  // However many there are: short values are worth more than the beginning of one long one.
  const perValue = 256;
  const short = headers
    .slice(0, 2_000)
    .map(({ name, value }) => ({ name: name.slice(0, perValue), value: shortened(value, perValue) }));
  return { bytes: encodeHeaders(short), fullBytes: bytes.byteLength };
}

function shortened(value: HeaderValue, most: number): HeaderValue {
  if (value.type === "text") return { type: "text", value: value.value.slice(0, most) };
  if (value.type === "bytes") return { type: "bytes", value: value.value.subarray(0, most) };
  if (value.type === "list" || value.type === "table") return { type: "text", value: `(${value.type}, left out)` };
  return value;
}

/** The stack is kept once for all letters that have it, and the payload is in the body. */
function readingBytes(reading: LetterReading): Uint8Array {
  const offset = reading.offset === null ? null : String(reading.offset);
  return Buffer.from(
    JSON.stringify({ ...reading, offset, stack: undefined, payload: undefined, earlierErrors: undefined }),
  );
}
