import { headerText, type Message, makeMessage, textHeader } from "../domain/message.ts";
import type { StandardSchema } from "../runtime/decode.ts";

/** What checkout sends: the payload of every message of the demonstration. */
export interface Order {
  /** What people call it by. */
  readonly order: number;
  readonly cents: number;
  readonly parcels: number;
  readonly card: "valid" | "expired";
}

/** A schema by hand, as any library that keeps to Standard Schema would make it. */
export const orderSchema: StandardSchema<Order> = {
  "~standard": {
    version: 1,
    vendor: "dead-letter-office",
    validate(value) {
      const issues = ["order", "cents", "parcels"]
        .filter((field) => typeof fieldOf(value, field) !== "number")
        .map((field) => ({ message: "must be a number", path: [field] }));
      return issues.length > 0 ? { issues } : { value: value as Order };
    },
  },
};

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined;
}

const keyHeader = "idempotency-key";
const idProperty = "message-id";

/** The same order sent twice has one idempotency key; each sending has an id of its own. */
export function orderMessage(order: number, payload: Partial<Order>, id: string): Message {
  return makeMessage({
    body: JSON.stringify(payload),
    headers: { [keyHeader]: String(order) },
    properties: [textHeader(idProperty, id)],
  });
}

/** Read off the key, since a body may be anything. */
export function orderOf({ headers }: Message): number {
  return Number(headerText(headers, keyHeader));
}

export function sendingOf({ properties }: Message): string {
  return headerText(properties, idProperty) ?? "";
}
