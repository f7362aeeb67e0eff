import { type Header, headerText } from "./message.ts";
import { wire } from "./wire.ts";

/** The number that a message carries in the sequence of its key. Numbers of another queue belong to strangers: null. */
export function sequenceNumber(headers: readonly Header[], queue: string): number | null {
  if (headers.length === 0 || headerText(headers, wire.queue) !== queue) return null;
  const number = Number(headerText(headers, wire.lane) ?? "");
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
