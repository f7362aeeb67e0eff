import type { Header, HeaderValue } from "../../domain/message.ts";
import { nearestName } from "../../domain/options.ts";
import { ByteReader, ByteWriter, textOf } from "./bytes.ts";
import { encodeFieldTable, secondsOf, unsendable } from "./field-table.ts";

type PropertyKind = "text" | "octet" | "timestamp" | "table";

/** AMQP's properties in the order they are written; the first has the highest of sixteen flags. */
const properties: readonly { readonly name: string; readonly kind: PropertyKind }[] = [
  { name: "content-type", kind: "text" },
  { name: "content-encoding", kind: "text" },
  { name: "headers", kind: "table" },
  { name: "delivery-mode", kind: "octet" },
  { name: "priority", kind: "octet" },
  { name: "correlation-id", kind: "text" },
  { name: "reply-to", kind: "text" },
  { name: "expiration", kind: "text" },
  { name: "message-id", kind: "text" },
  { name: "timestamp", kind: "timestamp" },
  { name: "type", kind: "text" },
  { name: "user-id", kind: "text" },
  { name: "app-id", kind: "text" },
  { name: "cluster-id", kind: "text" },
];

const flagOf = (index: number): number => 0x8000 >> index;

const propertyNames = properties.filter(({ kind }) => kind !== "table").map(({ name }) => name);

/** On disk. What every message has that we send, and so does nearly every other: it is not worth a mention. */
const persistent = 2n;

export interface DecodedProperties {
  readonly properties: readonly Header[];
  /** The field table of the headers, as it came. */
  readonly table: Buffer;
}

const none: readonly Header[] = [];
const noTable: Buffer = Buffer.alloc(0);

/** Reads what a content header carries after the length of the body. */
export function decodeProperties(bytes: Buffer): DecodedProperties {
  const reader = new ByteReader(bytes);
  const flags = reader.short();
  if (flags === 0) return { properties: none, table: noTable };
  const found: Header[] = [];
  let table = noTable;
  for (const [index, { name, kind }] of properties.entries()) {
    if ((flags & flagOf(index)) === 0) continue;
    if (kind === "table") table = reader.take(reader.long());
    else pushUnlessImplied(found, { name, value: readProperty(reader, kind) });
  }
  return { properties: found, table };
}

function pushUnlessImplied(found: Header[], property: Header): void {
  if (property.name !== "delivery-mode" || property.value.value !== persistent) found.push(property);
}

function readProperty(reader: ByteReader, kind: Exclude<PropertyKind, "table">): HeaderValue {
  if (kind === "octet") return { type: "integer", value: BigInt(reader.octet()) };
  if (kind === "timestamp") return { type: "timestamp", value: reader.longlong() * 1_000n };
  const bytes = reader.take(reader.octet());
  const text = textOf(bytes);
  return text === undefined ? { type: "bytes", value: bytes } : { type: "text", value: text };
}

/** Writes properties and headers, as `decodeProperties` reads them. */
export function encodeProperties(given: readonly Header[], headers: readonly Header[]): Buffer {
  const values = valuesByName(given);
  const writer = new ByteWriter();
  writer.short(0);
  let flags = 0;
  for (const [index, { name, kind }] of properties.entries()) {
    const value = values.get(name);
    if (kind === "table" && headers.length > 0) encodeFieldTable(writer, headers);
    else if (value !== undefined) writeProperty(writer, { name, value });
    else continue;
    flags |= flagOf(index);
  }
  const { bytes } = writer;
  bytes.writeUInt16BE(flags, 0);
  return bytes;
}

function valuesByName(given: readonly Header[]): ReadonlyMap<string, HeaderValue> {
  const values = new Map<string, HeaderValue>([["delivery-mode", { type: "integer", value: persistent }]]);
  for (const { name, value } of given) {
    if (!propertyNames.includes(name)) throw unsendable(name, unknownProperty(name));
    values.set(name, value);
  }
  return values;
}

function unknownProperty(name: string): string {
  const nearest = nearestName(name, propertyNames);
  return `AMQP has no such property. ${nearest ? `Did you mean \`${nearest}\`?` : "Send it as a header"}`;
}

function writeProperty(writer: ByteWriter, { name, value }: Header): void {
  const kind = properties.find((property) => property.name === name)?.kind;
  if (kind === "octet") writer.octet(requireOctet(name, value));
  else if (kind === "timestamp") writer.longlong(secondsOf(requireTimestamp(name, value), name));
  else {
    const bytes = requireText(name, value);
    writer.octet(bytes.length).put(bytes);
  }
}

function requireOctet(name: string, { type, value }: HeaderValue): number {
  if (type === "integer" && value >= 0n && value <= 255n) return Number(value);
  throw unsendable(name, "it must be an integer from 0 to 255");
}

function requireTimestamp(name: string, { type, value }: HeaderValue): bigint {
  if (type === "timestamp") return value;
  throw unsendable(name, "it must be a timestamp");
}

function requireText(name: string, { type, value }: HeaderValue): Uint8Array {
  const bytes = type === "text" ? Buffer.from(value) : type === "bytes" ? value : undefined;
  if (bytes !== undefined && bytes.length <= 255) return bytes;
  throw unsendable(name, "it must be text of at most 255 bytes");
}
