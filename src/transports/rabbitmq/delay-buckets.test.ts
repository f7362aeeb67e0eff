import fc from "fast-check";
import { expect, it } from "vitest";
import { delayBucket, longestDelay } from "./delay-buckets.ts";

const dayMs = 86_400_000;
const longestMs = longestDelay(null);

it("never waits for less than asked, and for at most a quarter more", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: longestMs }), (asked) => {
      const { delayMs } = delayBucket("orders", asked, null);
      expect(delayMs).toBeGreaterThanOrEqual(asked);
      expect(delayMs).toBeLessThanOrEqual(asked * 1.25 + 1);
    }),
  );
});

it("waits equally long for equal names", () => {
  const byName = new Map<string, number>();
  for (let asked = 1; asked < longestMs; asked = Math.ceil(asked * 1.003)) {
    const { name, delayMs } = delayBucket("orders", asked, null);
    expect(byName.get(name) ?? delayMs).toBe(delayMs);
    byName.set(name, delayMs);
  }
  expect(byName.size).toBeLessThan(120);
});

it.each([
  [1, "10ms"],
  [250, "250ms"],
  [999, "1s"],
  [1_001, "1200ms"],
  [10_000, "10s"],
  [10_001, "12s"],
  [60_000, "1m"],
  [300_000, "5m"],
  [900_000, "15m"],
  [3_600_000, "1h"],
  [12 * 3_600_000, "12h"],
  [dayMs, "1d"],
  [40 * dayMs, "40d"],
])("calls a wait of %d ms %s", (asked, name) => {
  expect(delayBucket("orders", asked, null).name).toBe(`orders.retry.${name}`);
});

it("uses the stages it is given: the next longer one, or the longest", () => {
  const stages = [10_000, 60_000, 300_000];
  const names = [1, 10_000, 10_001, 61_000, dayMs].map((asked) => delayBucket("orders", asked, stages).name);
  expect(names).toEqual(["10s", "10s", "1m", "5m", "5m"].map((stage) => `orders.retry.${stage}`));
});

it("fits RabbitMQ's 32 bits together with the day that a bucket stays", () => {
  expect(longestMs + dayMs).toBeLessThan(2 ** 32);
});
