import type { Dialect, Facts } from "../dialect.ts";
import { firstText, hasPrefix, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { firstDecimal, toPartition } from "../numbers.ts";

/** Kafka Streams (KIP-1034). The record's timestamp is the original's, so there is no time of failure. */
export const kafkaStreams: Dialect = { id: "kafka-streams", read };

function read(view: LetterView): Facts | null {
  if (!hasPrefix(view, "__streams.errors.")) return null;
  const topic = firstText(view, "__streams.errors.topic");
  return {
    source: topic,
    partition: toPartition(firstDecimal(view, "__streams.errors.partition")),
    offset: firstDecimal(view, "__streams.errors.offset"),
    errorClass: lastText(view, "__streams.errors.exception"),
    errorMessage: lastText(view, "__streams.errors.message"),
    stack: lastText(view, "__streams.errors.stacktrace"),
    enqueuedAt: view.letter.timestamp,
    destination: topic,
    strip: namesLike(view, /^__streams\.errors\./),
  };
}
