import type { Dialect, Facts } from "../dialect.ts";
import { causeClass, type ErrorText, failedToDeserialize, javaError, listenerError } from "../error-texts.ts";
import { firstText, firstValue, has, type LetterView, lastText, lastValue, namesLike } from "../letter-view.ts";
import { binaryInt, numberIn, toPartition } from "../numbers.ts";
import { headerTime } from "../times.ts";

/**
 * Spring Kafka's DeadLetterPublishingRecoverer. The origin is appended at each hop: the first is where it failed first.
 * Letters written by hand use the same names, with numbers as text.
 */
export const springKafkaDlt: Dialect = { id: "spring-kafka-dlt", read };

/** What Spring would take for its own work, or what grows at each round. */
export function springStrip(view: LetterView): readonly string[] {
  return namesLike(
    view,
    /^(kafka_dlt-|kafka_original-|kafka_exception-|kafka_key-exception-|retry_topic-|kafka_deliveryAttempt$|springDeserializerException)/,
  );
}

const partitionName = "kafka_dlt-original-partition";

function read(view: LetterView): Facts | null {
  if (!has(view, "kafka_dlt-original-topic") && !has(view, "kafka_dlt-exception-fqcn")) return null;
  const topic = firstText(view, "kafka_dlt-original-topic");
  const attempts = binaryInt(lastValue(view, "kafka_deliveryAttempt"), 4);
  const { stack, ...error } = failure(view);
  return {
    source: topic,
    partition: toPartition(numberAt(view, partitionName, 4)),
    offset: numberAt(view, "kafka_dlt-original-offset", 8),
    ...error,
    stack,
    attempts: failedToDeserialize(stack) ? 0 : attempts === undefined ? undefined : Number(attempts),
    enqueuedAt: headerTime(firstValue(view, "kafka_dlt-original-timestamp")),
    lastFailedAt: view.letter.timestamp,
    consumer: lastText(view, "kafka_dlt-original-consumer-group"),
    destination: topic,
    strip: springStrip(view),
  };
}

/** Of the value's failure, or of the key's where only the key could not be read. */
function failure(view: LetterView): ErrorText & { readonly stack: string | undefined } {
  const prefix = has(view, "kafka_dlt-exception-fqcn") ? "kafka_dlt-exception" : "kafka_dlt-key-exception";
  const stack = lastText(view, `${prefix}-stacktrace`);
  return {
    ...listenerError(lastText(view, `${prefix}-fqcn`), lastText(view, `${prefix}-message`)),
    ...causeClass(lastText(view, "kafka_dlt-exception-cause-fqcn")),
    ...(isByHand(view) ? {} : javaError(stack)),
    stack,
  };
}

/** Spring writes partitions as bytes. With text, class and message are what the thrower calls them, in any language. */
function isByHand(view: LetterView): boolean {
  return has(view, partitionName) && binaryInt(firstValue(view, partitionName), 4) === undefined;
}

/** A number as Spring writes it, or as text. */
export function numberAt(view: LetterView, name: string, length: 4 | 8): bigint | undefined {
  return numberIn(firstValue(view, name), length, firstText(view, name));
}
