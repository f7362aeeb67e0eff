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

/** The index of the highest flag that is set. */
const highestOf = (flags: number): number => Math.clz32(flags) - 16;

const indexes: ReadonlyMap<string, number> = new Map(
  properties.flatMap(({ name, kind }, index) => (kind === "table" ? [] : [[name, index] as const])),
);
const deliveryMode = properties.findIndex(({ name }) => name === "delivery-mode");
const table = properties.findIndex(({ kind }) => kind === "table");

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
  const found: Header[] = [];
  let headers = noTable;
  for (let flags = reader.short(); flags !== 0; flags &= ~flagOf(highestOf(flags))) {
    const property = properties[highestOf(flags)];
    if (property === undefined) break;
    const { name, kind } = property;
    if (kind === "table") headers = reader.take(reader.long());
    else pushUnlessImplied(found, name, readProperty(reader, kind));
  }
  return { properties: found.length === 0 ? none : found, table: headers };
}

function pushUnlessImplied(found: Header[], name: string, value: HeaderValue): void {
  if (name !== "delivery-mode" || value.value !== persistent) found.push({ name, value });
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
  const values = inOrder(given);
  const writer = new ByteWriter();
  writer.short(0);
  let flags = 0;
  for (const [index, value] of values.entries()) {
    if (index === table && headers.length > 0) encodeFieldTable(writer, headers);
    else if (value !== undefined) writeProperty(writer, index, value);
    else continue;
    flags |= flagOf(index);
  }
  const { bytes } = writer;
  bytes.writeUInt16BE(flags, 0);
  return bytes;
}

function inOrder(given: readonly Header[]): (HeaderValue | undefined)[] {
  const values: (HeaderValue | undefined)[] = properties.map(() => undefined);
  values[deliveryMode] = { type: "integer", value: persistent };
  for (const { name, value } of given) {
    const index = indexes.get(name);
    if (index === undefined) throw unsendable(name, unknownProperty(name));
    values[index] = value;
  }
  return values;
}

function unknownProperty(name: string): string {
  const nearest = nearestName(name, [...indexes.keys()]);
  return `AMQP has no such property. ${nearest ? `Did you mean \`${nearest}\`?` : "Send it as a header"}`;
}

function writeProperty(writer: ByteWriter, index: number, value: HeaderValue): void {
  const { name, kind } = properties[index] as (typeof properties)[number];
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
