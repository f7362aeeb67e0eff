import fc from "fast-check";
import { expect, it } from "vitest";
import { defaultRetryWaitsMs, firstWait, nextWait, retryTopic, waitOfTopic } from "./retry-waits.ts";

/** The waits a delay comes to, one after the other. */
function waitsOf(delayMs: number, waitsMs: readonly number[]): number[] {
  const waits: number[] = [];
  for (let wait = firstWait(delayMs, waitsMs); ; wait = nextWait(wait.restMs, wait.slackMs, waitsMs)) {
    waits.push(wait.waitMs);
    if (wait.restMs === 0) return waits;
    if (waits.length > 10_000) throw new Error("it never ends");
  }
}

it("never waits less than asked for, nor more than a quarter longer from a second on", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400_000 }), (delayMs) => {
      const total = waitsOf(delayMs, defaultRetryWaitsMs).reduce((sum, waitMs) => sum + waitMs, 0);
      expect(total).toBeGreaterThanOrEqual(delayMs);
      expect(total).toBeLessThanOrEqual(Math.max(delayMs * 1.25, delayMs === 0 ? 0 : 1_000));
    }),
  );
});

it("comes to three waits at most, up to the longest", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_024_000 }), (delayMs) => {
      expect(waitsOf(delayMs, defaultRetryWaitsMs).length).toBeLessThanOrEqual(3);
    }),
  );
});

it("ends with any waits, and makes no long chain of short ones", () => {
  const waits = fc
    .uniqueArray(fc.integer({ min: 1_000, max: 1_000_000 }), { minLength: 1, maxLength: 8 })
    .map((some) => [0, ...some.sort((a, b) => a - b)]);
  fc.assert(
    fc.property(waits, fc.nat({ max: 1_000_000 }), (waitsMs, delayMs) => {
      const chain = waitsOf(delayMs, waitsMs);
      expect(chain.reduce((sum, waitMs) => sum + waitMs, 0)).toBeGreaterThanOrEqual(delayMs);
      expect(chain.length).toBeLessThanOrEqual(Math.ceil(delayMs / (waitsMs.at(-1) ?? 1)) + 20);
    }),
  );
});

it.each([
  [0, "q.g.retry.0s"],
  [2_000, "q.g.retry.2s"],
  [1_024_000, "q.g.retry.1024s"],
  [300, "q.g.retry.300ms"],
])("names the topic of a wait of %d ms %s, and reads the name back", (waitMs, topic) => {
  expect(retryTopic("q.g", waitMs)).toBe(topic);
  expect(waitOfTopic(topic, "q.g")).toBe(waitMs);
});

it.each(["q", "q.g", "q.g.retry.", "q.g.retry.soon", "q.g.retry.5s.dlq", "xq.g.retry.5s"])(
  "does not take %s for a retry topic",
  (topic) => {
    expect(waitOfTopic(topic, "q.g")).toBeUndefined();
  },
);
