import { headerText, type Message } from "./message.ts";
import { wire } from "./wire.ts";

/**
 * Where idempotency keys are looked for, in this order; the first that is there and not empty wins.
 *
 * Services copy headers onto what they send: `dlo-key` beside the `dlo-queue` of another queue is another message's key,
 * and to believe it would take three follow-ups for one and the same.
 */
export function carriedKey({ headers, properties }: Message, queue?: string): string | undefined {
  const bound = headers.length === 0 ? undefined : headerText(headers, wire.queue);
  const ours = bound === undefined || queue === undefined || bound === queue;
  return (
    (ours ? headerText(headers, wire.key) : undefined) ||
    headerText(headers, "idempotency-key") ||
    headerText(properties, "message-id") ||
    undefined
  );
}
