import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { type LetterView, propertyText } from "../letter-view.ts";
import { anyTime } from "../times.ts";
import { arnName } from "./arn.ts";

/**
 * SQS moved it, after so many receives. The count goes on in the dead-letter queue, so this receive is not an attempt;
 * neither were earlier looks at it, which nobody can tell apart.
 */
export const sqsNative: Dialect = { id: "sqs-native", read };

function read(view: LetterView): Facts | null {
  const queue = arnName(propertyText(view, "DeadLetterQueueSourceArn"));
  if (queue === undefined) return null;
  const receives = countOf(propertyText(view, "ApproximateReceiveCount"));
  return {
    source: queue,
    attempts: receives === undefined || receives === 0 ? undefined : receives - 1,
    // The move into a dead-letter queue keeps the time of sending, except where the queue keeps order.
    enqueuedAt: propertyText(view, "MessageGroupId") === undefined ? view.letter.timestamp : undefined,
    firstFailedAt: anyTime(propertyText(view, "ApproximateFirstReceiveTimestamp")),
    messageId: propertyText(view, "MessageId"),
    orderingKey: propertyText(view, "MessageGroupId"),
    destination: queue,
  };
}
