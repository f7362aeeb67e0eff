import type { ConsumerEvent } from "../runtime/events.ts";
import { orderOf } from "./order.ts";

/** What happened, for a program: plain data that JSON can hold. */
export type StoryRecord = { readonly type: string; readonly atMs: number } & Readonly<Record<string, unknown>>;

/** The event of that type. */
export type EventOf<Type extends ConsumerEvent["type"]> = Extract<ConsumerEvent, { type: Type }>;

/** An event with the order's number in place of its message. */
export function recordOf(event: ConsumerEvent, atMs: number): StoryRecord {
  const { at: _at, queue: _queue, handler: _handler, type, ...rest } = event;
  if (!("message" in rest)) return { type, atMs, ...rest };
  const { message, ...facts } = rest;
  // An error object has no JSON of its own; its class and message are among the facts.
  return { type, atMs, order: orderOf(message), ...facts, error: undefined };
}
