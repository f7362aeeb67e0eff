import type { Message } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";

/** What a message that is too large with it goes on without: a dead letter without its stack is better than none. */
const dispensable: readonly string[] = [wire.error, wire.history];

/** Without what it can go without; null where it has none of that. How often it was tried is kept: its retries come to an end. */
export function lightened(message: Message): Message | null {
  const headers = message.headers.filter(({ name }) => !dispensable.includes(name));
  return headers.length === message.headers.length ? null : { ...message, headers };
}
