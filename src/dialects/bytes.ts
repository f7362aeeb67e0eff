/** Bytes as libraries write them: big-endian integers, hexadecimal, base64, protobuf. Whatever does not fit is undefined. */

export function fromHex(text: string): Uint8Array | undefined {
  return text.length % 2 === 0 && /^[\da-f]*$/i.test(text) ? Uint8Array.from(Buffer.from(text, "hex")) : undefined;
}

export function fromBase64(text: string): Uint8Array | undefined {
  const packed = text.replace(/\s+/g, "");
  return /^[\w+/-]*={0,2}$/.test(packed) && packed.length % 4 !== 1
    ? Uint8Array.from(Buffer.from(packed, "base64"))
    : undefined;
}

/** A two's-complement integer, most significant byte first, of any length up to 8. */
export function bigEndian(bytes: Uint8Array): bigint | undefined {
  if (bytes.length === 0 || bytes.length > 8) return undefined;
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(bytes.length * 8, value);
}

/** Text of digits has these lengths too; as an integer it would be a partition or offset that no topic reaches. */
export function isAllDigits(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x30 && byte <= 0x39);
}

/** A field of a protobuf message, by its number: a varint, or bytes. Of a repeated one the last. */
export type Fields = ReadonlyMap<number, bigint | Uint8Array>;

/** Undefined when the bytes are not protobuf to their last. */
export function readProtobuf(bytes: Uint8Array): Fields | undefined {
  const fields = readFields(bytes);
  return fields === undefined ? undefined : new Map(fields.map(({ number, value }) => [number, value]));
}

/** The message without one of its fields, all else byte by byte as it was; undefined when it is no protobuf. */
export function protobufWithout(bytes: Uint8Array, without: number): Uint8Array | undefined {
  const fields = readFields(bytes)?.filter(({ number }) => number !== without);
  return fields === undefined ? undefined : Buffer.concat(fields.map(({ from, next }) => bytes.subarray(from, next)));
}

interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
  readonly from: number;
  readonly next: number;
}

function readFields(bytes: Uint8Array): readonly Field[] | undefined {
  const fields: Field[] = [];
  let from = 0;
  while (from < bytes.length) {
    const tag = readVarint(bytes, from);
    if (tag === undefined || tag.value >> 3n === 0n || tag.value > 0xffff_ffffn) return undefined;
    const field = readField(bytes, tag.next, Number(tag.value & 7n));
    if (field === undefined) return undefined;
    fields.push({ number: Number(tag.value >> 3n), ...field, from });
    from = field.next;
  }
  return fields;
}

interface Read<Value> {
  readonly value: Value;
  readonly next: number;
}

function readField(bytes: Uint8Array, at: number, kind: number): Read<bigint | Uint8Array> | undefined {
  if (kind === 0) return readVarint(bytes, at);
  if (kind === 1) return take(bytes, at, 8);
  if (kind === 5) return take(bytes, at, 4);
  const length = kind === 2 ? readVarint(bytes, at) : undefined;
  return length === undefined ? undefined : take(bytes, length.next, Number(length.value));
}

function take(bytes: Uint8Array, at: number, length: number): Read<Uint8Array> | undefined {
  return at + length > bytes.length ? undefined : { value: bytes.subarray(at, at + length), next: at + length };
}

function readVarint(bytes: Uint8Array, from: number): Read<bigint> | undefined {
  let value = 0n;
  for (let at = from; at < Math.min(bytes.length, from + 10); at++) {
    const byte = bytes[at] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - from));
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), next: at + 1 };
  }
  return undefined;
}

/** A field of a protobuf that is a number; zeros are left out there. */
export function numberAt(fields: Fields | undefined, at: number): number {
  const value = fields?.get(at);
  return typeof value === "bigint" ? Number(value) : 0;
}

/** A field of a protobuf that is text, a message or bytes. */
export function bytesAt(fields: Fields | undefined, at: number): Uint8Array | undefined {
  const value = fields?.get(at);
  return value instanceof Uint8Array ? value : undefined;
}
