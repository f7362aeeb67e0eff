import type { BudgetOptions } from "../policies/budget.ts";
import { budgetDefaults } from "../policies/budget.ts";
import { type CircuitBreakerOptions, circuitBreakerDefaults } from "../policies/circuit-breaker.ts";
import {
  type EnvoyBudget,
  noLimit,
  type RetryLimit,
  shareOfActive,
  shareOfRequests,
  type Throttle,
  tokenThrottle,
} from "./retry-limits.ts";

/** What keeps retries in check. */
export type Budget =
  | { readonly kind: "none" }
  | ({ readonly kind: "share" } & Required<Pick<BudgetOptions, "ratio" | "floorPerSecond">>)
  | ({ readonly kind: "active" } & EnvoyBudget)
  | ({ readonly kind: "throttle" } & Throttle);

/** Everything a caller, and the service, do about failures. */
export interface OutagePolicy {
  readonly about: string;
  /** Runs of a call in all, the first included. */
  readonly attempts: number;
  readonly jitter: "none" | "full";
  readonly budget: BudgetName;
  readonly breaker: BreakerName;
  /** Longest queue the service keeps, in milliseconds of its work; null: as long as it gets. */
  readonly queueMs: number | null;
}

export const budgets = {
  none: { kind: "none" },
  own: { kind: "share", ratio: budgetDefaults.ratio, floorPerSecond: budgetDefaults.floorPerSecond },
  finagle: { kind: "share", ratio: 0.2, floorPerSecond: 10 },
  envoy: { kind: "active", share: 0.2, least: 3 },
  grpc: { kind: "throttle", maxTokens: 10, perSuccess: 0.1 },
} as const satisfies Readonly<Record<string, Budget>>;

export type BudgetName = keyof typeof budgets;

export const breakers = {
  none: null,
  rate: {
    rule: { kind: "rate", failureRate: 0.5, windowMs: 10_000, minimumCalls: 100 },
    recoveryMs: 30_000,
    probes: 10,
    successesToClose: 10,
  },
  consecutive: circuitBreakerDefaults,
  hystrix: {
    rule: { kind: "rate", failureRate: 0.5, windowMs: 10_000, minimumCalls: 20 },
    recoveryMs: 5_000,
    probes: 1,
    successesToClose: 1,
  },
  polly: {
    rule: { kind: "rate", failureRate: 0.1, windowMs: 30_000, minimumCalls: 100 },
    recoveryMs: 5_000,
    probes: 1,
    successesToClose: 1,
  },
} as const satisfies Readonly<Record<string, CircuitBreakerOptions | null>>;

export type BreakerName = keyof typeof breakers;

const once: OutagePolicy = {
  about: "one retry after 1 s",
  attempts: 2,
  jitter: "none",
  budget: "none",
  breaker: "none",
  queueMs: null,
};

export const outagePolicies = {
  "no-retry": { ...once, about: "no retries at all", attempts: 1 },
  fixed: once,
  "full-jitter": { ...once, about: "one retry after 0 to 1 s", jitter: "full" },
  "finagle-budget": { ...once, about: "retries at most 20 % of requests and 10/s", budget: "finagle" },
  "envoy-budget": { ...once, about: "retries at most 20 % of what is under way", budget: "envoy" },
  "grpc-throttle": { ...once, about: "no retries while more than 5 tokens of 10 are lost", budget: "grpc" },
  breaker: { ...once, about: "opens for 30 s at 50 % failures in 10 s", breaker: "rate" },
  "bounded-queue": { ...once, about: "the service queues 0.5 s of work, refuses the rest", queueMs: 500 },
} as const satisfies Readonly<Record<string, OutagePolicy>>;

export type OutagePolicyName = keyof typeof outagePolicies;

export function limitOf(budget: Budget): RetryLimit {
  switch (budget.kind) {
    case "none":
      return noLimit();
    case "share":
      return shareOfRequests({ ratio: budget.ratio, floorPerSecond: budget.floorPerSecond });
    case "active":
      return shareOfActive(budget);
    case "throttle":
      return tokenThrottle(budget);
  }
}
