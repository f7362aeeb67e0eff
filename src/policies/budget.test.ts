import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBudget } from "./budget.ts";

const start = Date.UTC(2026, 0, 1);

it("allows the share of requests, and not one retry more", () => {
  const budget = createBudget({ ratio: 0.1, floorPerSecond: 0 });
  for (let n = 0; n < 100; n++) budget.request(start);
  const spent = Array.from({ length: 20 }, () => budget.spend(start)).filter(Boolean);
  expect(spent).toHaveLength(10);
  expect(budget.left(start)).toBe(0);
});

it("allows the floor to a queue without traffic", () => {
  const budget = createBudget({ ratio: 0.1, floorPerSecond: 0.5, windowMs: 10_000 });
  const spent = Array.from({ length: 20 }, () => budget.spend(start)).filter(Boolean);
  expect(spent).toHaveLength(5);
});

it("recovers once the window has passed", () => {
  const budget = createBudget({ ratio: 0, floorPerSecond: 1, windowMs: 1_000 });
  expect(budget.spend(start)).toBe(true);
  expect(budget.spend(start + 999)).toBe(false);
  expect(budget.spend(start + 1_100)).toBe(true);
});

it("dates requests without a time to the last time it was given, so that they are never counted for too long", () => {
  const budget = createBudget({ ratio: 1, floorPerSecond: 0, windowMs: 1_000 });
  expect(budget.left(start)).toBe(0);
  budget.request();
  budget.request();
  expect(budget.left(start + 500)).toBe(2);
  budget.request();
  expect(budget.left(start + 1_050)).toBe(1);
  budget.request();
  expect(budget.left(start + 90_000)).toBe(0);
});

/** Bursts of requests, or of attempts to retry, each after a share of the window: edges of windows included. */
const history = fc.array(
  fc.record({
    kind: fc.constantFrom("request", "undated", "retry"),
    times: fc.integer({ min: 1, max: 30 }),
    after: fc.constantFrom(0, 0.01, 0.05, 0.3, 0.9, 0.95, 0.99, 1, 1.05),
  }),
  { maxLength: 40 },
);
const options = fc.record({
  ratio: fc.constantFrom(0, 0.1, 0.5, 1),
  floorPerSecond: fc.constantFrom(0, 0.3, 1, 5),
  windowMs: fc.constantFrom(1_000, 3_333, 10_000),
});

it("keeps retries within ratio x requests + floor in every window that ends with a retry", () => {
  fc.assert(
    fc.property(options, history, (given, bursts) => {
      const budget = createBudget(given);
      const requests: number[] = [];
      const retries: number[] = [];
      let now = start;
      const within = (time: number) => time > now - given.windowMs;
      for (const { kind, times, after } of bursts) {
        now += after * given.windowMs;
        for (let n = 0; n < times; n++) {
          if (kind === "retry" && budget.spend(now)) retries.push(now);
          if (kind !== "retry") budget.request(kind === "request" ? now : undefined);
          if (kind !== "retry") requests.push(now);
        }
        const allowed = given.ratio * requests.filter(within).length + (given.floorPerSecond * given.windowMs) / 1_000;
        if (retries.at(-1) === now) expect(retries.filter(within).length).toBeLessThanOrEqual(allowed + 1e-9);
      }
    }),
    { numRuns: 1_000 },
  );
});

it("never allows more over its whole life than all requests paid for and the floor gave", () => {
  fc.assert(
    fc.property(options, history, (given, bursts) => {
      const budget = createBudget(given);
      let [now, requests, retries] = [start, 0, 0];
      for (const { kind, times, after } of bursts) {
        now += after * given.windowMs;
        for (let n = 0; n < times; n++) {
          if (kind === "retry") retries += budget.spend(now) ? 1 : 0;
          else budget.request(now);
        }
        requests += kind === "retry" ? 0 : times;
      }
      const windows = (now - start) / given.windowMs + 1;
      const floor = ((given.floorPerSecond * given.windowMs) / 1_000) * windows;
      expect(retries).toBeLessThanOrEqual(given.ratio * requests + floor + 1e-9);
    }),
  );
});

it("survives a clock that steps back", () => {
  const budget = createBudget({ ratio: 1, floorPerSecond: 0 });
  budget.request(start);
  budget.request(start - 3_600_000);
  expect(budget.left(start)).toBe(2);
});

describe("options out of range", () => {
  it.each<[string, object]>([
    ["`budget.ratio` must be a number, between 0 and 10. It is -1.", { ratio: -1 }],
    ["`budget.windowMs` must be a number, between 100 and", { windowMs: 5 }],
    ["`budget.floorPerSecond` must be a number", { floorPerSecond: Number.POSITIVE_INFINITY }],
    ["Did you mean `budget.ratio`?", { ration: 0.1 }],
  ])("are refused: %s", (sentence, given) => expect(() => createBudget(given)).toThrow(sentence));
});
