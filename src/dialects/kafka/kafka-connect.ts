import type { Dialect, Facts } from "../dialect.ts";
import { firstText, hasPrefix, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { firstDecimal, toPartition } from "../numbers.ts";

/** Sinks of Kafka Connect, where context headers are on. The record's timestamp is the original's. */
export const kafkaConnect: Dialect = { id: "kafka-connect", read };

function read(view: LetterView): Facts | null {
  if (!hasPrefix(view, "__connect.errors.")) return null;
  const topic = firstText(view, "__connect.errors.topic");
  return {
    source: topic,
    partition: toPartition(firstDecimal(view, "__connect.errors.partition")),
    offset: firstDecimal(view, "__connect.errors.offset"),
    errorClass: lastText(view, "__connect.errors.exception.class.name"),
    errorMessage: lastText(view, "__connect.errors.exception.message"),
    stack: lastText(view, "__connect.errors.exception.stacktrace"),
    enqueuedAt: view.letter.timestamp,
    consumer: lastText(view, "__connect.errors.connector.name"),
    handler: lastText(view, "__connect.errors.class.name"),
    destination: topic,
    strip: namesLike(view, /^__connect\.errors\./),
  };
}
