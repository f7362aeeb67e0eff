import { queueNames } from "../../domain/wire.ts";

/** A topic for every wait: twice as long each, since any delay is a few of them, one after the other. */
export const defaultRetryWaitsMs: readonly number[] = [
  0,
  ...Array.from({ length: 11 }, (_, index) => 1_000 * 2 ** index),
];

/** Where a message waits now, and for how long still after that. */
export interface Wait {
  readonly waitMs: number;
  /** What is then left of the delay, in milliseconds. */
  readonly restMs: number;
  /** How much later than asked for it may be in the end, in milliseconds. */
  readonly slackMs: number;
}

/** No delay grows by more than this share of it, where the waits are no more than twice as long each. */
const slackShare = 1 / 4;

/** The first wait of a delay. `waitsMs` rise. */
export function firstWait(delayMs: number, waitsMs: readonly number[]): Wait {
  return nextWait(delayMs, delayMs * slackShare, waitsMs);
}

/** The wait that ends soon enough after `restMs`, or else the longest that ends before it. */
export function nextWait(restMs: number, slackMs: number, waitsMs: readonly number[]): Wait {
  const longer = waitsMs.find((waitMs) => waitMs >= restMs);
  const shorter = waitsMs.findLast((waitMs) => waitMs <= restMs) ?? 0;
  // With waits far apart, many short ones in a row would cost more than the delay is worth.
  const inOne = longer !== undefined && (longer - restMs <= slackMs || shorter < restMs / 2);
  if (inOne) return { waitMs: longer, restMs: 0, slackMs };
  return { waitMs: shorter, restMs: restMs - shorter, slackMs };
}

export function retryTopic(queue: string, waitMs: number): string {
  return queueNames.retry(queue, waitMs % 1_000 === 0 ? `${waitMs / 1_000}s` : `${waitMs}ms`);
}

/** How long messages wait in a topic, if it is a retry topic of this queue. */
export function waitOfTopic(topic: string, queue: string): number | undefined {
  const start = queueNames.retry(queue, "");
  const [, number, unit] = (topic.startsWith(start) && /^(\d+)(ms|s)$/.exec(topic.slice(start.length))) || [];
  return number === undefined ? undefined : Number(number) * (unit === "s" ? 1_000 : 1);
}
