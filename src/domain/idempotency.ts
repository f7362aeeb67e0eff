import { headerText, type Message } from "./message.ts";
import { wire } from "./wire.ts";

/** Where idempotency keys are looked for, in this order; the first that is there and not empty wins. */
export function carriedKey({ headers, properties }: Message): string | undefined {
  return (
    headerText(headers, wire.key) ||
    headerText(headers, "idempotency-key") ||
    headerText(properties, "message-id") ||
    undefined
  );
}
