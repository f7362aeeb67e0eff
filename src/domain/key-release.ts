import { type Address, type Header, headerText, type Message, makeMessage } from "./message.ts";
import { queueNames, wire } from "./wire.ts";

/** A dead message that blocks its key: by the consumer's name of the queue (`orders`, or `orders.billing` on a log). */
export interface DeadPlace {
  readonly queue: string;
  readonly key: Uint8Array;
  /** `dlo-lane` of its dead letter. */
  readonly number: number;
}

/**
 * Asks the consumers of a queue to let a key go on behind a dead message, where their store of blocked keys can't be reached. It
 * goes to the parked messages, which these consumers alone read. None hands it to a handler; one that doesn't know it leaves it
 * there. A repeated one changes nothing.
 */
export function releaseMessage({ queue, key, number }: DeadPlace): { readonly to: Address; readonly message: Message } {
  const headers = { [wire.queue]: queue, [wire.release]: String(number) };
  const body = `Release of number ${number}, which blocks a key of ${queue}`;
  return { to: { name: queueNames.parked(queue) }, message: makeMessage({ body, key, headers }) };
}

/** The number that a message asks to release in this queue; null: it asks for nothing of the kind. */
export function numberToRelease(headers: readonly Header[], queue: string): number | null {
  if (headerText(headers, wire.queue) !== queue) return null;
  const number = Number(headerText(headers, wire.release) ?? "");
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
