import type { Dialect, Facts } from "../dialect.ts";
import { javaError } from "../error-texts.ts";
import { firstText, firstValue, has, type LetterView, lastText, lastValue } from "../letter-view.ts";
import { plausible } from "../times.ts";
import { springStrip } from "./spring-kafka-dlt.ts";
import { minimalInt, numberIn, toPartition } from "./spring-numbers.ts";

/** Spring Kafka's retry topics. Of the origin only the first is kept; the three `retry_topic-*` are appended at each hop. */
export const springKafkaRetry: Dialect = { id: "spring-kafka-retry", read };

function read(view: LetterView): Facts | null {
  const byOrigin = has(view, "kafka_original-topic") && has(view, "kafka_exception-fqcn");
  if (!has(view, "retry_topic-attempts") && !byOrigin) return null;
  const topic = firstText(view, "kafka_original-topic");
  const stack = lastText(view, "kafka_exception-stacktrace");
  const backoff = minimalInt(lastValue(view, "retry_topic-backoff-timestamp"));
  return {
    source: topic,
    partition: toPartition(numberAt(view, "kafka_original-partition", 4)),
    offset: numberAt(view, "kafka_original-offset", 8),
    errorClass: lastText(view, "kafka_exception-cause-fqcn") ?? lastText(view, "kafka_exception-fqcn"),
    errorMessage: lastText(view, "kafka_exception-message"),
    ...javaError(stack),
    stack,
    attempts: attemptsMade(view),
    lastFailedAt: backoff === undefined ? undefined : plausible(Number(backoff)),
    consumer: lastText(view, "kafka_dlt-original-consumer-group"),
    destination: topic,
    strip: springStrip(view),
  };
}

function numberAt(view: LetterView, name: string, length: 4 | 8): bigint | undefined {
  return numberIn(firstValue(view, name), length, firstText(view, name));
}

/** It names the attempt that would come next. */
function attemptsMade(view: LetterView): number | undefined {
  const next = minimalInt(lastValue(view, "retry_topic-attempts"));
  return next !== undefined && next > 0n ? Number(next) - 1 : undefined;
}
