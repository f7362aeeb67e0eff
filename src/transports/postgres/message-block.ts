import { isUtf8 } from "node:buffer";
import { encodeHeaders } from "../../domain/header-codec.ts";
import type { Message } from "../../domain/message.ts";

/** A message as its columns. */
export interface EncodedMessage {
  readonly key: Uint8Array | null;
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  readonly body: Uint8Array;
  /** The body can be handed over as text, at half the size and a third of the work that bytes are. */
  readonly isText: boolean;
}

/** Copies the body: a sender may use its buffer again before the message is on its way. */
export function encodeMessage({ key, headers, properties, body }: Message): EncodedMessage {
  return {
    key,
    headers: encodeHeaders(headers),
    properties: encodeHeaders(properties),
    body: Buffer.from(body),
    isText: isText(body),
  };
}

/** Whether it comes through as it is: PostgreSQL's text has no NUL, and drivers may drop a byte order mark. */
function isText(body: Uint8Array): boolean {
  const isMarked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return !isMarked && isUtf8(body) && !body.includes(0);
}

export function encodedBytes(message: EncodedMessage): number {
  return columns.reduce((total, column) => total + (message[column]?.byteLength ?? 0), 0);
}

/** In the order in which they stand in a block. */
const columns = ["key", "headers", "properties", "body"] as const;

/**
 * The parameters of a block of messages: all their bytes one after the other, whose body is text, where each message
 * begins, and how long each column is. Arrays of bytes would travel as text of twice the size; one long value travels as it is.
 */
export function packBlock(messages: readonly EncodedMessage[]): readonly [bytes: Buffer, ...positions: string[]] {
  const parts = messages.flatMap((message) => columns.map((column) => message[column] ?? nothing));
  // Positions in SQL count from 1.
  let end = 1;
  const starts = messages.map((message) => {
    const start = end;
    end += encodedBytes(message);
    return start;
  });
  const sizes = columns.map((column) => messages.map((message) => message[column]?.byteLength ?? null));
  const texts = arrayLiteral(messages.map((message) => message.isText));
  return [Buffer.concat(parts), texts, arrayLiteral(starts), ...sizes.map(arrayLiteral)];
}

const nothing = new Uint8Array();

/** An array as both drivers take it, also one with nulls. */
export function arrayLiteral(values: readonly (number | bigint | string | boolean | null)[]): string {
  return `{${values.map((value) => value ?? "null").join(",")}}`;
}

/** The arrays of a block as arguments of `unnest`; `from` is the number of the block's first parameter. */
export function blockArrays(from: number): string {
  const positions = Array.from({ length: columns.length + 1 }, (_, index) => `$${from + 2 + index}::integer[]`);
  return [`$${from + 1}::boolean[]`, ...positions].join(", ");
}

/** What `unnest` is to call them. */
export const blockNames: string = ["is_text", "start_at", ...columns.map((column) => `${column}_size`)].join(", ");

/** The columns of a message again, from the row `row` that `unnest` made; in the order key, headers, properties, body. */
export function blockColumns(from: number, row: string): readonly string[] {
  return columns.map((column, index) => {
    const before = columns.slice(0, index).map((earlier) => ` + coalesce(${row}.${earlier}_size, 0)`);
    return `substring($${from}::bytea from ${row}.start_at${before.join("")} for ${row}.${column}_size)`;
  });
}
