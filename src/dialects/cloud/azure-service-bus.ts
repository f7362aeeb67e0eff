import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { has, type LetterView, lastText, namesLike, propertyText } from "../letter-view.ts";

/** Azure Service Bus: a reason and a description, the broker's or the consumer's own words. */
export const azureServiceBus: Dialect = { id: "azure-service-bus", read };

const deadLetterPath = /^(.*?)(?:\/Subscriptions\/([^/]+))?\/\$(?:deadletterqueue|transfer\/\$deadletterqueue)$/i;

function read(view: LetterView): Facts | null {
  const path = deadLetterPath.exec(view.letter.queue ?? "");
  if (path === null && (view.letter.broker !== "servicebus" || !has(view, "DeadLetterReason"))) return null;
  const entity = path?.[1] ?? propertyText(view, "x-opt-deadletter-source") ?? propertyText(view, "deadLetterSource");
  return {
    source: propertyText(view, "x-opt-deadletter-source") ?? propertyText(view, "deadLetterSource") ?? entity,
    errorClass: ownReason(lastText(view, "DeadLetterReason")),
    errorMessage: lastText(view, "DeadLetterErrorDescription"),
    attempts: countOf(propertyText(view, "deliveryCount")),
    enqueuedAt: view.letter.timestamp,
    contentType: propertyText(view, "contentType"),
    messageId: propertyText(view, "messageId"),
    correlationId: propertyText(view, "correlationId"),
    orderingKey: propertyText(view, "sessionId") ?? propertyText(view, "x-opt-partition-key"),
    consumer: path?.[2],
    destination: entity,
    strip: namesLike(view, /^DeadLetter(Reason|ErrorDescription)$/),
  };
}

/** By convention a consumer gives the class; what the broker says of itself is none. */
function ownReason(reason: string | undefined): string | undefined {
  return reason !== undefined && /^[\w.$+]*(Exception|Error|Fault)$/.test(reason) && reason !== "TTLExpiredException"
    ? reason
    : undefined;
}
