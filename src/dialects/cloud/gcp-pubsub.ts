import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { type LetterView, lastText, namesLike, propertyText } from "../letter-view.ts";

/** Google Cloud Pub/Sub. The subscription is named, its topic is not: only the API can say. */
export const gcpPubsub: Dialect = { id: "gcp-pubsub", read };

const prefix = "CloudPubSubDeadLetterSource";

function read(view: LetterView): Facts | null {
  const subscription = lastText(view, `${prefix}Subscription`);
  if (subscription === undefined) return null;
  return {
    source: subscription,
    errorMessage: lastText(view, `${prefix}DeliveryErrorMessage`),
    attempts: countOf(lastText(view, `${prefix}DeliveryCount`)),
    lastFailedAt: view.letter.timestamp,
    messageId: propertyText(view, "messageId"),
    orderingKey: propertyText(view, "orderingKey"),
    consumer: subscription,
    strip: namesLike(view, /^CloudPubSubDeadLetterSource/),
  };
}
