import {
  type Header,
  type HeaderValue,
  headerText,
  type Message,
  replaceHeaders,
  textHeader,
} from "../domain/message.ts";
import { type DeadLetterReason, wire, wireCaps } from "../domain/wire.ts";
import type { FailureFacts } from "../policies/failure.ts";
import { type AttemptLog, cut, historyText, utf8Length, writeAttemptLog } from "./attempt-log.ts";

/** Why a message is dead, and what is known of it. */
export interface Death {
  readonly reason: DeadLetterReason;
  readonly category: string;
  readonly past: AttemptLog;
  /** ISO 8601. */
  readonly at: string;
  readonly facts: FailureFacts | null;
}

/** Who says so, and what it calls the message. */
export interface Coroner {
  readonly queue: string;
  /** Service, handler, version, instance, host and process, as `dlo-consumer` has them. */
  readonly consumer: string;
  readonly idempotencyKey: string | undefined;
  /** Name and version of its schema, where it does not say so itself. */
  readonly schema: string | null;
  /** Which failure it is, where that can be told. */
  readonly failureId: string | null;
}

/** Together with the message's own, headers stay under this: amqplib's field table ends at 64 KiB, others earlier. */
const headersBytes = 60_000;

/** The message as it goes to the dead-letter queue: its own bytes and headers, and in ours all that is known. */
export function deadLetter(message: Message, death: Death, coroner: Coroner): Message {
  const headers = [
    ...writeAttemptLog(message.headers, coroner.queue, death.past),
    textHeader(wire.reason, death.reason),
    textHeader(wire.category, death.category),
    textHeader(wire.consumer, cut(coroner.consumer, wireCaps.consumer)),
    ...keyHeader(message, coroner.idempotencyKey),
    ...schemaHeader(message, coroner.schema),
    ...(coroner.failureId === null ? [] : [textHeader(wire.failure, coroner.failureId)]),
  ];
  const dated = replaceHeaders(headers, [
    textHeader(wire.firstFailedAt, death.past.firstFailedAt ?? death.at),
    textHeader(wire.failedAt, death.at),
  ]);
  return { ...message, headers: withError(dated, death) };
}

function keyHeader(message: Message, key: string | undefined): Header[] {
  if (key === undefined || headerText(message.headers, wire.key) !== undefined) return [];
  return [textHeader(wire.key, key)];
}

function schemaHeader(message: Message, schema: string | null): Header[] {
  if (schema === null || headerText(message.headers, wire.schema) !== undefined) return [];
  return [textHeader(wire.schema, cut(schema, wireCaps.schema))];
}

/** Adds the error as large as it may be, and lets the history go, before foreign headers and ours are too large together. */
function withError(headers: readonly Header[], { facts, past }: Death): readonly Header[] {
  const room = headersBytes - headersLength(headers);
  if (facts === null) return headers;
  if (room > wireCaps.error) return [...headers, textHeader(wire.error, errorText(facts, wireCaps.error))];
  const history = historyText(past.history, Math.max(2, Math.min(wireCaps.history, room / 4)));
  const shrunk = replaceHeaders(headers, [textHeader(wire.history, history)]);
  const left = Math.max(0, headersBytes - headersLength(shrunk));
  return [...shrunk, textHeader(wire.error, errorText(facts, Math.min(wireCaps.error, left)))];
}

/** JSON of at most `maxBytes`: the stack is cut first, then the message. */
export function errorText(facts: FailureFacts, maxBytes: number): string {
  const { errorClass, message, code, status, stack } = facts;
  for (const [stackBytes, messageBytes] of errorSizes(maxBytes)) {
    const text = JSON.stringify({
      class: cut(errorClass, 256),
      message: cut(message, messageBytes),
      code,
      status,
      stack: stack === null ? null : cut(stack, stackBytes),
    });
    if (utf8Length(text) <= maxBytes) return text;
  }
  return "{}";
}

/** Sizes of stack and message to try, largest first. JSON's escapes can make text six times as long. */
function errorSizes(maxBytes: number): [number, number][] {
  const stacks = [wireCaps.stack, maxBytes / 2, maxBytes / 6, maxBytes / 12, 0];
  return stacks.map((stackBytes) => [Math.min(wireCaps.stack, stackBytes), Math.min(3_000, stackBytes / 2 + 64)]);
}

function headersLength(headers: readonly Header[]): number {
  return headers.reduce((sum, header) => sum + utf8Length(header.name) + valueLength(header.value) + 8, 0);
}

function valueLength(value: HeaderValue): number {
  switch (value.type) {
    case "text":
      return utf8Length(value.value);
    case "bytes":
      return value.value.length;
    case "list":
      return value.value.reduce((sum, item) => sum + valueLength(item) + 8, 0);
    case "table":
      return headersLength(value.value);
    default:
      return 8;
  }
}
