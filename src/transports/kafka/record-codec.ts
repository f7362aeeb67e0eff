import type { Header, HeaderValue, Message } from "../../domain/message.ts";
import { wire } from "../../domain/wire.ts";
import type { OutgoingRecord, RecordHeader } from "./driver.ts";

/** A record without a value, which a compacted topic takes for "delete this key": an empty body with this property. */
const tombstone = "tombstone";
const none: readonly Header[] = [];
const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function encodeRecord({ body, headers, key, properties }: Message): OutgoingRecord {
  const isTombstone = body.length === 0 && properties.some(({ name }) => name === tombstone);
  const carried = properties.filter(({ name }) => name !== tombstone);
  return {
    key: key === null ? null : Buffer.from(key),
    // Copied: a sender may use its buffer again while the record waits to be sent.
    value: isTombstone ? null : Buffer.from(body),
    headers: [
      ...headers.map(encodeHeader),
      ...carried.map(({ name, value }) => encodeHeader({ name: wire.property + name, value })),
    ],
  };
}

export function decodeRecord({ key, value, headers }: OutgoingRecord): Message {
  if (headers.length === 0 && value !== null) return { body: value, headers: none, key, properties: none };
  const decoded = headers.map(decodeHeader).filter(({ name }) => name !== wire.wait);
  const properties = decoded.filter(isProperty);
  return {
    body: value ?? new Uint8Array(),
    headers: properties.length === 0 ? decoded : decoded.filter((header) => !isProperty(header)),
    key,
    properties: [...properties.map(bare), ...(value === null ? [tombstoneProperty] : [])],
  };
}

/** The record with what is left of its delay in a header, which goes when nothing is left. */
export function withRest(record: OutgoingRecord, restMs: number, slackMs: number): OutgoingRecord {
  const headers = record.headers.filter(([name]) => name.toString() !== wire.wait);
  if (restMs === 0) return { ...record, headers };
  return { ...record, headers: [...headers, [Buffer.from(wire.wait), Buffer.from(`${restMs} ${slackMs}`)]] };
}

/** What is left of a record's delay, or undefined. */
export function restOf({ headers }: OutgoingRecord): { readonly restMs: number; readonly slackMs: number } | undefined {
  const header = headers.findLast(([name]) => name.toString() === wire.wait);
  const [restMs, slackMs] = header?.[1]?.toString().split(" ").map(Number) ?? [];
  return restMs === undefined || !(restMs > 0) ? undefined : { restMs, slackMs: slackMs || 0 };
}

const tombstoneProperty: Header = { name: tombstone, value: { type: "boolean", value: true } };

function isProperty({ name }: Header): boolean {
  return name.startsWith(wire.property);
}

function bare({ name, value }: Header): Header {
  return { name: name.slice(wire.property.length), value };
}

function encodeHeader({ name, value }: Header): RecordHeader {
  return [Buffer.from(name), encodeValue(value)];
}

function encodeValue(value: HeaderValue): Buffer | null {
  switch (value.type) {
    case "null":
      return null;
    case "bytes":
      return Buffer.from(value.value);
    case "text":
      return Buffer.from(value.value);
    case "list":
    case "table":
      return Buffer.from(JSON.stringify(plain(value)));
    default:
      return Buffer.from(String(value.value));
  }
}

/** Kafka knows bytes only. What is text in every respect is given as text, which is the same bytes again when sent. */
function decodeHeader([name, value]: RecordHeader): Header {
  return { name: name.toString(), value: value === null ? { type: "null", value } : decodeValue(value) };
}

function decodeValue(value: Buffer): HeaderValue {
  try {
    return { type: "text", value: strictUtf8.decode(value) };
  } catch {
    return { type: "bytes", value };
  }
}

/** A list or table as JSON. Repeated names of a table, which JSON has not, are kept as pairs. */
function plain({ type, value }: HeaderValue): unknown {
  switch (type) {
    case "list":
      return value.map(plain);
    case "table":
      return value.map((header) => [header.name, plain(header.value)]);
    case "bytes":
      return Buffer.from(value).toString("base64");
    case "integer":
    case "timestamp":
      return String(value);
    default:
      return value;
  }
}
