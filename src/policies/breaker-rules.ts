import { requireNumber, requireOneOf, withDefaults } from "../domain/options.ts";
import { SlidingCount } from "./sliding-count.ts";

export interface ConsecutiveRule {
  readonly kind: "consecutive";
  /** Opens after so many failures without a success in between. @default 5 */
  readonly failures?: number;
}

export interface RateRule {
  readonly kind: "rate";
  /** Opens when this share of calls failed, above 0 and up to 1. @default 0.5 */
  readonly failureRate?: number;
  /** Of the calls within this time, in milliseconds. @default 10_000 */
  readonly windowMs?: number;
  /** How finely old calls are forgotten. @default 10 */
  readonly buckets?: number;
  /** But not before so many calls: two failures at night are no outage. @default 20 */
  readonly minimumCalls?: number;
}

export type RuleOptions = ConsecutiveRule | RateRule;

export const ruleDefaults = {
  consecutive: { kind: "consecutive", failures: 5 } satisfies Required<ConsecutiveRule>,
  rate: {
    kind: "rate",
    failureRate: 0.5,
    windowMs: 10_000,
    buckets: 10,
    minimumCalls: 20,
  } satisfies Required<RateRule>,
} as const;

/** Watches results while a breaker is closed. */
export interface BreakerRule {
  /** False: successes may be noted without a time, which spares reading a clock. */
  readonly needsTime: boolean;
  succeeded(now: number): void;
  /** Why the breaker must open now, if it must. */
  failed(now: number): string | undefined;
  reset(): void;
}

export function breakerRule(options: RuleOptions, where: string): BreakerRule {
  requireOneOf(`${where}.kind`, options?.kind, Object.keys(ruleDefaults));
  return options.kind === "rate" ? rateRule(options, where) : consecutiveRule(options, where);
}

function consecutiveRule(options: ConsecutiveRule, where: string): BreakerRule {
  const { failures } = withDefaults<ConsecutiveRule>(ruleDefaults.consecutive, options, where);
  requireNumber(`${where}.failures`, failures, { min: 1, max: 1_000_000, integer: true });
  let inARow = 0;
  return {
    needsTime: false,
    succeeded() {
      inARow = 0;
    },
    failed: () => (++inARow >= failures ? `${inARow} failures in a row` : undefined),
    reset() {
      inARow = 0;
    },
  };
}

function rateRule(options: RateRule, where: string): BreakerRule {
  const { failureRate, windowMs, buckets, minimumCalls } = withDefaults<RateRule>(ruleDefaults.rate, options, where);
  requireNumber(`${where}.failureRate`, failureRate, { min: 0.001, max: 1 });
  requireNumber(`${where}.windowMs`, windowMs, { min: 10, max: 3_600_000 });
  requireNumber(`${where}.buckets`, buckets, { min: 1, max: 1_000, integer: true });
  requireNumber(`${where}.minimumCalls`, minimumCalls, { min: 1, max: 1_000_000, integer: true });
  const calls = new SlidingCount(windowMs / buckets, buckets);
  const failures = new SlidingCount(windowMs / buckets, buckets);
  return {
    needsTime: true,
    succeeded: (now) => calls.add(now),
    failed(now) {
      calls.add(now);
      failures.add(now);
      const [all, bad] = [calls.total(now), failures.total(now)];
      if (all < minimumCalls || bad < failureRate * all) return undefined;
      return `${bad} of ${all} calls failed within ${windowMs / 1_000} s`;
    },
    reset() {
      calls.clear();
      failures.clear();
    },
  };
}
