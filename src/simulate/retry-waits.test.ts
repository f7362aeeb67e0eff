import { describe, expect, it } from "vitest";
import { attemptsToOutlast, busiest, countByBucket, simulateRetryWaits } from "./retry-waits.ts";

const exponential = { strategy: "exponential", initialMs: 1_000, maxMs: 60_000 } as const;

describe("simulateRetryWaits", () => {
  it("has one wait fewer than attempts, and adds them up since the first failure", () => {
    const { waits } = simulateRetryWaits({
      policy: { ...exponential, jitter: "none" },
      attempts: 4,
      messages: 1,
      seed: 1,
    });
    expect(waits).toEqual(
      [1_000, 2_000, 4_000].map((ms, index) => ({
        attempt: index + 1,
        waitMs: { min: ms, mean: ms, max: ms },
        sinceFirstMs: { min: 2 * ms - 1_000, mean: 2 * ms - 1_000, max: 2 * ms - 1_000 },
      })),
    );
  });

  it("brings all messages back at the same moments without jitter", () => {
    const policy = { ...exponential, jitter: "none" } as const;
    const { callTimesMs } = simulateRetryWaits({ policy, attempts: 3, messages: 3, seed: 1 });
    expect([...callTimesMs]).toEqual([1_000, 1_000, 1_000, 3_000, 3_000, 3_000]);
  });

  it.each(["full", "equal", "proportional", "decorrelated"] as const)(
    "keeps every call within the table's bounds with %s jitter",
    (jitter) => {
      const { waits, callTimesMs } = simulateRetryWaits({
        policy: { ...exponential, jitter },
        attempts: 6,
        messages: 500,
        seed: 2,
      });
      expect(callTimesMs).toHaveLength(5 * 500);
      expect(callTimesMs[0]).toBeGreaterThanOrEqual(waits[0]?.sinceFirstMs.min ?? 0);
      expect(callTimesMs.at(-1)).toBeLessThanOrEqual(waits.at(-1)?.sinceFirstMs.max ?? 0);
      expect([...callTimesMs]).toEqual([...callTimesMs].sort((a, b) => a - b));
    },
  );

  it("gives the same calls for the same seed, and others for another", () => {
    const calls = (seed: number) =>
      simulateRetryWaits({ policy: exponential, attempts: 5, messages: 10, seed }).callTimesMs;
    expect(calls(1)).toEqual(calls(1));
    expect(calls(1)).not.toEqual(calls(2));
  });

  it("refuses a single attempt: it has no waits", () => {
    expect(() => simulateRetryWaits({ policy: exponential, attempts: 1, messages: 1, seed: 1 })).toThrow("`attempts`");
  });
});

describe("what follows from the waits", () => {
  it("finds how many attempts are still trying after a while", () => {
    expect(attemptsToOutlast({ ...exponential, jitter: "none" }, 15_000)).toBe(5);
    expect(attemptsToOutlast({ ...exponential, jitter: "none" }, 15_001)).toBe(6);
    expect(attemptsToOutlast({ strategy: "immediate" }, 1)).toBeNull();
  });

  it("counts by buckets that begin at 0 and leave nothing out", () => {
    expect(countByBucket(Float64Array.of(0, 99, 100, 350), 100)).toEqual([2, 1, 0, 1]);
    expect(countByBucket(Float64Array.of(), 100)).toEqual([0]);
  });

  it("finds the busiest stretch wherever it begins", () => {
    expect(busiest(Float64Array.of(0, 90, 150, 185, 300), 100)).toEqual({ fromMs: 90, calls: 3 });
  });
});
