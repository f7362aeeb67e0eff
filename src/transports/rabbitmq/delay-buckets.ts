import type { Clock } from "../../domain/clock.ts";
import { queueNames } from "../../domain/wire.ts";

/** A queue in which messages wait for the same time, and from which the broker puts them back. */
export interface DelayBucket {
  readonly name: string;
  /** Where they go when their time is over. */
  readonly queue: string;
  readonly delayMs: number;
  /** How long it stays after its delay, in milliseconds, counted from when it was made; null: for good. */
  readonly idleMs: number | null;
}

export interface DelayRules {
  /** The delays there are buckets for, shortest first; null: about a hundred, made for half of `idleMs` each. */
  readonly delaysMs: readonly number[] | null;
  readonly idleMs: number;
  readonly clock: Clock;
  /** Whether to use a longer one than the bucket of that name, as long as there is one not much longer. */
  readonly isSilent: (name: string) => boolean;
}

const units = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "m", ms: 60_000 },
  { name: "s", ms: 1_000 },
  { name: "ms", ms: 1 },
] as const;

/** At most a quarter apart, and the waits people give names to are among them: 10 s, 1 m, 5 m, 15 m, 1 h, 12 h, 1 d. */
const steps = [1, 1.2, 1.5, 1.8, 2, 2.5, 3, 3.6, 4, 5, 6, 7.2, 9] as const;

/** Shorter waits are as long as this. */
const shortestMs = 10;

/** How many longer buckets are tried before a silent one is used after all: together they at most double the delay. */
const mostDetours = 3;

/** RabbitMQ counts milliseconds in 32 bits, and a bucket has to outlive the messages in it. */
const longestDelayMs = 40 * 86_400_000;

/**
 * The bucket for a delay: the next longer one. All messages of a bucket wait equally long, so that they leave it in the order
 * they came and none is held up; a queue for each delay there ever was would be too many.
 *
 * A queue that expires takes its messages along, and nothing we could do keeps a quorum queue from it: neither sending to it
 * nor declaring it again renews it. So a bucket is used only for the first half of its time, which its name says, and then
 * has as long again to empty. Clocks may differ by as much.
 */
export function delayBucket(queue: string, delayMs: number, rules: DelayRules): DelayBucket {
  const nearest = nearestBucket(queue, delayMs, rules);
  let bucket = nearest;
  for (let detours = 0; rules.isSilent(bucket.name); detours++) {
    if (detours === mostDetours) return nearest;
    bucket = nearestBucket(queue, bucket.delayMs + 1, rules);
  }
  return bucket;
}

function nearestBucket(queue: string, delayMs: number, { delaysMs, idleMs, clock }: DelayRules): DelayBucket {
  const wanted = Math.min(delayMs, longestDelay(delaysMs));
  if (delaysMs !== null) {
    const stage = delaysMs.find((candidate) => candidate >= wanted) ?? wanted;
    return { name: queueNames.retry(queue, durationName(stage)), queue, delayMs: stage, idleMs: null };
  }
  const rounded = roundUp(wanted);
  const period = Math.floor(clock.now() / (idleMs / 2));
  return { name: queueNames.retry(queue, `${durationName(rounded)}.${period}`), queue, delayMs: rounded, idleMs };
}

/** The longest delay there is a bucket for, in milliseconds. */
export function longestDelay(stages: readonly number[] | null): number {
  return stages?.at(-1) ?? longestDelayMs;
}

function roundUp(delayMs: number): number {
  const wanted = Math.max(shortestMs, Math.ceil(delayMs));
  const unit = units.find(({ ms }) => ms <= wanted) ?? units[4];
  const next = units[units.indexOf(unit) - 1]?.ms ?? Number.POSITIVE_INFINITY;
  for (let tens = 1; ; tens *= 10) {
    for (const step of steps) {
      const candidate = Math.round(step * tens * unit.ms);
      if (candidate >= wanted) return Math.min(candidate, next);
    }
  }
}

/** As people write it: 1500ms, 10s, 5m. */
function durationName(ms: number): string {
  const unit = units.find((candidate) => ms % candidate.ms === 0) ?? units[4];
  return `${ms / unit.ms}${unit.name}`;
}
