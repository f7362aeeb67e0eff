import { createHash } from "node:crypto";
import { type Delivery, type Header, headerText, type Message, replaceHeaders, textHeader } from "../domain/message.ts";
import { isAdopted } from "../domain/send-id.ts";
import { wire } from "../domain/wire.ts";
import { readAttemptLog, writeAttemptLog } from "./attempt-log.ts";

/** The number that a message carries in the lane of its key; that of another queue is a stranger's. */
export function laneNumber(headers: readonly Header[], queue: string): number | null {
  if (headers.length === 0 || headerText(headers, wire.queue) !== queue) return null;
  const number = Number(headerText(headers, wire.lane) ?? "");
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}

/**
 * It was dead, and was put back: by hand as it was, or by a replay, which leaves no attempt behind. Tried again since, it is a
 * message like any other.
 */
export function isRevived(headers: readonly Header[], queue: string): boolean {
  if (headerText(headers, wire.queue) !== queue) return false;
  if (headerText(headers, wire.reason) !== undefined) return true;
  return headerText(headers, wire.replay) !== undefined && headerText(headers, wire.attempt) === undefined;
}

export function withLaneNumber(message: Message, queue: string, number: number): Message {
  const isOurs = headerText(message.headers, wire.queue) === queue;
  // Bound to our queue, a stranger's log would be taken for ours: an empty one takes its place.
  const headers = isOurs
    ? message.headers
    : writeAttemptLog(message.headers, queue, readAttemptLog(message.headers, queue));
  return { ...message, headers: replaceHeaders(headers, [textHeader(wire.lane, String(number))]) };
}

export function withoutLaneNumber(message: Message): Message {
  if (headerText(message.headers, wire.lane) === undefined) return message;
  return { ...message, headers: message.headers.filter(({ name }) => name !== wire.lane) };
}

/**
 * Tells a message from others of its key, each time it is delivered: by where the broker keeps it, or else by all of it
 * that is not ours. Brokers may change the order of headers.
 */
export function markOf({ message, position }: Pick<Delivery, "message" | "position">): Uint8Array {
  if (position !== null) return new TextEncoder().encode(position);
  const { body, headers, properties } = message;
  const theirs = headers.filter(({ name }) => !name.startsWith("dlo-"));
  return createHash("sha256").update(textOf(theirs)).update("\n").update(textOf(properties)).update(body).digest();
}

/**
 * What a message has each time it is delivered, and no other has, be it equal: where its broker keeps it, or the id it was sent with.
 * A topic that was made anew begins at 0 again, so its bytes count too, and which replay sent it. Null where nothing tells it from its
 * equals: somebody else sent it to a broker without positions.
 */
export function copyOf({
  message,
  position,
  sendId = null,
}: Pick<Delivery, "message" | "position" | "sendId">): Uint8Array | null {
  if (position === null && (sendId === null || isAdopted(sendId))) return null;
  const replay = headerText(message.headers, wire.replay);
  const which = [
    ...(position === null ? ["sent", sendId] : ["at", position]),
    ...(replay === undefined ? [] : [replay]),
  ];
  return createHash("sha256").update(JSON.stringify(which)).update("\n").update(message.body).digest();
}

function textOf(headers: readonly Header[]): string {
  if (headers.length === 0) return "";
  const sorted = headers.toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)));
  return JSON.stringify(sorted, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value));
}
