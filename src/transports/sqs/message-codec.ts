import { createHash } from "node:crypto";
import type { Message as Received, SendMessageBatchRequestEntry } from "@aws-sdk/client-sqs";
import { decodeHeaders, encodeHeaders } from "../../domain/header-codec.ts";
import { type Header, type HeaderValue, type Message, textHeader } from "../../domain/message.ts";
import { type Attributes, attributeBytes, fromAttribute, nativeHeaders, packName, typeProperty } from "./attributes.ts";
import { sqsJson, sqsTextOf } from "./sqs-text.ts";

/** A message as it is sent, but for its number in a batch and its delay. */
export type Outgoing = Omit<SendMessageBatchRequestEntry, "Id" | "DelaySeconds">;

export interface EncodeOptions {
  /** To a FIFO queue, where a message needs a group and an id that was never used. */
  readonly fifo: boolean;
  readonly newId: () => string;
  /** How long it must wait in all, as far as SQS cannot see to that by itself, in milliseconds. */
  readonly waitMs: number;
}

/** What SQS says of a message it has. It goes anew with each send, and is not sent on. */
const brokersOwn: ReadonlySet<string> = new Set([
  "MessageId",
  "ReceiptHandle",
  "MD5OfBody",
  "MD5OfMessageAttributes",
  "SenderId",
  "SentTimestamp",
  "SequenceNumber",
  "ApproximateReceiveCount",
  "ApproximateFirstReceiveTimestamp",
  "MessageDeduplicationId",
  "DeadLetterQueueSourceArn",
]);
const traceProperty = "AWSTraceHeader";
const groupProperty = "MessageGroupId";

/** What a handler is told of what SQS says; the rest is different each time. */
const toldProperties = [traceProperty, "DeadLetterQueueSourceArn"];

/** Names in the packed attribute. They are on the wire: docs/reference/wire.md. */
const pack = {
  headers: "headers",
  at: "at",
  key: "key",
  properties: "properties",
  body: "body",
  wait: "wait",
} as const;

export function encodeMessage(message: Message, options: EncodeOptions): Outgoing {
  const { body, headers, properties } = message;
  const text = sqsTextOf(body);
  const natives = nativeHeaders(headers, properties);
  const packed = packedOf(message, { natives, isText: text !== null, ...options });
  const attributes: Record<string, Attributes[string]> = {};
  for (const { name, value } of natives) attributes[name] = value;
  if (packed !== null) attributes[packName] = { DataType: "String", StringValue: packed };
  const trace = propertyOf(properties, traceProperty);
  return {
    // Of nothing at all the base64 is nothing, too, which SQS does not take.
    MessageBody: text ?? (Buffer.from(body).toString("base64") || "="),
    ...(Object.keys(attributes).length > 0 && { MessageAttributes: attributes }),
    ...(trace !== undefined && {
      MessageSystemAttributes: { AWSTraceHeader: { DataType: "String", StringValue: trace } },
    }),
    ...groupOf(message, options),
  };
}

interface PackParts extends EncodeOptions {
  readonly natives: ReturnType<typeof nativeHeaders>;
  readonly isText: boolean;
}

/** All that SQS has no place for; null where that is nothing. */
function packedOf({ headers, key, properties }: Message, { natives, isText, fifo, waitMs }: PackParts): string | null {
  const places = new Set(natives.map(({ index }) => index));
  const rest = headers.filter((_, index) => !places.has(index));
  const others = properties.filter(({ name }) => isPacked(name, fifo));
  const items: Header[] = [];
  const add = (name: string, value: HeaderValue) => items.push({ name, value });
  if (rest.length > 0) add(pack.headers, { type: "table", value: rest });
  // Attributes have no order of their own.
  if (natives.length > 1 || (natives.length > 0 && rest.length > 0)) {
    add(pack.at, { type: "table", value: natives.map(({ name, index }) => ({ name, value: integer(index) })) });
  }
  if (fifo ? key === null || !isGroup(key) : key !== null) add(pack.key, keyValue(key));
  if (others.length > 0) add(pack.properties, { type: "table", value: others });
  if (!isText) add(pack.body, { type: "text", value: "base64" });
  if (waitMs > 0) add(pack.wait, integer(Math.ceil(waitMs)));
  return items.length === 0 ? null : sqsJson((encodeHeaders(items) ?? "").toString());
}

function isPacked(name: string, fifo: boolean): boolean {
  const isGiven = name === traceProperty || (name === groupProperty && !fifo) || name.startsWith(typeProperty);
  return !isGiven && !brokersOwn.has(name);
}

function integer(value: number): HeaderValue {
  return { type: "integer", value: BigInt(value) };
}

function keyValue(key: Uint8Array | null): HeaderValue {
  return key === null ? { type: "null", value: null } : { type: "bytes", value: key };
}

/** The group of a FIFO queue is the key. Without a key there is nothing to keep in order: a group of its own. */
function groupOf({ key, properties }: Message, { fifo, newId }: EncodeOptions): Partial<Outgoing> {
  if (!fifo) {
    // A tenant of a fair queue.
    const MessageGroupId = propertyOf(properties, groupProperty);
    return MessageGroupId === undefined ? {} : { MessageGroupId };
  }
  const id = newId();
  // Never the id it came with: within five minutes SQS would drop a retry, or a replay, as a duplicate.
  return { MessageGroupId: key === null ? id : groupName(key), MessageDeduplicationId: id };
}

function groupName(key: Uint8Array): string {
  return isGroup(key) ? Buffer.from(key).toString() : createHash("sha256").update(key).digest("hex");
}

/** What SQS allows as a group. */
function isGroup(key: Uint8Array): boolean {
  return key.length > 0 && key.length <= 128 && key.every((byte) => byte > 0x20 && byte < 0x7f);
}

/** As SQS counts it. */
export function sizeOf({ MessageBody = "", MessageAttributes = {} }: Outgoing): number {
  const attributes = Object.entries(MessageAttributes).map(([name, value]) => attributeBytes(name, value));
  return attributes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(MessageBody));
}

/** A message as it was received, and what SQS says of it. */
export interface Incoming {
  readonly message: Message;
  readonly waitMs: number;
}

export interface DecodeOptions {
  readonly fifo: boolean;
  /** Whether all that SQS says of it is among its properties. */
  readonly facts: boolean;
}

export function decodeMessage(received: Received, { fifo, facts }: DecodeOptions): Incoming {
  const { Body = "", MessageAttributes = {}, Attributes: system = {} } = received;
  const packed = readPack(MessageAttributes);
  const natives = Object.entries(MessageAttributes)
    .filter(([name]) => name !== packName || packed === null)
    .map(([name, attribute]) => fromAttribute(name, attribute));
  const types = natives.flatMap(([{ name }, type]) => (type === null ? [] : [textHeader(typeProperty + name, type)]));
  const isBinary = textIn(packed, pack.body) === "base64";
  const message = {
    body: bytesOf(Buffer.from(Body, isBinary ? "base64" : "utf8")),
    headers: inOrder(
      natives.map(([header]) => header),
      packed,
    ),
    key: keyOf(packed, system.MessageGroupId),
    properties: [...tableIn(packed, pack.properties), ...types, ...(facts ? factsOf(received) : toldOf(system, fifo))],
  };
  return { message, waitMs: numberIn(packed, pack.wait) };
}

/** Null where there is none, or an attribute of that name is somebody else's. */
function readPack(attributes: Attributes): readonly Header[] | null {
  const text = attributes[packName]?.StringValue;
  if (text === undefined) return null;
  const items = decodeHeaders(Buffer.from(text));
  const known: readonly string[] = Object.values(pack);
  return items.every(({ name }) => known.includes(name)) ? items : null;
}

function keyOf(packed: readonly Header[] | null, group: string | undefined): Uint8Array | null {
  const own = valueIn(packed, pack.key);
  if (own?.type === "bytes") return own.value;
  return own?.type === "null" || group === undefined ? null : bytesOf(Buffer.from(group));
}

/** Attributes at the places they had among the headers, the packed ones around them. */
function inOrder(natives: readonly Header[], packed: readonly Header[] | null): readonly Header[] {
  const rest = tableIn(packed, pack.headers);
  const places = new Map(tableIn(packed, pack.at).map(({ name, value }) => [name, Number(value.value)]));
  if (places.size === 0) return [...natives, ...rest];
  const inPlace = new Map(natives.map((header) => [places.get(header.name), header]));
  const added = natives.filter(({ name }) => !places.has(name));
  const others = rest.values();
  const ordered = Array.from({ length: natives.length - added.length + rest.length }, (_, index) => {
    return inPlace.get(index) ?? others.next().value;
  });
  return [...ordered.filter((header) => header !== undefined), ...added];
}

function factsOf({ MessageId, MD5OfBody, Attributes: system = {} }: Received): readonly Header[] {
  const facts = Object.entries({ MessageId, MD5OfBody, ...system });
  return facts.flatMap(([name, value]) => (value === undefined ? [] : [textHeader(name, value)]));
}

function toldOf(system: Readonly<Record<string, string>>, fifo: boolean): readonly Header[] {
  // Of a FIFO queue the group is the key; of any other it is a tenant, and goes on with the message.
  const told = fifo ? toldProperties : [...toldProperties, groupProperty];
  return told.flatMap((name) => (system[name] === undefined ? [] : [textHeader(name, system[name])]));
}

function propertyOf(properties: readonly Header[], name: string): string | undefined {
  const value = properties.find((property) => property.name === name)?.value;
  return value?.type === "text" ? value.value : undefined;
}

function valueIn(packed: readonly Header[] | null, name: string): HeaderValue | undefined {
  return packed?.find((item) => item.name === name)?.value;
}

function tableIn(packed: readonly Header[] | null, name: string): readonly Header[] {
  const value = valueIn(packed, name);
  return value?.type === "table" ? value.value : [];
}

function textIn(packed: readonly Header[] | null, name: string): string | undefined {
  const value = valueIn(packed, name);
  return value?.type === "text" ? value.value : undefined;
}

function numberIn(packed: readonly Header[] | null, name: string): number {
  const value = valueIn(packed, name);
  return value?.type === "integer" ? Number(value.value) : 0;
}

/** The same memory; a `Buffer` would not be the equal of the `Uint8Array` that was sent. */
function bytesOf({ buffer, byteOffset, byteLength }: Buffer): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
