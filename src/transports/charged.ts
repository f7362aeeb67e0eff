import { headerText, type Message } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";

/**
 * Whether an attempt was charged to it in this queue that nobody has told the result of: it has been sent again, and is to run next.
 * Services copy headers onto what they send: what was charged in another queue is nothing to this one.
 */
export function isCharged({ headers }: Message, queue: string): boolean {
  if (headers.length === 0 || headerText(headers, wire.queue) !== queue) return false;
  const history = headerText(headers, wire.history);
  // Of the last record in the list; it holds no others.
  return history !== undefined && history.lastIndexOf('"started":true') > history.lastIndexOf("{");
}
