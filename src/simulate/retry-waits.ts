import { requireNumber } from "../domain/options.ts";
import { type Backoff, type BackoffOptions, backoff, type Jitter } from "../policies/backoff.ts";
import { describeWaits } from "../policies/describe-waits.ts";
import { seededRandom } from "./random.ts";

export const retryStrategies = ["immediate", "fixed", "linear", "exponential", "staged", "progressive"] as const;
export const retryJitters = [
  "none",
  "full",
  "equal",
  "proportional",
  "decorrelated",
] as const satisfies readonly Jitter[];

export interface RetryWaitsOptions {
  /** The policy, as a consumer would be given it. */
  readonly policy: BackoffOptions;
  /** Runs of the handler in all, the first included; there is one wait fewer. */
  readonly attempts: number;
  /** How many messages fail together at 0 ms. */
  readonly messages: number;
  /** Same seed, same figures. */
  readonly seed: number;
}

export interface RetryWaits {
  readonly waits: readonly Wait[];
  /** When each call after the first failure happens, in milliseconds from it, in order, over all messages. */
  readonly callTimesMs: Float64Array;
}

/** The wait after one attempt, and how long after the first failure the next attempt then comes. */
export interface Wait {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly waitMs: Range;
  readonly sinceFirstMs: Range;
}

export interface Range {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

export const retryWaitsBounds = {
  attempts: { min: 2, max: 100, integer: true },
  messages: { min: 1, max: 100_000, integer: true },
  seed: { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true },
} as const;

/** What waits a policy gives, and what messages that all fail together make of them. */
export function simulateRetryWaits({ policy, attempts, messages, seed }: RetryWaitsOptions): RetryWaits {
  requireNumber("attempts", attempts, retryWaitsBounds.attempts);
  requireNumber("messages", messages, retryWaitsBounds.messages);
  requireNumber("seed", seed, retryWaitsBounds.seed);
  return {
    waits: waitsOf(policy, attempts - 1),
    callTimesMs: callTimes(backoff(policy), attempts - 1, messages, seed),
  };
}

/** Most attempts worth suggesting to anybody. */
const mostAttempts = 1_000;

/** How many attempts it takes to be still trying, on average, `spanMs` after the first failure; null if no number does. */
export function attemptsToOutlast(policy: BackoffOptions, spanMs: number): number | null {
  const reached = waitsOf(policy, mostAttempts - 1).find(({ sinceFirstMs }) => sinceFirstMs.mean >= spanMs);
  return reached === undefined ? null : reached.attempt + 1;
}

/** Counts times by buckets that begin at 0. */
export function countByBucket(timesMs: Float64Array, bucketMs: number): number[] {
  const last = timesMs.at(-1) ?? 0;
  const counts = new Array<number>(Math.floor(last / bucketMs) + 1).fill(0);
  for (const time of timesMs) {
    const bucket = Math.floor(time / bucketMs);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  return counts;
}

export interface Crowd {
  readonly fromMs: number;
  readonly calls: number;
}

/** Where most calls fall within `windowMs`, the times being in order. */
export function busiest(timesMs: Float64Array, windowMs: number): Crowd {
  let best: Crowd = { fromMs: 0, calls: 0 };
  let start = 0;
  for (let end = 0; end < timesMs.length; end++) {
    while (at(timesMs, end) - at(timesMs, start) >= windowMs) start++;
    if (end - start + 1 > best.calls) best = { fromMs: at(timesMs, start), calls: end - start + 1 };
  }
  return best;
}

function waitsOf(policy: BackoffOptions, count: number): Wait[] {
  let sinceFirstMs: Range = { min: 0, mean: 0, max: 0 };
  return describeWaits(policy, count).map(({ attempt, minMs: min, meanMs: mean, maxMs: max }) => {
    sinceFirstMs = { min: sinceFirstMs.min + min, mean: sinceFirstMs.mean + mean, max: sinceFirstMs.max + max };
    return { attempt, waitMs: { min, mean, max }, sinceFirstMs };
  });
}

function callTimes(waitAfter: Backoff, waits: number, messages: number, seed: number): Float64Array {
  const random = seededRandom(`retry/${seed}`);
  const times = new Float64Array(waits * messages);
  for (let message = 0; message < messages; message++) {
    let now = 0;
    let waitMs: number | undefined;
    for (let attempt = 1; attempt <= waits; attempt++) {
      waitMs = waitAfter(attempt, random, waitMs);
      now += waitMs;
      times[message * waits + attempt - 1] = now;
    }
  }
  return times.sort();
}

function at(times: Float64Array, index: number): number {
  return times[index] ?? 0;
}
