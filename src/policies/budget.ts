import { requireNumber, withDefaults } from "../domain/options.ts";
import { SlidingCount } from "./sliding-count.ts";

export interface BudgetOptions {
  /** Retries may be this share of requests. Too high, and retries keep a struggling service down. @default 0.1 */
  readonly ratio?: number;
  /** Retries a second that are always allowed, so that a quiet queue can retry at all. @default 10 */
  readonly floorPerSecond?: number;
  /** How far back requests and retries are counted, in milliseconds. @default 10_000 */
  readonly windowMs?: number;
}

export const budgetDefaults: Required<BudgetOptions> = { ratio: 0.1, floorPerSecond: 10, windowMs: 10_000 };

/**
 * Keeps retries (and replays) to a share of requests, so that they cannot multiply the load on what is failing.
 *
 * In every window that ends with a retry: retries <= ratio x requests + floorPerSecond x seconds of the window.
 */
export interface RetryBudget {
  /**
   * Notes a request: the first attempt of a message or a call. Without a time it is dated to the last time this budget
   * was given: too early, so never counted for longer than it should be, and no clock need be read.
   */
  request(now?: number): void;
  /** Takes a retry out of the budget. False: it is used up, do not retry. */
  spend(now: number): boolean;
  /** Retries that could be taken out now. */
  left(now: number): number;
}

const buckets = 10;

export function createBudget(options?: BudgetOptions, where = "budget"): RetryBudget {
  const { ratio, floorPerSecond, windowMs } = withDefaults(budgetDefaults, options, where);
  requireNumber(`${where}.ratio`, ratio, { min: 0, max: 10 });
  requireNumber(`${where}.floorPerSecond`, floorPerSecond, { min: 0, max: 1_000_000 });
  requireNumber(`${where}.windowMs`, windowMs, { min: 100, max: 3_600_000 });

  const bucketMs = windowMs / buckets;
  const floor = (floorPerSecond * windowMs) / 1_000;
  // Requests are forgotten up to a bucket early and retries up to a bucket late, so that a retry always outlives the
  // requests that paid for it: counted alike, both ends of a window could be spent twice.
  const requests = new SlidingCount(bucketMs, buckets);
  const retries = new SlidingCount(bucketMs, buckets + 1);
  let undated = 0;
  let lastTime = 0;
  const settle = (now: number) => {
    if (undated > 0) requests.add(lastTime, undated);
    undated = 0;
    lastTime = now;
  };
  const left = (now: number) => {
    settle(now);
    return Math.max(0, Math.floor(ratio * requests.total(now) + floor - retries.total(now)));
  };

  return {
    request(now) {
      if (now === undefined) {
        undated++;
        return;
      }
      settle(now);
      requests.add(now);
    },
    spend(now) {
      if (left(now) < 1) return false;
      retries.add(now);
      return true;
    },
    left,
  };
}
