import type { Facts } from "./dialect.ts";
import { member, textOf } from "./json.ts";
import { hasPrefix, type LetterView, lastText, lastValue, propertyText } from "./letter-view.ts";
import { anyTime, headerTime, isoTime } from "./times.ts";

/** Where senders say whose message it is; the first that is there holds. */
export const tenantHeaders = ["tenant", "tenant-id", "tenantId", "x-tenant-id"] as const;

/** Who a message is, from what is not about its failure: a CloudEvent's attributes, the broker's properties, common headers. */
export function readIdentity(view: LetterView): Facts {
  const event = eventIn(view);
  const header = (name: string) => lastText(view, name);
  const property = (name: string) => propertyText(view, name) || undefined;
  return {
    contentType: property("content-type") ?? header("content-type") ?? header("Content-Type"),
    messageId:
      event?.("id") ?? property("message-id") ?? header("message-id") ?? header("messageId") ?? header("nats-msg-id"),
    idempotencyKey: header("idempotency-key") ?? header("Idempotency-Key") ?? header("dlo-key"),
    correlationId:
      event?.("correlation") ?? property("correlation-id") ?? header("correlation-id") ?? header("correlationId"),
    orderingKey: event?.("partitionkey") ?? header("dlo-order"),
    tenant: firstOf(tenantHeaders, header),
    enqueuedAt: isoTime(event?.("time")) ?? headerTime(view.properties.get("timestamp")),
    expiresAt: isoTime(event?.("expirytime")) ?? expiryIn(view),
    schema: event?.("type") ?? header("dlo-schema") ?? header("__TypeId__") ?? property("type"),
  };
}

function firstOf(names: readonly string[], read: (name: string) => string | undefined): string | undefined {
  for (const name of names) {
    const found = read(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The time that a header names. How long a broker keeps a message in a queue (AMQP's `expiration`, a queue's time to live) is not it: retries
 * wait by such limits, and the message is worth as much afterwards.
 */
function expiryIn(view: LetterView): number | undefined {
  const header = (name: string) => anyTime(lastText(view, name)) ?? headerTime(lastValue(view, name));
  return header("expires-at") ?? header("expiresAt") ?? header("x-expires-at");
}

const eventPrefixes = ["ce_", "ce-", "cloudEvents_", "cloudEvents:"];

/** How to read an attribute of the event that the message is, by its headers or as a whole; null where it is none. */
function eventIn(view: LetterView): ((name: string) => string | undefined) | null {
  const prefix = eventPrefixes.find((candidate) => hasPrefix(view, candidate));
  if (prefix !== undefined) return (name) => lastText(view, prefix + name);
  const type = propertyText(view, "content-type") ?? lastText(view, "content-type") ?? "";
  const isEvent = type.startsWith("application/cloudevents") || member(view.json(), "specversion") !== undefined;
  return isEvent ? (name) => textOf(member(view.json(), name)) : null;
}
