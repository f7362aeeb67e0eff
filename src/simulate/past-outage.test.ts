import { describe, expect, it } from "vitest";
import { backoff } from "../policies/backoff.ts";
import {
  asConfig,
  backoffOf,
  pastOutageInWords,
  simulatePastOutage,
  simulateTried,
  type TriedPolicy,
} from "./past-outage.ts";

const minuteMs = 60_000;
/** Ten messages in each of ten minutes; the last failure is at the end. */
const outage = { bucketMs: minuteMs, failures: Array.from({ length: 10 }, () => 10), lastedMs: 10 * minuteMs, seed: 1 };
const everyMinute = { strategy: "fixed", delayMs: minuteMs, jitter: "none" } as const;
const tried: TriedPolicy = { attempts: 5, baseMs: 1_000, capMs: 60_000, factor: 2, jitter: "full" };

describe("a past outage", () => {
  it("saves those messages that are still tried when it is over", () => {
    const { messages, savedWith } = simulatePastOutage({ ...outage, policy: everyMinute });
    expect(messages).toBe(100);
    // One attempt saves nobody; each more reaches a minute further back.
    expect(savedWith.slice(0, 11).map((share) => Math.round(share * 100))).toEqual([
      0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100,
    ]);
  });

  it("says what more attempts would have saved, or that none would", () => {
    const found = simulatePastOutage({ ...outage, policy: everyMinute });
    expect(pastOutageInWords(found, 7)).toBe(
      "60 % of 100 would have been saved with 7 attempts; with 11 it would have been 100 %.",
    );
    expect(pastOutageInWords(found, 11)).toBe("100 % of 100 would have been saved with 11 attempts.");
    const hasty = simulatePastOutage({ ...outage, policy: { ...everyMinute, delayMs: 1_000 } });
    expect(pastOutageInWords(hasty, 5)).toMatch(/with 50 it would have been \d+ %: only longer waits outlast/);
  });

  it("takes a part of a large outage, with the weight of all of it", () => {
    const failures = outage.failures.map((n) => n * 10_000);
    const { messages, savedWith } = simulatePastOutage({ ...outage, failures, policy: everyMinute });
    expect(messages).toBe(1_000_000);
    expect(savedWith[5]).toBeCloseTo(0.5, 5);
  });

  it("is the same for the same seed, and another for another", () => {
    const run = (seed: number) => simulatePastOutage({ ...outage, seed, policy: backoffOf(tried) }).savedWith;
    expect(run(3)).toEqual(run(3));
    expect(run(3)).not.toEqual(run(4));
  });

  it("refuses more attempts than it looks at, by name", () => {
    expect(() => simulateTried(outage, { ...tried, attempts: 51 })).toThrow("`attempts` must be");
  });

  it("gives a policy as a consumer takes it", () => {
    expect(asConfig(tried)).toBe(`retry: {
  maxAttempts: 5,
  backoff: { strategy: "exponential", initialMs: 1000, maxMs: 60000, factor: 2, jitter: "full" },
},`);
    expect(() => backoff(backoffOf({ ...tried, baseMs: 120_000 }))).not.toThrow();
  });
});
