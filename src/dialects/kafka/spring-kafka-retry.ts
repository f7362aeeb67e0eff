import { type AttemptFacts, attemptLog } from "../attempt-log.ts";
import type { Dialect, Facts } from "../dialect.ts";
import { causeClass, failedToDeserialize, javaError, listenerError } from "../error-texts.ts";
import { firstText, firstValue, has, type LetterView, lastText, lastValue } from "../letter-view.ts";
import { minimalInt, toPartition } from "../numbers.ts";
import { headerTime, plausible } from "../times.ts";
import { numberAt, springStrip } from "./spring-kafka-dlt.ts";

/** Spring Kafka's retry topics. Of the origin only the first is kept; the three `retry_topic-*` are appended at each hop. */
export const springKafkaRetry: Dialect = { id: "spring-kafka-retry", read };

function read(view: LetterView): Facts | null {
  const byOrigin = has(view, "kafka_original-topic") && has(view, "kafka_exception-fqcn");
  if (!has(view, "retry_topic-attempts") && !byOrigin) return null;
  const topic = firstText(view, "kafka_original-topic");
  const stack = lastText(view, "kafka_exception-stacktrace");
  const neverRan = failedToDeserialize(stack);
  const backoff = minimalInt(lastValue(view, "retry_topic-backoff-timestamp"));
  return {
    source: topic,
    partition: toPartition(numberAt(view, "kafka_original-partition", 4)),
    offset: numberAt(view, "kafka_original-offset", 8),
    ...listenerError(lastText(view, "kafka_exception-fqcn"), lastText(view, "kafka_exception-message")),
    ...causeClass(lastText(view, "kafka_exception-cause-fqcn")),
    ...javaError(stack),
    stack,
    attempts: neverRan ? 0 : attemptsMade(view),
    attemptLog: neverRan ? undefined : attemptLog(attemptsIn(view)),
    enqueuedAt: headerTime(firstValue(view, "retry_topic-original-timestamp")),
    // It was not put off then, so the time of the next run tells nothing.
    lastFailedAt: neverRan || backoff === undefined ? view.letter.timestamp : plausible(Number(backoff)),
    consumer: lastText(view, "kafka_dlt-original-consumer-group"),
    destination: topic,
    strip: springStrip(view),
  };
}

/** It names the attempt that would come next. */
function attemptsMade(view: LetterView): number | undefined {
  const next = minimalInt(lastValue(view, "retry_topic-attempts"));
  return next !== undefined && next > 0n ? Number(next) - 1 : undefined;
}

/** Each hop says which attempt comes next and when it is due. The last goes to the dead letters, at once. */
function attemptsIn({ headers }: LetterView): readonly AttemptFacts[] {
  const hops = headers.get("retry_topic-attempts") ?? [];
  const dues = headers.get("retry_topic-backoff-timestamp") ?? [];
  if (hops.length < 2 || hops.length !== dues.length) return [];
  return hops.map((hop, index) => {
    const due = minimalInt(dues[index === hops.length - 1 ? index : index - 1]);
    const isKnown = due !== undefined && index > 0;
    return { n: Number(minimalInt(hop) ?? 1n) - 1, at: isKnown ? plausible(Number(due)) : undefined };
  });
}
