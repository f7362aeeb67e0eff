import { isUtf8 } from "node:buffer";
import { decodeHeaders, encodeHeaders } from "../../domain/header-codec.ts";
import type { Header, Message } from "../../domain/message.ts";

/** An entry of a stream: names and values by turns. */
export type Fields = readonly Buffer[];

/** The field of an entry that is the message's body. Entries of other people's programs may do without. */
const bodyField = Buffer.from("body");
export const headersField: Buffer = Buffer.from("dlo-headers");
const keyField = Buffer.from("dlo-entry-key");
const propertiesField = Buffer.from("dlo-properties");
/** Fields of other people's entries are properties of this name and theirs, in order and byte by byte. */
const foreign = "field:";

/** Copies the body: a sender may use its buffer again before the message is on its way. */
export function encodeEntry({ body, headers, key, properties }: Message): Fields {
  const theirs = properties.flatMap(fieldOf);
  const ours = properties.filter((property) => fieldOf(property).length === 0);
  const bytes = Buffer.from(body);
  const fields = theirs.length > 0 && bytes.equals(bodyOf(theirs)) ? theirs : [bodyField, bytes, ...theirs];
  if (headers.length > 0) fields.push(headersField, encodeHeaders(headers) ?? nothing);
  if (key !== null) fields.push(keyField, Buffer.from(key));
  if (ours.length > 0) fields.push(propertiesField, encodeHeaders(ours) ?? nothing);
  return fields;
}

const nothing = Buffer.alloc(0);

/**
 * An entry without a body has been written by a program that knows nothing of us: its fields as a JSON object are what a
 * handler can read. Sent on unchanged, it has its own fields again.
 */
export function decodeEntry(fields: Fields): Message {
  let body: Uint8Array | null = null;
  let headers: readonly Header[] = [];
  let key: Uint8Array | null = null;
  let properties: readonly Header[] = [];
  const theirs: Buffer[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = fields[index] as Buffer;
    const value = fields[index + 1] as Buffer;
    if (name.equals(bodyField)) body = bytesOf(value);
    else if (name.equals(headersField)) headers = decodeHeaders(bytesOf(value));
    else if (name.equals(keyField)) key = bytesOf(value);
    else if (name.equals(propertiesField)) properties = decodeHeaders(bytesOf(value));
    else theirs.push(name, value);
  }
  body ??= bytesOf(bodyOf(theirs));
  return {
    body,
    headers,
    key,
    properties: theirs.length === 0 ? properties : [...properties, ...propertiesOf(theirs)],
  };
}

export function sizeOf(fields: Fields): number {
  return fields.reduce((bytes, field) => bytes + field.byteLength, 0);
}

function bodyOf(fields: Fields): Buffer {
  const pairs = pairsOf(fields).map(([name, value]) => [name.toString(), value.toString()] as const);
  return Buffer.from(JSON.stringify(Object.fromEntries(pairs)));
}

function propertiesOf(fields: Fields): readonly Header[] {
  return pairsOf(fields).map(([name, value]) => ({
    name: foreign + name.toString(),
    value: isUtf8(value) ? { type: "text", value: value.toString() } : { type: "bytes", value: bytesOf(value) },
  }));
}

/** A property that was a field, as one again; nothing for any other. */
function fieldOf({ name, value }: Header): Buffer[] {
  const isField = name.startsWith(foreign) && (value.type === "text" || value.type === "bytes");
  return isField ? [Buffer.from(name.slice(foreign.length)), Buffer.from(value.value)] : [];
}

function pairsOf(fields: Fields): readonly (readonly [name: Buffer, value: Buffer])[] {
  return Array.from({ length: Math.floor(fields.length / 2) }, (_, index) => [
    fields[2 * index] as Buffer,
    fields[2 * index + 1] as Buffer,
  ]);
}

/** The same memory; a `Buffer` would not be the equal of the `Uint8Array` that was sent. */
function bytesOf({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
