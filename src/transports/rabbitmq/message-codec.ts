import {
  type Header,
  type HeaderValue,
  headerText,
  type Message,
  replaceHeaders,
  textHeader,
} from "../../domain/message.ts";
import { queueNames, wire } from "../../domain/wire.ts";
import { textOf } from "./bytes.ts";
import { decodeFieldTable, unsendable } from "./field-table.ts";
import { decodeProperties, encodeProperties } from "./properties.ts";

/** A message in AMQP's own encoding. */
export interface Parcel {
  readonly properties: Buffer;
  readonly body: Buffer;
}

/** What the broker says of a delivery in headers of its own: read, never sent. */
const deathHeaders = [
  "x-death",
  ...["first", "last"].flatMap((which) => ["queue", "reason", "exchange"].map((what) => `x-${which}-death-${what}`)),
];
const countHeaders: ReadonlySet<string> = new Set(["x-delivery-count", "x-acquired-count"]);
/** Broker versions up to 3.12 believe deaths that a sender claims, and drop what seems to go in a circle. */
const brokersOwn: ReadonlySet<string> = new Set([...deathHeaders, ...countHeaders]);

/** Headers that make the broker deliver copies to other queues: right for the sender, wrong for every time it is sent on. */
const copyHeaders: ReadonlySet<string> = new Set(["CC", "BCC"]);

/** Ours, between a transport and a transport: nobody else sees them. */
const ownNames: ReadonlySet<string> = new Set([wire.order, wire.sendId]);

export interface Received {
  readonly message: Message;
  /** How often the broker gave it out before; null where it does not say. */
  readonly earlier: number | null;
  /** Which message it is, as one of our transports said; null where somebody else sent it. */
  readonly sendId: string | null;
}

/** Reads a delivery from `queue`. `counter` is the header in which the broker counts deliveries. */
export function decodeMessage(parcel: Parcel, queue: string, counter: string): Received {
  const { properties, table } = decodeProperties(parcel.properties);
  const received = decodeFieldTable(table);
  if (received.length === 0) {
    return { message: { body: parcel.body, headers: received, key: null, properties }, earlier: null, sendId: null };
  }
  const hidden = diedOnlyOfDelay(received, queue) ? brokersOwn : countHeaders;
  const headers = received.filter(({ name }) => !ownNames.has(name) && !hidden.has(name));
  return {
    message: { body: parcel.body, headers, key: keyOf(received), properties },
    earlier: countOf(received, counter),
    sendId: headerText(received, wire.sendId) ?? null,
  };
}

/** Whether all its deaths are those of our own delay queues: it waited, nothing else, and that is nobody's business. */
function diedOnlyOfDelay(headers: readonly Header[], queue: string): boolean {
  const deaths = headers.find(({ name }) => name === "x-death")?.value;
  if (deaths?.type !== "list") return false;
  const ours = queueNames.retry(queue, "");
  return deaths.value.every((death) => death.type === "table" && headerText(death.value, "queue")?.startsWith(ours));
}

function keyOf(headers: readonly Header[]): Uint8Array | null {
  const value = headers.findLast(({ name }) => name === wire.order)?.value;
  if (value?.type === "text") return Buffer.from(value.value);
  return value?.type === "bytes" ? value.value : null;
}

function countOf(headers: readonly Header[], counter: string): number | null {
  const value = headers.find(({ name }) => name === counter)?.value;
  return value?.type === "integer" ? Number(value.value) : null;
}

/**
 * Writes a message that somebody sends. `user` is whom the broker knows this connection as. What is delayed does not
 * expire: it would do so while it waits, and come too early.
 */
export function encodeMessage(message: Message, { user, delayed, sendId }: Sending): Parcel {
  const sender = senderOf(message);
  if (sender !== undefined && sender !== user) {
    throw unsendable("user-id", `it is ${sender}, and the connection belongs to ${user}`);
  }
  requireUniqueNames(message.headers);
  const properties = delayed ? message.properties.filter(({ name }) => name !== "expiration") : message.properties;
  return encode({ ...message, properties }, withoutNames(message.headers, brokersOwn), sendId);
}

interface Sending {
  readonly user: string;
  readonly delayed: boolean;
  readonly sendId: string;
}

/**
 * Writes a message that was received and goes on: to a retry, to the dead letters, back to its queue. What would make it
 * expire there is left out, and so are copies for others and a sender that is not us: the broker would refuse it.
 */
export function encodeOnward(message: Message, user: string, sendId: string): Parcel {
  return encodeReceived(message, user, brokersOwn, sendId);
}

/** Writes a message that goes back among the dead letters it was taken from: its deaths are all that is known of it there. */
export function encodeReturned(message: Message, user: string): Parcel {
  return encodeReceived(message, user, countHeaders, headerText(message.headers, wire.failure) ?? null);
}

function encodeReceived(message: Message, user: string, leftOut: ReadonlySet<string>, sendId: string | null): Parcel {
  const isForeign = senderOf(message) !== user;
  const properties = message.properties.filter(
    ({ name }) => name !== "expiration" && (name !== "user-id" || !isForeign),
  );
  const headers = message.headers.filter(({ name }) => !leftOut.has(name) && !copyHeaders.has(name));
  return encode({ ...message, properties }, headers, sendId);
}

/** Whether it can be sent to its queue again without anybody seeing a difference. */
export function isSentOnUnchanged(message: Message, user: string): boolean {
  const sender = senderOf(message);
  return (
    (sender === undefined || sender === user) &&
    !message.properties.some(({ name }) => name === "expiration") &&
    !message.headers.some(({ name }) => brokersOwn.has(name) || copyHeaders.has(name))
  );
}

function encode({ body, key, properties }: Message, headers: readonly Header[], sendId: string | null): Parcel {
  const own = [
    ...(key === null ? [] : [keyHeader(key)]),
    ...(sendId === null ? [] : [textHeader(wire.sendId, sendId)]),
  ];
  // A header of a stranger's that is called as one of ours is his, where there is none of ours.
  const all = own.length === 0 ? headers : replaceHeaders(headers, own);
  return { properties: encodeProperties(properties, all), body: asBuffer(body) };
}

function keyHeader(key: Uint8Array): Header {
  const text = textOf(asBuffer(key));
  const value: HeaderValue = text === undefined ? { type: "bytes", value: key } : { type: "text", value: text };
  return { name: wire.order, value };
}

/** The same bytes, not copied. */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function senderOf({ properties }: Message): string | undefined {
  return properties.length === 0 ? undefined : headerText(properties, "user-id");
}

function withoutNames(headers: readonly Header[], names: ReadonlySet<string>): readonly Header[] {
  return headers.some(({ name }) => names.has(name)) ? headers.filter(({ name }) => !names.has(name)) : headers;
}

function requireUniqueNames(headers: readonly Header[]): void {
  const names = new Set<string>();
  for (const { name } of headers) {
    if (names.has(name)) throw unsendable(name, "AMQP has each header once. Send one with a list of values");
    names.add(name);
  }
}
