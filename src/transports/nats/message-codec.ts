import type { StoredMsg } from "@nats-io/jetstream";
import type { Msg, MsgHdrs } from "@nats-io/transport-node";
import { decodeHeaders, encodeHeaders } from "../../domain/header-codec.ts";
import { type Header, headerText, type Message, textHeader } from "../../domain/message.ts";
import { parsedObject } from "./json-object.ts";
import { tellsHowItCame } from "./names.ts";
import { isText, readRawHeaders } from "./raw-headers.ts";

/** Names that are ours on the wire, and never a header of the message. */
const ours = "dlo-nats-";
/** All headers as JSON, where NATS's own cannot say what they are: other types than text, an order, line feeds. */
const headersName = `${ours}headers`;
/** In base64. */
const keyName = `${ours}key`;
const propertiesName = `${ours}properties`;
const againName = `${ours}again`;
/** Before the name of a header that the server would act upon once more if it were sent as it is. */
const quoted = `${ours}was-`;
/** By which a stream knows a message that it has already. */
const messageIdName = "Nats-Msg-Id";
/** How ids of ours begin, which are no header of the message. */
const ourIds = "dlo:";
const serversOwn = /^nats-/iu;

/** What goes with a message that comes again, since a stream does not change what is in it. */
export interface Again {
  /** Where it was first; missing in what was nowhere yet. */
  readonly position?: string;
  /** How often it was handed over before. */
  readonly deliveries: number;
  /** Whether nobody heard what became of the last hand-over. */
  readonly redelivered: boolean;
  /** When it is due, in milliseconds since 1970; not in what is due. */
  readonly dueAt?: number;
  /** The subject on which it goes then. */
  readonly to?: string;
}

export interface EncodeOptions {
  /** It was received before: what its first sender told the server with it must not be done again. */
  readonly onward: boolean;
  /** By which the stream knows a second sending of the same. */
  readonly id?: string;
  readonly again?: Again;
}

/** Nothing where the message needs no headers. */
export function encodeMessageHeaders(
  { headers, key, properties }: Message,
  { onward, id, again }: EncodeOptions,
  make: () => MsgHdrs,
): MsgHdrs | undefined {
  if (headers.length + properties.length === 0 && key === null && id === undefined && again === undefined)
    return undefined;
  const written = make();
  if (id !== undefined) written.append(messageIdName, ourIds + id);
  for (const { name, value } of headers) {
    if (value.type === "text" && isText(name, value.value) && !name.startsWith(ours)) {
      written.append(nameOnWire(name, onward), value.value);
    }
  }
  if (!areExact(headers)) append(written, headersName, encodeHeaders(headers));
  if (key !== null) written.append(keyName, Buffer.from(key).toString("base64"));
  append(written, propertiesName, encodeHeaders(properties));
  if (again !== undefined) written.append(againName, JSON.stringify(again));
  return written;
}

/** One as it was delivered, or as a stream shows it. */
type Incoming = Pick<Msg, "data" | "subject"> & (Pick<Msg, "headers"> | Pick<StoredMsg, "header">);

/** The message, and how it came to be there again if it did. `filter` is what was asked for, which may have wildcards. */
export function decodeMessage(
  msg: Incoming,
  filter: string,
): { readonly message: Message; readonly again: Again | null } {
  const { data, subject } = msg;
  const read = readWire(msg);
  // Copied: what the client gives may be a small part of a large buffer, which would live as long as the message.
  const body = new Uint8Array(data);
  const properties = subject === filter ? [] : [textHeader("subject", subject)];
  if (read === null) return { message: { body, headers: [], key: null, properties }, again: null };
  const [headers, key, written] = [read.text(headersName), read.text(keyName), read.text(propertiesName)];
  const message: Message = {
    body,
    headers: headers === undefined ? read.all().flatMap(unquote) : decodeHeaders(Buffer.from(headers)),
    key: key === undefined ? null : new Uint8Array(Buffer.from(key, "base64")),
    properties: written === undefined ? properties : decodeHeaders(Buffer.from(written)),
  };
  return { message, again: tellsHowItCame(subject) ? readAgain(read.text(againName) ?? "") : null };
}

/** Whether NATS's own headers say all there is to say: they are text, and those of a name stand together. */
function areExact(headers: readonly Header[]): boolean {
  const seen = new Set<string>();
  let before: string | undefined;
  return headers.every(({ name, value }) => {
    const isApart = name !== before && seen.has(name);
    before = name;
    seen.add(name);
    return !isApart && value.type === "text" && isText(name, value.value) && !name.startsWith(ours);
  });
}

function nameOnWire(name: string, onward: boolean): string {
  return onward && serversOwn.test(name) ? quoted + name : name;
}

function append(written: MsgHdrs, name: string, json: Buffer | null): void {
  if (json !== null) written.append(name, json.toString());
}

/** Headers as they came. */
interface WireHeaders {
  text(name: string): string | undefined;
  all(): readonly Header[];
}

/** Null: it has none. */
function readWire(msg: Incoming): WireHeaders | null {
  let read: MsgHdrs | undefined;
  try {
    read = "header" in msg ? msg.header : msg.headers;
  } catch {
    // The client refuses names and line feeds that the server lets through, and with them the whole message.
    const all = readRawHeaders(msg) ?? [];
    return { text: (name) => headerText(all, name), all: () => all };
  }
  if (read === undefined) return null;
  const grouped = read;
  return {
    text: (name) => (grouped.has(name) ? grouped.get(name) : undefined),
    all: () => readHeaders(msg, grouped),
  };
}

function readHeaders(msg: object, read: MsgHdrs): readonly Header[] {
  const isPlain = [...read].every(([, values]) => values.length === 1 && !values[0]?.includes("\ufffd"));
  const all = isPlain ? null : readRawHeaders(msg);
  return all ?? [...read].flatMap(([name, values]) => values.map((value) => textHeader(name, value)));
}

function unquote(header: Header): readonly Header[] {
  const { name, value } = header;
  if (name.startsWith(quoted)) return [{ name: name.slice(quoted.length), value }];
  const isOurId = name === messageIdName && value.type === "text" && value.value.startsWith(ourIds);
  return isOurId || name.startsWith(ours) ? [] : [header];
}

/** Whoever may publish there may have written it: what does not fit is not believed. */
function readAgain(json: string): Again | null {
  const { position, deliveries, redelivered, dueAt, to } = parsedObject(json);
  if (
    typeof deliveries !== "number" ||
    !Number.isSafeInteger(deliveries) ||
    deliveries < 0 ||
    typeof redelivered !== "boolean"
  )
    return null;
  return {
    ...(typeof position === "string" ? { position } : {}),
    deliveries,
    redelivered,
    ...(typeof dueAt === "number" && Number.isFinite(dueAt) ? { dueAt } : {}),
    ...(typeof to === "string" ? { to } : {}),
  };
}
