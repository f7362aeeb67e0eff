import { describe, expect, it } from "vitest";
import { type OutageOptions, simulateOutage } from "./outage.ts";
import { breakers, budgets, type OutagePolicyName, outagePolicies } from "./outage-policies.ts";
import { runToEnd } from "./steps.ts";

function optionsFor(policy: OutagePolicyName, changes: Partial<OutageOptions> = {}): OutageOptions {
  const { attempts, jitter, queueMs, budget, breaker } = outagePolicies[policy];
  return {
    rate: 280,
    capacity: 300,
    outageMs: 10_000,
    horizonMs: 300_000,
    timeoutMs: 1_000,
    retryWaitMs: 1_000,
    attempts,
    jitter,
    queueMs,
    budget: budgets[budget],
    breaker: breakers[breaker],
    seed: 1,
    ...changes,
  };
}

function run(policy: OutagePolicyName, changes?: Partial<OutageOptions>) {
  return runToEnd(simulateOutage(optionsFor(policy, changes)));
}

describe("simulateOutage", () => {
  it.each(["fixed", "full-jitter", "finagle-budget", "envoy-budget"] as const)("never recovers with %s", (policy) => {
    const { recovered, recoveredAfterS, series } = run(policy, { horizonMs: 1_800_000 });
    expect({ recovered, recoveredAfterS }).toEqual({ recovered: false, recoveredAfterS: null });
    expect(series.slice(-60).every(({ goodput }) => goodput === 0)).toBe(true);
  });

  it("leaves twice the load on the service for good when everybody retries once", () => {
    const { series } = run("fixed");
    expect(series.slice(-60).every(({ offered }) => offered >= 559 && offered <= 561)).toBe(true);
  });

  it.each([
    ["grpc-throttle", 120, 135],
    ["no-retry", 120, 135],
    ["breaker", 22, 28],
    ["bounded-queue", 0, 2],
  ] as const)("recovers with %s after %d to %d s", (policy, from, to) => {
    const { recovered, recoveredAfterS, series } = run(policy);
    expect(recovered).toBe(true);
    expect(recoveredAfterS).toBeGreaterThanOrEqual(from);
    expect(recoveredAfterS).toBeLessThanOrEqual(to);
    const afterwards = series.filter(({ atS }) => atS >= 10 + (recoveredAfterS ?? 0));
    expect(afterwards.every(({ goodput }) => goodput >= 0.95 * 280)).toBe(true);
  });

  it("recovers under a budget that leaves the load below the capacity, and not under one that does not", () => {
    const share = (ratio: number, floorPerSecond: number) => ({ kind: "share", ratio, floorPerSecond }) as const;
    expect(run("fixed", { budget: share(0.02, 2), horizonMs: 1_200_000 }).recovered).toBe(true);
    expect(run("fixed", { budget: share(0.1, 10), horizonMs: 1_200_000 }).recovered).toBe(false);
  });

  it("has nothing to recover from without an outage", () => {
    expect(run("fixed", { outageMs: 0 }).recoveredAfterS).toBe(0);
  });

  it("does not call a service recovered that was never up to its load", () => {
    expect(run("no-retry", { rate: 320, outageMs: 0 }).recovered).toBe(false);
  });

  it("counts every second of the run, from before the outage to the horizon", () => {
    const { series } = run("fixed", { horizonMs: 60_000 });
    expect(series[1]).toEqual({ atS: -19, offered: 280, goodput: 280 });
    expect(series.map(({ atS }) => atS)).toEqual(Array.from({ length: 80 }, (_, index) => index - 20));
  });

  it("gives the same series for the same seed, and another for another", () => {
    expect(run("full-jitter", { seed: 3 })).toEqual(run("full-jitter", { seed: 3 }));
    expect(run("full-jitter", { seed: 3 }).series).not.toEqual(run("full-jitter", { seed: 4 }).series);
  });

  it("refuses numbers that cannot be, by name", () => {
    expect(() => run("fixed", { rate: 0 })).toThrow("`rate` must be a number, between 1 and 10000. It is 0.");
    expect(() => run("fixed", { queueMs: 0 })).toThrow("`queueMs` must be a number");
  });
});
