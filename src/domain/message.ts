/**
 * What a broker carries. Bytes and headers pass through the library exactly as they came: they are parsed only on
 * the way to a handler, never on the way to a queue.
 */
export interface Message {
  readonly body: Uint8Array;
  /** In order, repeats kept. */
  readonly headers: readonly Header[];
  /** What the broker orders or partitions by (Kafka's record key, a FIFO message group); null where there is none. */
  readonly key: Uint8Array | null;
  /** What the broker carries beside headers, under its own names (AMQP's `message-id`, `content-type` …). */
  readonly properties: readonly Header[];
}

export interface Header {
  readonly name: string;
  readonly value: HeaderValue;
}

/** A header's value without loss: 64-bit integers are not rounded, bytes are not decoded. */
export type HeaderValue =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "bytes"; readonly value: Uint8Array }
  | { readonly type: "integer"; readonly value: bigint }
  | { readonly type: "double"; readonly value: number }
  | { readonly type: "boolean"; readonly value: boolean }
  /** Milliseconds since 1970. */
  | { readonly type: "timestamp"; readonly value: bigint }
  | { readonly type: "null"; readonly value: null }
  | { readonly type: "list"; readonly value: readonly HeaderValue[] }
  | { readonly type: "table"; readonly value: readonly Header[] };

/** Where messages are sent to and come from. */
export interface Address {
  /** The queue, topic, stream or subject. */
  readonly name: string;
  /** On a log (Kafka, NATS, Redis Streams) a queue is the log and the group that reads it. */
  readonly group?: string;
}

/** How a queue is called in `dlo-queue` and in the names of the queues around it. */
export function queueName({ name, group }: Address): string {
  return group === undefined ? name : `${name}.${group}`;
}

/** One hand-over of a message by a broker. */
export interface Delivery {
  readonly message: Message;
  readonly source: Address;
  /** Where the broker keeps it, if the broker has a name for that. */
  readonly position: string | null;
  /**
   * On a broker without positions it tells this message from others that are equal, and goes with it wherever it is sent on. What
   * somebody else sent is given one when it is first delivered, and another when it comes again before it was sent on (`isAdopted`).
   * @default null: the broker has positions
   */
  readonly sendId?: string | null;
  /** The broker gave this message out before and never heard what became of it. */
  readonly redelivered: boolean;
  /** How often the broker has given it out, this time included; null where the broker does not count. */
  readonly deliveryCount: number | null;
  /**
   * Why no handler may have it: its body was kept elsewhere, and is gone for good. `message` is what the broker has in its place.
   * @default it is whole
   */
  readonly unreadable?: Error | undefined;
  /**
   * Makes `headers` the message's headers for good, before a handler runs: whoever gets the message after a crash
   * sees them. "resent" says that the broker could not do so in place: the message was sent again with those headers,
   * this delivery is settled, and whatever verdict is returned for it is ignored. Rejects with DELIVERY_LOST when the
   * message went to someone else meanwhile, or the broker gave no answer for as long as it was ours: the handler must not
   * run, and a handle that rejects in turn leaves the message to come again. Rejects with the broker's own error when it
   * refuses for good, which means the same.
   */
  charge(headers: readonly Header[]): Promise<"charged" | "resent">;
  /** Keeps the message for this consumer for another `ms`. False: it was lost to someone else meanwhile. */
  extend(ms: number): Promise<boolean>;
}

/**
 * What becomes of a delivery. `message` is what is sent onward; the transport sends it and acknowledges the delivery,
 * in one step where the broker can, otherwise in that order.
 */
export type Verdict =
  | { readonly kind: "done" }
  | { readonly kind: "retry"; readonly delayMs: number; readonly message: Message }
  | { readonly kind: "dead-letter" | "park"; readonly to: Address; readonly message: Message };

export const done: Verdict = { kind: "done" };

const encoder = new TextEncoder();

export interface MessageParts {
  readonly body?: Uint8Array | string;
  readonly headers?: readonly Header[] | Readonly<Record<string, string>>;
  readonly key?: Uint8Array | string | null;
  readonly properties?: readonly Header[];
}

/** Makes a message from what is at hand: text becomes UTF-8, a plain object becomes text headers. */
export function makeMessage({ body = "", headers = [], key = null, properties = [] }: MessageParts): Message {
  return { body: toBytes(body), headers: toHeaders(headers), key: key === null ? null : toBytes(key), properties };
}

function toBytes(value: Uint8Array | string): Uint8Array {
  return typeof value === "string" ? encoder.encode(value) : value;
}

function toHeaders(headers: readonly Header[] | Readonly<Record<string, string>>): readonly Header[] {
  if (isHeaderList(headers)) return headers;
  return Object.entries(headers).map(([name, value]) => textHeader(name, value));
}

/** `Array.isArray` alone does not tell a readonly array from the other half of the union. */
function isHeaderList(headers: readonly Header[] | Readonly<Record<string, string>>): headers is readonly Header[] {
  return Array.isArray(headers);
}

export function textHeader(name: string, value: string): Header {
  return { name, value: { type: "text", value } };
}

/** The text of the last header of that name (a later one wins), or undefined; bytes are read as UTF-8. */
export function headerText(headers: readonly Header[], name: string): string | undefined {
  for (let index = headers.length - 1; index >= 0; index--) {
    const header = headers[index];
    if (header?.name === name) return valueText(header.value);
  }
  return undefined;
}

/** Headers without those of the names that `replacements` has, then `replacements`: replaced, never appended to. */
export function replaceHeaders(headers: readonly Header[], replacements: readonly Header[]): readonly Header[] {
  const replaced = new Set(replacements.map((header) => header.name));
  return [...headers.filter((header) => !replaced.has(header.name)), ...replacements];
}

function valueText(value: HeaderValue): string | undefined {
  switch (value.type) {
    case "text":
      return value.value;
    case "bytes":
      return new TextDecoder().decode(value.value);
    case "integer":
    case "double":
    case "boolean":
    case "timestamp":
      return String(value.value);
    default:
      return undefined;
  }
}
