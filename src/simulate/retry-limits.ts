import { type BudgetOptions, createBudget } from "../policies/budget.ts";

/** Decides whether a call that failed may be tried again. Hears of every call, so that it can weigh retries against them. */
export interface RetryLimit {
  sent(now: number, isRetry: boolean): void;
  /** Before `allowsRetry` is asked about the same call. */
  ended(call: { readonly succeeded: boolean; readonly isRetry: boolean }): void;
  /** True takes the retry out of what is left. */
  allowsRetry(now: number): boolean;
  /** A retry that was allowed is not sent after all. */
  withdrawn(): void;
}

const deaf = { sent() {}, ended() {}, withdrawn() {} };

export const noLimit = (): RetryLimit => ({ ...deaf, allowsRetry: () => true });

/** Retries are a share of requests and a floor, over a sliding window: ours, and with other numbers Finagle's. */
export function shareOfRequests(options: BudgetOptions): RetryLimit {
  const budget = createBudget(options);
  return {
    ...deaf,
    sent(now, isRetry) {
      if (!isRetry) budget.request(now);
    },
    allowsRetry: (now) => budget.spend(now),
  };
}

export interface EnvoyBudget {
  /** Retries under way may be this share of all requests under way, */
  readonly share: number;
  /** or this many, whichever is more. */
  readonly least: number;
}

/** Envoy's retry budget: it looks at this moment. A retry counts from when it is allowed, its wait included. */
export function shareOfActive({ share, least }: EnvoyBudget): RetryLimit {
  let active = 0;
  let retries = 0;
  return {
    sent() {
      active++;
    },
    ended({ isRetry }) {
      active--;
      if (isRetry) retries--;
    },
    allowsRetry() {
      if (retries + 1 > Math.max(least, share * active)) return false;
      retries++;
      return true;
    },
    withdrawn() {
      retries--;
    },
  };
}

export interface Throttle {
  readonly maxTokens: number;
  readonly perSuccess: number;
}

/** gRPC's retry throttle (proposal A6): a failure takes a token, a success gives a part of one, above half retries flow. */
export function tokenThrottle({ maxTokens, perSuccess }: Throttle): RetryLimit {
  let tokens = maxTokens;
  return {
    ...deaf,
    ended({ succeeded }) {
      tokens = succeeded ? Math.min(maxTokens, tokens + perSuccess) : Math.max(0, tokens - 1);
    },
    allowsRetry: () => tokens > maxTokens / 2,
  };
}
