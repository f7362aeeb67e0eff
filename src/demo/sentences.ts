import type { BreakerPhase } from "../policies/circuit-breaker.ts";
import type { ConsumerEvent } from "../runtime/events.ts";
import { orderOf } from "./order.ts";
import type { EventOf } from "./record.ts";

/** One line about what just happened. */
export interface Line {
  /** Milliseconds since the story began. */
  readonly atMs: number;
  readonly tone: LineTone;
  readonly text: string;
}

export type LineTone = "plain" | "good" | "waiting" | "bad";

/** What a sentence needs to know beyond its event. */
export interface Knowledge {
  readonly maxAttempts: number;
  /** Why this very message failed last, in the failure's own words. */
  readonly failure: string;
  /** Why the breaker last changed. */
  readonly because: string;
  readonly probesNeeded: number;
  /** Messages that wait in the queue. */
  readonly queued: number;
}

type Sentence = Omit<Line, "atMs">;

/** Says in plain words what happened; undefined for what is not worth a line. */
export function sentenceFor(event: ConsumerEvent, known: Knowledge): Sentence | undefined {
  switch (event.type) {
    case "attempt-succeeded":
      return { tone: "good", text: success(event) };
    case "retried":
      return { tone: "waiting", text: retry(event, known) };
    case "dead-lettered":
      // A quarantine is told by its own event.
      return event.category === "poison" ? undefined : { tone: "bad", text: death(event, known) };
    case "quarantined":
      return { tone: "bad", text: `order ${orderOf(event.message)} quarantined as poison: it ${event.why}` };
    case "duplicate":
      return { tone: "good", text: `order ${orderOf(event.message)} came again: charged before, so nothing is done` };
    case "breaker-changed":
      return breaker(event.phase, known);
    case "paused":
      return { tone: "waiting", text: `the consumer pauses: orders stay in the queue (${known.queued} now)` };
    default:
      return undefined;
  }
}

function success({ message, attempt, durationMs }: EventOf<"attempt-succeeded">): string {
  const order = `order ${orderOf(message)} charged`;
  return attempt === 1 ? `${order} in ${seconds(durationMs)}` : `${order} at attempt ${attempt}`;
}

function retry(
  { message, attempt, delayMs, because }: EventOf<"retried">,
  { failure, maxAttempts }: Knowledge,
): string {
  const order = `order ${orderOf(message)}`;
  if (because === "circuit-open") return `${order} put back, the breaker is open: no attempt spent`;
  if (because === "stopping") return `${order} put back: the consumer stops`;
  if (because === "inbox-busy") return `${order} put back: its twin is being charged at this moment`;
  return `${order} failed: ${failure}; again in ${seconds(delayMs)} (attempt ${attempt + 1} of ${maxAttempts})`;
}

function death({ message, reason }: EventOf<"dead-lettered">, { failure }: Knowledge): string {
  return `order ${orderOf(message)} dead-lettered: ${reason} (${failure})`;
}

function breaker(phase: BreakerPhase, { because, probesNeeded }: Knowledge): Sentence {
  switch (phase) {
    case "open":
      return { tone: "bad", text: `breaker opens: ${because}` };
    case "half-open":
      return {
        tone: "waiting",
        text: `breaker half-open: one order at a time goes ahead, ${probesNeeded} must succeed`,
      };
    case "closed":
      return { tone: "good", text: `breaker closes: ${because}` };
  }
}

/** `2.1 s`: tenths are as much as one can read in passing. */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

export function countOf(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}
