import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { hasPrefix, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { decimalAt, toPartition } from "../numbers.ts";

/**
 * Kafka's own dead letters of share groups (KIP-1191). The broker writes them, by default with no key and no value: a
 * pointer to the record in its topic.
 */
export const kafkaShareGroup: Dialect = { id: "kafka-share-group", read };

function read(view: LetterView): Facts | null {
  if (!hasPrefix(view, "__dlq.errors.")) return null;
  const topic = lastText(view, "__dlq.errors.topic");
  return {
    source: topic,
    partition: toPartition(decimalAt(view, "__dlq.errors.partition")),
    offset: decimalAt(view, "__dlq.errors.offset"),
    errorMessage: lastText(view, "__dlq.errors.message"),
    attempts: countOf(lastText(view, "__dlq.errors.delivery.count")),
    lastFailedAt: view.letter.timestamp,
    consumer: lastText(view, "__dlq.errors.group"),
    destination: topic,
    strip: namesLike(view, /^__dlq\.errors\./),
  };
}
