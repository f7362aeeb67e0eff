import type { Dialect, Facts } from "../dialect.ts";
import { countOf, type Json, member, parseContainer, textOf } from "../json.ts";
import { firstText, type LetterView, propertyText } from "../letter-view.ts";
import { isoTime } from "../times.ts";

/**
 * NATS has no dead letters: it says that a message was delivered too often, or that its consumer ended it, and leaves it
 * in the stream. Its subject is known where somebody fetched it. Without a NAK the advisory comes late, by the time the
 * server waited for an answer.
 */
export const natsAdvisory: Dialect = { id: "nats-advisory", read };

const advisory = /^io\.nats\.jetstream\.advisory\.v1\.(max_deliver|terminated)$/;

function read(view: LetterView): Facts | null {
  const data = parseContainer(propertyText(view, "advisory") ?? "") ?? view.json();
  if (!advisory.test(textOf(member(data, "type")) ?? "")) return null;
  const subject = firstText(view, "nats-subject");
  return {
    source: subject,
    offset: sequenceOf(member(data, "stream_seq")),
    errorMessage: textOf(member(data, "reason")),
    attempts: countOf(member(data, "deliveries")),
    lastFailedAt: isoTime(textOf(member(data, "timestamp"))),
    messageId: firstText(view, "nats-msg-id"),
    consumer: textOf(member(data, "consumer")),
    destination: subject,
  };
}

function sequenceOf(value: Json | undefined): bigint | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}
