import { deepEqual } from "node:assert/strict";
import type { Header, HeaderValue, Message } from "../../domain/message.ts";

/**
 * Compares messages by what they carry: a Buffer and a Uint8Array of the same bytes are the same. Properties are a
 * message's fields, and fields have no order.
 */
export function assertSameMessage(actual: Message, expected: Message): void {
  deepEqual(plain(actual), plain(expected));
}

export function assertSameHeaders(actual: readonly Header[], expected: readonly Header[]): void {
  deepEqual(actual.map(plainHeader), expected.map(plainHeader));
}

function plain({ body, headers, key, properties }: Message): unknown {
  return {
    body: hex(body),
    headers: headers.map(plainHeader),
    key: key === null ? null : hex(key),
    properties: Object.fromEntries(properties.map(({ name, value }) => [name, plainValue(value)])),
  };
}

function plainHeader({ name, value }: Header): unknown {
  return { name, value: plainValue(value) };
}

function plainValue({ type, value }: HeaderValue): unknown {
  switch (type) {
    case "bytes":
      return { type, value: hex(value) };
    case "list":
      return { type, value: value.map(plainValue) };
    case "table":
      return { type, value: value.map(plainHeader) };
    default:
      return { type, value };
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
