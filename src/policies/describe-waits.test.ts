import { expect, it } from "vitest";
import { backoff } from "./backoff.ts";
import { describeWaits } from "./describe-waits.ts";

it("gives the exact range and mean of a plain jitter", () => {
  const waits = describeWaits({ strategy: "exponential", initialMs: 1_000, maxMs: 3_000 }, 3);
  expect(waits).toEqual([
    { attempt: 1, minMs: 0, meanMs: 500, maxMs: 1_000, stage: null },
    { attempt: 2, minMs: 0, meanMs: 1_000, maxMs: 2_000, stage: null },
    { attempt: 3, minMs: 0, meanMs: 1_500, maxMs: 3_000, stage: null },
  ]);
});

it("names the stage that each attempt waits on", () => {
  const stages = describeWaits({ strategy: "staged" }, 4).map(({ stage, meanMs }) => [stage, meanMs]);
  expect(stages).toEqual([
    ["10s", 10_000],
    ["60s", 60_000],
    ["300s", 300_000],
    ["300s", 300_000],
  ]);
});

it("follows decorrelated jitter from wait to wait, within 2 % of what chance gives", () => {
  const options = { strategy: "exponential", jitter: "decorrelated", initialMs: 100, maxMs: 20_000 } as const;
  const wait = backoff(options);
  const random = seeded(7);
  const lives = 50_000;
  const totals = [0, 0, 0, 0, 0, 0];
  for (let life = 0; life < lives; life++) {
    let previousMs: number | undefined;
    for (let attempt = 1; attempt <= totals.length; attempt++) {
      previousMs = wait(attempt, random, previousMs);
      totals[attempt - 1] = (totals[attempt - 1] ?? 0) + previousMs;
    }
  }
  const described = describeWaits(options, totals.length);
  for (const [index, total] of totals.entries()) {
    const ratio = (described[index]?.meanMs ?? 0) / (total / lives);
    expect(Math.abs(ratio - 1)).toBeLessThan(0.02);
  }
  expect(described.map(({ maxMs }) => maxMs)).toEqual([300, 900, 2_700, 8_100, 20_000, 20_000]);
});

it("refuses to describe no attempt at all", () => {
  expect(() => describeWaits({ strategy: "immediate" }, 0)).toThrow("`attempts` must be a whole number");
});

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
