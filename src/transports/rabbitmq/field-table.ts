import { OfficeError } from "../../domain/errors.ts";
import type { Header, HeaderValue } from "../../domain/message.ts";
import { ByteReader, type ByteWriter, textOf } from "./bytes.ts";

/**
 * AMQP's field table, read and written without loss. amqplib rounds 64-bit integers, replaces what is not UTF-8, writes
 * the smallest integer that holds a value and sorts names that look like numbers.
 *
 * Our header values have one integer and one floating type, AMQP has nine. So a header that would be written differently
 * from how it came keeps its bytes beside it, out of sight, and is sent on with exactly those.
 */
const asReceived = new WeakMap<Header, Buffer>();

/** Deeper tables are kept as bytes: nobody means them, and reading them could exhaust the stack. */
const deepest = 32;

const none: readonly Header[] = [];

/** Under this name come the bytes of a table that is not one: a message nobody can read is still a message. */
export const unreadableTable = "amqp-unreadable-headers";

/** Reads a table, given without its length. It never throws. */
export function decodeFieldTable(bytes: Buffer): readonly Header[] {
  if (bytes.length === 0) return none;
  try {
    return readTable({ from: new ByteReader(bytes), depth: 0, exact: true });
  } catch {
    return [{ name: unreadableTable, value: { type: "bytes", value: bytes } }];
  }
}

/** Writes a table with its length before it. */
export function encodeFieldTable(writer: ByteWriter, headers: readonly Header[]): void {
  writer.prefixed(() => {
    for (const header of headers) writeHeader(writer, header);
  });
}

interface Reading {
  readonly from: ByteReader;
  readonly depth: number;
  /** Whether what was read since this was last set would be written the same way. */
  exact: boolean;
}

function readTable(reading: Reading): readonly Header[] {
  const headers: Header[] = [];
  while (reading.from.left > 0) headers.push(readHeader(reading));
  return headers;
}

function readHeader(reading: Reading): Header {
  const { from, exact } = reading;
  const start = from.at;
  reading.exact = true;
  const name = from.take(from.octet());
  const text = textOf(name);
  if (text === undefined) reading.exact = false;
  const header: Header = { name: text ?? name.toString("latin1"), value: readValue(reading) };
  if (!reading.exact) asReceived.set(header, from.bytes.subarray(start, from.at));
  reading.exact &&= exact;
  return header;
}

function readValue(reading: Reading): HeaderValue {
  const { from } = reading;
  const tag = String.fromCharCode(from.octet());
  switch (tag) {
    case "S":
      return readText(reading);
    case "x":
      return { type: "bytes", value: from.take(from.long()) };
    case "l":
      return { type: "integer", value: BigInt.asIntN(64, from.longlong()) };
    case "d":
      return readDouble(reading);
    case "t":
      return readBoolean(reading);
    case "T":
      return { type: "timestamp", value: from.longlong() * 1_000n };
    case "V":
      return { type: "null", value: null };
    case "A":
      return readNested(reading, (inner) => ({ type: "list", value: readList(inner) }));
    case "F":
      return readNested(reading, (inner) => ({ type: "table", value: readTable(inner) }));
    default:
      reading.exact = false;
      return readNarrow(from, tag);
  }
}

/** What has no type of its own in our headers: the value is read, its bytes are kept. */
function readNarrow(reader: ByteReader, tag: string): HeaderValue {
  switch (tag) {
    case "b":
      return integer(reader.take(1).readInt8());
    case "B":
      return integer(reader.octet());
    case "s":
      return integer(reader.take(2).readInt16BE());
    case "u":
      return integer(reader.short());
    case "I":
      return integer(reader.take(4).readInt32BE());
    case "i":
      return integer(reader.long());
    case "f":
      return { type: "double", value: reader.take(4).readFloatBE() };
    case "D":
      return { type: "text", value: readDecimal(reader) };
    default:
      throw new TypeError(`AMQP has no type ${tag}.`);
  }
}

function integer(value: number): HeaderValue {
  return { type: "integer", value: BigInt(value) };
}

/** AMQP's text may be any bytes. What is not UTF-8 is given as the bytes it is. */
function readText(reading: Reading): HeaderValue {
  const { from } = reading;
  const bytes = from.take(from.long());
  const text = textOf(bytes);
  if (text !== undefined) return { type: "text", value: text };
  reading.exact = false;
  return { type: "bytes", value: bytes };
}

/** There are many ways to write what is not a number. */
function readDouble(reading: Reading): HeaderValue {
  const value = reading.from.take(8).readDoubleBE();
  if (Number.isNaN(value)) reading.exact = false;
  return { type: "double", value };
}

function readBoolean(reading: Reading): HeaderValue {
  const octet = reading.from.octet();
  if (octet > 1) reading.exact = false;
  return { type: "boolean", value: octet !== 0 };
}

function readDecimal(reader: ByteReader): string {
  const places = reader.octet();
  const digits = String(reader.long()).padStart(places + 1, "0");
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

function readList(reading: Reading): readonly HeaderValue[] {
  const values: HeaderValue[] = [];
  while (reading.from.left > 0) values.push(readValue(reading));
  return values;
}

function readNested(reading: Reading, read: (inner: Reading) => HeaderValue): HeaderValue {
  const { from, depth } = reading;
  const bytes = from.take(from.long());
  if (depth === deepest) {
    reading.exact = false;
    return { type: "bytes", value: bytes };
  }
  const inner = { from: new ByteReader(bytes), depth: depth + 1, exact: true };
  const value = read(inner);
  reading.exact &&= inner.exact;
  return value;
}

function writeHeader(writer: ByteWriter, header: Header): void {
  const received = asReceived.get(header);
  if (received !== undefined) {
    writer.put(received);
    return;
  }
  const name = Buffer.from(header.name);
  if (name.length > 255) throw unsendable(header.name, "its name has more than 255 bytes");
  writer.octet(name.length).put(name);
  writeValue(writer, header.value, header.name);
}

/** `name` is the header's own, for the error. */
function writeValue(writer: ByteWriter, { type, value }: HeaderValue, name: string): void {
  writer.octet(tags[type]);
  switch (type) {
    case "text": {
      const bytes = Buffer.from(value);
      writer.long(bytes.length).put(bytes);
      break;
    }
    case "bytes":
      writer.long(value.length).put(value);
      break;
    case "integer":
      writer.longlong(requireInteger(value, name));
      break;
    case "double":
      writer.double(value);
      break;
    case "boolean":
      writer.octet(value ? 1 : 0);
      break;
    case "timestamp":
      writer.longlong(secondsOf(value, name));
      break;
    case "list":
      writer.prefixed(() => {
        for (const item of value) writeValue(writer, item, name);
      });
      break;
    case "table":
      encodeFieldTable(writer, value);
      break;
    case "null":
      break;
  }
}

const tags: Readonly<Record<HeaderValue["type"], number>> = {
  text: 0x53,
  bytes: 0x78,
  integer: 0x6c,
  double: 0x64,
  boolean: 0x74,
  timestamp: 0x54,
  list: 0x41,
  table: 0x46,
  null: 0x56,
};

function requireInteger(value: bigint, name: string): bigint {
  if (BigInt.asIntN(64, value) !== value) throw unsendable(name, `${value} does not fit into 64 bits`);
  return value;
}

/** AMQP's timestamps count seconds. */
export function secondsOf(milliseconds: bigint, name: string): bigint {
  if (milliseconds < 0n || milliseconds % 1_000n !== 0n) {
    throw unsendable(name, `AMQP's timestamps are whole seconds since 1970, and ${milliseconds} ms are not`);
  }
  return milliseconds / 1_000n;
}

export function unsendable(name: string, why: string): OfficeError {
  return new OfficeError("INVALID_MESSAGE", `RabbitMQ cannot carry \`${name}\`: ${why}.`, { details: { name } });
}
