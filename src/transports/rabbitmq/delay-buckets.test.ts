import fc from "fast-check";
import { expect, it } from "vitest";
import { delayBucket, longestDelay } from "./delay-buckets.ts";

const dayMs = 86_400_000;
const longestMs = longestDelay(null);

let now = 0;
const clock = { now: () => now, after: () => () => {} };
const rules = { delaysMs: null, idleMs: dayMs, clock, isSilent: () => false };
const bucketOf = (asked: number) => delayBucket("orders", asked, rules);

it("never waits for less than asked, and for at most a quarter more", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: longestMs }), (asked) => {
      const { delayMs } = bucketOf(asked);
      expect(delayMs).toBeGreaterThanOrEqual(asked);
      expect(delayMs).toBeLessThanOrEqual(asked * 1.25 + 1);
    }),
  );
});

it("waits equally long for equal names", () => {
  const byName = new Map<string, number>();
  for (let asked = 1; asked < longestMs; asked = Math.ceil(asked * 1.003)) {
    const { name, delayMs } = bucketOf(asked);
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
  expect(bucketOf(asked).name).toBe(`orders.retry.${name}.0`);
});

it("uses the stages it is given: the next longer one, or the longest, and they stay", () => {
  const staged = { ...rules, delaysMs: [10_000, 60_000, 300_000] };
  const buckets = [1, 10_000, 10_001, 61_000, dayMs].map((asked) => delayBucket("orders", asked, staged));
  expect(buckets.map(({ name }) => name)).toEqual(
    ["10s", "10s", "1m", "5m", "5m"].map((stage) => `orders.retry.${stage}`),
  );
  expect(buckets.map(({ idleMs }) => idleMs)).toEqual([null, null, null, null, null]);
});

it("goes around silent buckets, to at most twice the delay, and uses the nearest if all are silent", () => {
  const around = (silent: readonly string[], delaysMs: readonly number[] | null = null) => {
    const isSilent = (name: string) => silent.some((delay) => name.startsWith(`orders.retry.${delay}`));
    return delayBucket("orders", 10_000, { ...rules, delaysMs, isSilent }).name;
  };
  expect(around(["10s"])).toBe("orders.retry.12s.0");
  expect(around(["10s", "12s", "15s"])).toBe("orders.retry.18s.0");
  expect(around(["10s", "12s", "15s", "18s"])).toBe("orders.retry.10s.0");
  expect(around(["10s"], [10_000, 60_000])).toBe("orders.retry.1m");
  expect(around(["10s", "1m"], [10_000, 60_000])).toBe("orders.retry.10s");
});

it("leaves a bucket alone for the second half of its time, so that it is empty when it goes", () => {
  fc.assert(
    fc.property(fc.nat(dayMs), fc.nat(10 * dayMs), (madeAt, later) => {
      now = madeAt;
      const made = bucketOf(10_000);
      now = madeAt + later;
      const isUsed = bucketOf(10_000).name === made.name;
      if (later >= dayMs / 2) expect(isUsed).toBe(false);
      now = 0;
    }),
  );
});

it("fits RabbitMQ's 32 bits together with the day that a bucket stays", () => {
  expect(longestMs + dayMs).toBeLessThan(2 ** 32);
});
