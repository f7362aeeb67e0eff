import { requireNumber } from "../domain/options.ts";
import { type Backoff, type BackoffOptions, backoff, backoffDefaults } from "./backoff.ts";

/** What a policy makes a message wait after an attempt failed. */
export interface WaitRange {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly minMs: number;
  readonly meanMs: number;
  readonly maxMs: number;
  /** The stage's name, where the strategy is "staged". */
  readonly stage: string | null;
}

/** A prime, so that each stride below visits every sample once; and a number whose powers mix well modulo it. */
const samples = 1_009;
const mixer = 76;
const justBelowOne = 1 - Number.EPSILON;

/** The waits that a policy gives, for people to look at before they live with it. The same options give the same answer. */
export function describeWaits(options: BackoffOptions, attempts: number): WaitRange[] {
  requireNumber("attempts", attempts, { min: 1, max: 1_000, integer: true });
  const wait = backoff(options);
  const minMs = waits(wait, attempts, () => 0);
  const maxMs = waits(wait, attempts, () => justBelowOne);
  const meanMs = meanWaits(wait, attempts);
  return meanMs.map((mean, index) => ({
    attempt: index + 1,
    minMs: minMs[index] ?? 0,
    meanMs: mean,
    maxMs: maxMs[index] ?? 0,
    stage: stageName(options, index),
  }));
}

function waits(wait: Backoff, attempts: number, chance: (attempt: number) => number): number[] {
  const all: number[] = [];
  for (let attempt = 1; attempt <= attempts; attempt++) {
    all.push(wait(attempt, () => chance(attempt), all[attempt - 2]));
  }
  return all;
}

/**
 * Means over a lattice of sample lives: at each attempt the samples are spread evenly over [0, 1), so a plain jitter's
 * mean comes out exact, and their order differs from attempt to attempt, as decorrelated jitter needs it.
 */
function meanWaits(wait: Backoff, attempts: number): number[] {
  const totals = new Array<number>(attempts).fill(0);
  const strides = totals.map(() => 1);
  for (let index = 1; index < attempts; index++) strides[index] = ((strides[index - 1] ?? 1) * mixer) % samples;
  for (let sample = 0; sample < samples; sample++) {
    const chance = (attempt: number) => (((sample * (strides[attempt - 1] ?? 1)) % samples) + 0.5) / samples;
    waits(wait, attempts, chance).forEach((waitMs, index) => {
      totals[index] = (totals[index] ?? 0) + waitMs;
    });
  }
  return totals.map((total) => Math.round(total / samples));
}

function stageName(options: BackoffOptions, index: number): string | null {
  if (options.strategy !== "staged") return null;
  const stages = options.stages ?? backoffDefaults.staged.stages;
  return stages[Math.min(index, stages.length - 1)]?.name ?? null;
}
