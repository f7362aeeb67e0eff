import type { Facts } from "./dialect.ts";
import { member, textOf } from "./json.ts";
import { hasPrefix, type LetterView, lastText, propertyText } from "./letter-view.ts";

/** Who a message is, from what is not about its failure: a CloudEvent's attributes, the broker's properties, common headers. */
export function readIdentity(view: LetterView): Facts {
  const prefix = ["ce_", "ce-", "cloudEvents_", "cloudEvents:"].find((candidate) => hasPrefix(view, candidate));
  const event = (name: string) => (prefix === undefined ? structured(view, name) : lastText(view, prefix + name));
  const any = (...names: readonly string[]) => names.map((name) => lastText(view, name)).find(isText);
  const property = (name: string) => propertyText(view, name) || undefined;
  return {
    contentType: property("content-type") ?? any("content-type", "Content-Type"),
    messageId: event("id") ?? property("message-id") ?? any("message-id", "messageId", "nats-msg-id"),
    idempotencyKey: any("idempotency-key", "Idempotency-Key", "dlo-key"),
    correlationId: event("correlation") ?? property("correlation-id") ?? any("correlation-id", "correlationId"),
    orderingKey: event("partitionkey") ?? any("dlo-order"),
    tenant: any("tenant", "tenant-id", "tenantId", "x-tenant-id"),
    schema: event("type") ?? any("dlo-schema", "__TypeId__") ?? property("type"),
  };
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

/** An event that is JSON as a whole. */
function structured(view: LetterView, name: string): string | undefined {
  const type = propertyText(view, "content-type") ?? lastText(view, "content-type") ?? "";
  if (!type.startsWith("application/cloudevents") && member(view.json(), "specversion") === undefined) return undefined;
  return textOf(member(view.json(), name));
}
