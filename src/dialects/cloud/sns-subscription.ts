import type { Dialect, Facts } from "../dialect.ts";
import { member, textOf } from "../json.ts";
import { type LetterView, propertyText } from "../letter-view.ts";
import { arnName } from "./arn.ts";

/** What SNS could not deliver: the notification as its endpoint would have got it. SNS adds no error and no count. */
export const snsSubscription: Dialect = { id: "sns-subscription", read };

const encoder = new TextEncoder();

function read(view: LetterView): Facts | null {
  if (view.letter.broker !== "sqs" || propertyText(view, "DeadLetterQueueSourceArn") !== undefined) return null;
  const body = view.json();
  const topic = arnName(textOf(member(body, "TopicArn")));
  if (member(body, "Type") !== "Notification" || topic === undefined) return null;
  const message = textOf(member(body, "Message"));
  return {
    source: topic,
    lastFailedAt: view.letter.timestamp,
    payload: message === undefined ? undefined : encoder.encode(message),
    messageId: textOf(member(body, "MessageId")),
    destination: topic,
  };
}
