import { headerText, type Message } from "../domain/message.ts";
import type { BreakerReport, HeartbeatReport, Outcome, OutcomeReport, QueueHeartbeat } from "../domain/report.ts";
import { wire } from "../domain/wire.ts";
import type { ConsumerDescription, ConsumerEvent } from "../runtime/events.ts";

/** A consumer at work, with the queue it works on. */
export type WorkingConsumer = ConsumerDescription & { readonly queue: string };

/** Null where the event settles nothing, or is about a message that no replay sent. */
export function outcomeReport(
  event: ConsumerEvent,
  { service, version, instance }: WorkingConsumer,
): OutcomeReport | null {
  const result = outcomeOf(event);
  if (result === null || !("message" in event)) return null;
  const letter = ownHeader(event.message, wire.letter, event.queue);
  const replay = ownHeader(event.message, wire.replay, event.queue);
  if (letter === undefined || replay === undefined) return null;
  const { queue, at } = event;
  return { ...{ v: 1, kind: "outcome", letter, replay, queue, result, at: iso(at) }, service, version, instance };
}

/** A duplicate that was merged or refused is told by the events that follow it. */
function outcomeOf(event: ConsumerEvent): Outcome | null {
  if (event.type === "attempt-succeeded") return "done";
  if (event.type === "dead-lettered") return "dead";
  return event.type === "duplicate" && event.treatment === "ignore" ? "suppressed" : null;
}

/** Services copy the headers of what they consume onto what they send: on another queue ours are a stranger's. */
function ownHeader({ headers }: Message, name: string, queue: string): string | undefined {
  return headerText(headers, wire.queue) === queue ? headerText(headers, name) : undefined;
}

export function breakerReport(
  { breaker, phase, at }: ConsumerEvent & { type: "breaker-changed" },
  { service, version, instance, queue }: WorkingConsumer,
): BreakerReport {
  const since = iso(at);
  return { v: 1, kind: "breaker", name: breaker, queue, state: phase, since, at: since, service, version, instance };
}

/** The same, said again: it is so still. */
export function stillTripped(report: BreakerReport, now: number): BreakerReport {
  return { ...report, at: iso(now) };
}

export function heartbeat(consumer: WorkingConsumer, now: number): HeartbeatReport {
  const { service, version, instance } = consumer;
  return { v: 1, kind: "heartbeat", service, version, instance, queues: [queueHeartbeat(consumer)], at: iso(now) };
}

function queueHeartbeat(consumer: WorkingConsumer): QueueHeartbeat {
  const { queue, schemas, inboxWindowMs, inboxIsTransactional, retryHorizonMs, probe } = consumer;
  return {
    queue,
    schemas,
    inboxWindowS: inboxWindowMs === null ? null : Math.floor(inboxWindowMs / 1_000),
    inboxTransactional: inboxIsTransactional,
    retryHorizonS: Math.ceil(retryHorizonMs / 1_000),
    probe: probe !== null,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
