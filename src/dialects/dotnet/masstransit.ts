import type { Dialect, Facts } from "../dialect.ts";
import { countOf, type Json, listOf, member, textOf } from "../json.ts";
import { has, hasPrefix, type LetterView, lastText, namesLike, propertyText } from "../letter-view.ts";
import { isoTime } from "../times.ts";

/** MassTransit's `_error` and `_skipped` queues, on any of its brokers; on SQS and Kafka only three facts come through. */
export const masstransit: Dialect = { id: "masstransit", read };

const contentType = "application/vnd.masstransit+json";

function read(view: LetterView): Facts | null {
  const reason = lastText(view, "MT-Reason");
  const isFault = reason === "fault" || reason === "dead-letter" || hasPrefix(view, "MT-Fault-");
  const type = propertyText(view, "content-type") ?? lastText(view, "Content-Type");
  if (!isFault && type !== contentType) return null;
  const queue = lastSegment(lastText(view, "MT-Fault-InputAddress")) ?? withoutSuffix(view.letter.queue);
  return {
    source: queue,
    ...failure(view),
    consumer: lastText(view, "MT-Fault-ConsumerType"),
    ...(isFault ? hostFacts(view) : {}),
    ...(type === contentType ? envelope(view.json()) : {}),
    destination: queue,
    strip: namesLike(view, /^(MT-Reason|MT-Fault-.*|MT-Host-.*)$/),
  };
}

/** Of whoever moved it here, which is the consumer itself. */
function hostFacts(view: LetterView): Facts {
  return {
    host: lastText(view, "MT-Host-MachineName"),
    process: lastText(view, "MT-Host-ProcessId"),
    consumerVersion: lastText(view, "MT-Host-AssemblyVersion"),
  };
}

function failure(view: LetterView): Facts {
  const retries = countOf(lastText(view, "MT-Fault-RetryCount"));
  // It is written only above 0, and only where all of the fault is.
  const wasFirst = has(view, "MT-Fault-ExceptionType") && has(view, "MT-Fault-ConsumerType") ? 1 : undefined;
  return {
    errorClass: lastText(view, "MT-Fault-ExceptionType"),
    errorMessage: lastText(view, "MT-Fault-Message"),
    stack: lastText(view, "MT-Fault-StackTrace"),
    attempts: retries === undefined ? wasFirst : retries + 1,
    lastFailedAt: isoTime(lastText(view, "MT-Fault-Timestamp")),
  };
}

function envelope(body: Json | undefined): Facts {
  return {
    messageId: textOf(member(body, "messageId")),
    correlationId: textOf(member(body, "correlationId") ?? member(body, "conversationId")),
    expiresAt: isoTime(textOf(member(body, "expirationTime"))),
    schema: textOf(listOf(member(body, "messageType"))[0])?.replace(/^urn:message:/, ""),
  };
}

/** The queue at the end of `rabbitmq://host/vhost/queue?options`. */
export function lastSegment(uri: string | undefined): string | undefined {
  const name = uri?.split(/[?#]/)[0]?.split("/").at(-1);
  if (name === undefined || name === "") return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function withoutSuffix(queue: string | null): string | undefined {
  return queue?.endsWith("_error") || queue?.endsWith("_skipped") ? queue.replace(/_(error|skipped)$/, "") : undefined;
}
