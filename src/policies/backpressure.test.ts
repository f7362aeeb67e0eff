import fc from "fast-check";
import { expect, it } from "vitest";
import { assessBackpressure, neededConcurrency } from "./backpressure.ts";

it("needs arrivals per second x seconds per message, by Little's law", () => {
  expect(neededConcurrency({ arrivalsPerSecond: 100, handlingMs: 200 })).toBe(20);
  expect(neededConcurrency({ arrivalsPerSecond: 0, handlingMs: 200 })).toBe(0);
});

it("needs more to work off what waits in the time allowed", () => {
  const load = { arrivalsPerSecond: 100, handlingMs: 200, backlog: 36_000, clearWithinMs: 600_000 };
  expect(neededConcurrency(load)).toBe(20 + 12);
});

it("does not call for a handler more because of binary fractions", () => {
  expect(neededConcurrency({ arrivalsPerSecond: 3, handlingMs: 100, backlog: 7, clearWithinMs: 1_000 })).toBe(1);
});

it("clears the backlog in time when given what it asks for", () => {
  const load = fc.record({
    arrivalsPerSecond: fc.double({ min: 0, max: 1_000, noNaN: true }),
    handlingMs: fc.integer({ min: 1, max: 10_000 }),
    backlog: fc.nat({ max: 100_000 }),
    clearWithinMs: fc.integer({ min: 1_000, max: 86_400_000 }),
  });
  fc.assert(
    fc.property(load, (given) => {
      const perSecond = (neededConcurrency(given) * 1_000) / given.handlingMs;
      const cleared = ((perSecond - given.arrivalsPerSecond) * given.clearWithinMs) / 1_000;
      expect(cleared).toBeGreaterThanOrEqual(given.backlog - 0.01 * (1 + given.backlog));
    }),
  );
});

it("says how many consumers a depth over its limit calls for", () => {
  const load = { arrivalsPerSecond: 100, handlingMs: 200, backlog: 36_000, clearWithinMs: 600_000 };
  expect(assessBackpressure(load, { concurrency: 10, depthLimit: 1_000 })).toEqual({
    concurrency: 32,
    consumers: 4,
    isOverLimit: true,
  });
  expect(assessBackpressure(load, { concurrency: 10, depthLimit: 36_000 }).isOverLimit).toBe(false);
});

it("refuses numbers that make no sense, by name", () => {
  expect(() => neededConcurrency({ arrivalsPerSecond: -1, handlingMs: 1 })).toThrow("`arrivalsPerSecond` must be");
  expect(() => neededConcurrency({ arrivalsPerSecond: 1, handlingMs: 1, clearWithinMs: 0 })).toThrow("`clearWithinMs`");
});
