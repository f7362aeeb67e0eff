import { describe, expect, it } from "vitest";
import { type ContentionOptions, contentionStrategies, simulateContention } from "./contention.ts";
import { runToEnd } from "./steps.ts";

function run(options: Partial<ContentionOptions> = {}) {
  return runToEnd(simulateContention({ strategy: "full", clients: 50, trials: 20, seed: 1, ...options }));
}

describe("simulateContention", () => {
  it("gives the same figures for the same seed, and others for another", () => {
    expect(run({ seed: 5 })).toEqual(run({ seed: 5 }));
    expect(run({ seed: 5 }).meanMs).not.toBe(run({ seed: 6 }).meanMs);
  });

  it("takes a client that is alone four hops of about 10 ms and one call", () => {
    const { meanMs, meanCalls } = run({ clients: 1, trials: 500 });
    expect(meanMs).toBeCloseTo(40, 0);
    expect(meanCalls).toBe(1);
  });

  it.each(contentionStrategies)("lets every client through in the end with %s", (strategy) => {
    expect(run({ strategy, clients: 30, trials: 1 }).meanCalls).toBeGreaterThanOrEqual(30);
  });

  it("shows that jitter saves most of the calls, and most of the time that plain exponential backoff takes", () => {
    const [none, exponential, full] = (["none", "exponential", "full"] as const).map((strategy) => run({ strategy }));
    expect(full?.meanCalls).toBeLessThan((none?.meanCalls ?? 0) / 1.8);
    expect(full?.meanCalls).toBeLessThan((exponential?.meanCalls ?? 0) / 1.6);
    expect(full?.meanMs).toBeLessThan((exponential?.meanMs ?? 0) / 8);
  });

  it("tells how far it has come after each trial", () => {
    expect([...simulateContention({ strategy: "none", clients: 2, trials: 4, seed: 1 })]).toEqual([0.25, 0.5, 0.75, 1]);
  });

  it.each([
    [{ clients: 0 }, "`clients` must be a whole number, between 1 and 2000. It is 0."],
    [{ trials: 1.5 }, "`trials` must be a whole number, between 1 and 100000. It is 1.5."],
    [{ seed: -1 }, "`seed` must be a whole number"],
    [{ strategy: "ful" as "full" }, 'Did you mean "full"?'],
  ])("refuses %j", (options, message) => {
    expect(() => run(options)).toThrow(message);
  });
});
