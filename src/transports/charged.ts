import { headerText, type Message } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";

/** Whether an attempt was charged to it that nobody has told the result of: it has been sent again, and is to run next. */
export function isCharged({ headers }: Message): boolean {
  if (headers.length === 0) return false;
  const history = headerText(headers, wire.history);
  // Of the last record in the list; it holds no others.
  return history !== undefined && history.lastIndexOf('"started":true') > history.lastIndexOf("{");
}
