import type { Dialect, Facts } from "../dialect.ts";
import { failedToConvert, javaError } from "../error-texts.ts";
import { firstText, firstValue, has, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { binaryInt, toPartition } from "../numbers.ts";
import { headerTime } from "../times.ts";

/** The Kafka binder of Spring Cloud Stream. Its class is always a wrapper's; headers are appended at each round. */
export const springCloudStreamKafka: Dialect = { id: "spring-cloud-stream-kafka", read };

function read(view: LetterView): Facts | null {
  const partition = binaryInt(firstValue(view, "x-original-partition"), 4);
  if (view.letter.broker !== "kafka" || partition === undefined || !has(view, "x-exception-fqcn")) return null;
  const topic = firstText(view, "x-original-topic");
  if (topic === undefined) return null;
  const stack = lastText(view, "x-exception-stacktrace");
  return {
    source: topic,
    partition: toPartition(partition),
    offset: binaryInt(firstValue(view, "x-original-offset"), 8),
    errorMessage: lastText(view, "x-exception-message"),
    ...javaError(stack),
    stack,
    attempts: attemptsIn(stack),
    enqueuedAt: headerTime(firstValue(view, "x-original-timestamp")),
    lastFailedAt: view.letter.timestamp,
    destination: topic,
    strip: namesLike(view, /^x-(original-(topic|partition|offset|timestamp|timestamp-type)|exception-.*)$/),
  };
}

/** The message that failed is printed with its headers, the attempt among them, where there was more than one. */
function attemptsIn(stack: string | undefined): number | undefined {
  const found = /\bdeliveryAttempt=(\d{1,6})\b/.exec(stack ?? "");
  return found === null || failedToConvert(stack) ? undefined : Number(found[1]);
}
