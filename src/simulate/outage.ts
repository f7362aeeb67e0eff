import { requireNumber } from "../domain/options.ts";
import { fixedBackoff } from "../policies/backoff.ts";
import { CircuitBreaker, type CircuitBreakerOptions } from "../policies/circuit-breaker.ts";
import { Callers } from "./callers.ts";
import { type Budget, limitOf } from "./outage-policies.ts";
import { seededRandom } from "./random.ts";
import type { Steps } from "./steps.ts";
import { strugglingService } from "./struggling-service.ts";

/**
 * The metastable failure (Bronson et al., HotOS 2021): a service with little to spare, callers that retry, and an outage
 * that ends while its effects do not.
 *
 * Requests keep coming whatever happens to the ones before. A caller gives up after a while and tries again; the service
 * still works on what was given up.
 */
export interface OutageOptions {
  /** New requests a second, evenly spread. */
  readonly rate: number;
  /** Requests the service can answer a second. */
  readonly capacity: number;
  /** How long it answers nothing. */
  readonly outageMs: number;
  /** How long to watch, from the beginning of the outage. */
  readonly horizonMs: number;
  /** How long a caller waits for an answer. */
  readonly timeoutMs: number;
  /** How long it then waits before it tries again; the most it waits, with full jitter. */
  readonly retryWaitMs: number;
  readonly attempts: number;
  readonly jitter: "none" | "full";
  readonly budget: Budget;
  /** Asked before every call, first ones and retries; who is denied gives up. Null: no breaker. */
  readonly breaker: CircuitBreakerOptions | null;
  /** Longest queue the service keeps, in milliseconds of its work; null: as long as it gets. */
  readonly queueMs: number | null;
  /** Same seed, same figures. */
  readonly seed: number;
}

export interface OutageResult {
  /** Goodput is back within 5 % of the rate and stays there to the end. */
  readonly recovered: boolean;
  /** Seconds from the end of the outage until then; null if it never is. */
  readonly recoveredAfterS: number | null;
  readonly series: readonly OutageSecond[];
}

export interface OutageSecond {
  /** When the second begins, counted from the beginning of the outage. */
  readonly atS: number;
  /** Calls that reached the service. */
  readonly offered: number;
  /** Answers that came while their caller was still waiting. */
  readonly goodput: number;
}

export const outageBounds = {
  rate: { min: 1, max: 10_000 },
  capacity: { min: 1, max: 10_000 },
  outageMs: { min: 0, max: 600_000 },
  horizonMs: { min: 30_000, max: 3_600_000 },
  timeoutMs: { min: 1, max: 60_000 },
  retryWaitMs: { min: 0, max: 60_000 },
  attempts: { min: 1, max: 10, integer: true },
  queueMs: { min: 1, max: 60_000 },
  seed: { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true },
} as const;

/** Good times before the outage, so that windows and budgets are filled. */
const warmUpS = 20;
const goodShare = 0.95;
/** A recovery seen for less than this before the end is not called one. */
const leastGoodS = 10;

/** Runs through the time second by second. */
export function* simulateOutage(options: OutageOptions): Steps<OutageResult> {
  checkOptions(options);
  const seconds = warmUpS + Math.ceil(options.horizonMs / 1_000);
  const offered = new Int32Array(seconds);
  const goodput = new Int32Array(seconds);
  const callers = callersOf(options, countBySecond(offered), countBySecond(goodput));
  for (let second = 1; second <= seconds; second++) {
    callers.runUntil((second - warmUpS) * 1_000);
    yield second / seconds;
  }
  const series = Array.from(offered, (calls, second) => ({
    atS: second - warmUpS,
    offered: calls,
    goodput: goodput[second] ?? 0,
  }));
  const recoveredAfterS = recoveryOf(series, options);
  return { recovered: recoveredAfterS !== null, recoveredAfterS, series };
}

function countBySecond(counts: Int32Array): (now: number) => void {
  return (now) => {
    const second = Math.floor(now / 1_000) + warmUpS;
    counts[second] = (counts[second] ?? 0) + 1;
  };
}

function callersOf(options: OutageOptions, onSent: (now: number) => void, onAnswered: (now: number) => void): Callers {
  const { rate, capacity, outageMs, timeoutMs, retryWaitMs, attempts, jitter, budget, breaker, queueMs } = options;
  return new Callers({
    rate,
    startMs: -warmUpS * 1_000,
    timeoutMs,
    attempts,
    backoff: fixedBackoff({ delayMs: retryWaitMs, jitter }),
    limit: limitOf(budget),
    breaker: breaker === null ? null : new CircuitBreaker(breaker),
    service: strugglingService({ capacity, outage: { fromMs: 0, toMs: outageMs }, queueMs }),
    random: seededRandom(`outage/${options.seed}`),
    onSent,
    onAnswered,
  });
}

/** Seconds from the end of the outage to the last second that was not good; null if that is too close to the end. */
function recoveryOf(series: readonly OutageSecond[], { rate, outageMs }: OutageOptions): number | null {
  const lastBad = series.findLast(({ goodput }) => goodput < goodShare * rate);
  const goodFromS = (lastBad?.atS ?? -warmUpS) + 1;
  const endS = (series.at(-1)?.atS ?? 0) + 1;
  return endS - goodFromS < leastGoodS ? null : Math.max(0, goodFromS - outageMs / 1_000);
}

function checkOptions(options: OutageOptions): void {
  const { queueMs, ...always } = outageBounds;
  for (const [name, bounds] of Object.entries(always))
    requireNumber(name, options[name as keyof typeof always], bounds);
  if (options.queueMs !== null) requireNumber("queueMs", options.queueMs, queueMs);
}
