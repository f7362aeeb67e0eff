import { expect, it, onTestFinished, vi } from "vitest";
import { systemClock } from "./host.ts";

it("tells the time of day in whole milliseconds", () => {
  const now = systemClock.now();
  expect(now).toSatisfy(Number.isInteger);
  expect(Math.abs(now - Date.now())).toBeLessThan(1_000);
});

it.each([
  ["back", -3_600_000],
  ["forward", 3_600_000],
])("goes on as before when the wall clock is set %s", (_, stepMs) => {
  const before = systemClock.now();
  vi.useFakeTimers({ toFake: ["Date"], now: before + stepMs });
  onTestFinished(() => void vi.useRealTimers());
  const passedMs = systemClock.now() - before;
  expect(passedMs).toBeGreaterThanOrEqual(0);
  expect(passedMs).toBeLessThan(10_000);
});
