import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { has, hasPrefix, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { decimalAt, toPartition } from "../numbers.ts";
import { anyTime, ticksTime } from "../times.ts";
import { lastSegment } from "./masstransit.ts";

/** Wolverine, where it stamps letters; with RabbitMQ's own dead-lettering there are only the broker's marks. */
export const wolverine: Dialect = { id: "wolverine", read };

const strip =
  /^(exception-(type|message|stack)|failed-at|original-(destination|partition|offset)|x-dlq-original-subject|wolverine-kafka-retry-.*|attempts)$/i;

function read(view: LetterView): Facts | null {
  const failedAt = lastText(view, "failed-at");
  const isStamped = has(view, "exception-type") && /^\d+$/.test(failedAt ?? "");
  const isRetry = hasPrefix(view, "wolverine-kafka-retry-");
  if (!isStamped && !isRetry && !has(view, "x-dlq-original-subject")) return null;
  const source =
    lastText(view, "wolverine-kafka-retry-source") ??
    lastText(view, "x-dlq-original-subject") ??
    lastSegment(lastText(view, "original-destination"));
  return {
    source,
    partition: toPartition(decimalAt(view, "original-partition")),
    offset: decimalAt(view, "original-offset"),
    errorClass: lastText(view, "exception-type") ?? lastText(view, "wolverine-kafka-retry-exception-type"),
    errorMessage: lastText(view, "exception-message") ?? lastText(view, "wolverine-kafka-retry-exception-message"),
    stack: lastText(view, "exception-stack") || undefined,
    attempts: countOf(lastText(view, "attempts")),
    firstFailedAt: ticksTime(lastText(view, "wolverine-kafka-retry-first-failed")),
    lastFailedAt: anyTime(failedAt),
    ...identity(view),
    destination: source,
    strip: namesLike(view, strip),
  };
}

function identity(view: LetterView): Facts {
  return {
    contentType: lastText(view, "content-type"),
    messageId: lastText(view, "id"),
    correlationId: lastText(view, "correlation-id"),
    expiresAt: anyTime(lastText(view, "deliver-by")),
    tenant: lastText(view, "tenant-id"),
    schema: lastText(view, "message-type"),
  };
}
