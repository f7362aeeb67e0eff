import { queueNames } from "../../domain/wire.ts";

/** A queue in which messages wait for the same time, and from which the broker puts them back. */
export interface DelayBucket {
  readonly name: string;
  /** Where they go when their time is over. */
  readonly queue: string;
  readonly delayMs: number;
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

/** RabbitMQ counts milliseconds in 32 bits, and a bucket has to outlive the messages in it. */
const longestDelayMs = 40 * 86_400_000;

/**
 * The bucket for a delay: the next longer one of `stages`, or without any of about a hundred. All messages of a bucket wait
 * equally long, so that they leave it in the order they came and none is held up; a queue for each delay there ever was
 * would be too many.
 */
export function delayBucket(queue: string, delayMs: number, stages: readonly number[] | null): DelayBucket {
  const wanted = Math.min(delayMs, longestDelay(stages));
  const rounded = stages?.find((stage) => stage >= wanted) ?? roundUp(wanted);
  return { name: queueNames.retry(queue, durationName(rounded)), queue, delayMs: rounded };
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
