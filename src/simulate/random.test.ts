import { describe, expect, it } from "vitest";
import { normalVariates, seededRandom } from "./random.ts";

const many = 100_000;

function take(count: number, next: () => number): number[] {
  return Array.from({ length: count }, next);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

describe("seededRandom", () => {
  it("gives the same numbers for the same seed", () => {
    expect(take(10, seededRandom("7"))).toEqual(take(10, seededRandom("7")));
  });

  it("gives other numbers for a seed that differs in one character", () => {
    const [one, other] = [take(100, seededRandom("contention/1")), take(100, seededRandom("contention/2"))];
    expect(one.filter((value, index) => value === other[index])).toEqual([]);
  });

  it("stays the same from release to release, so that a published seed keeps its meaning", () => {
    expect(take(3, seededRandom("dlo"))).toMatchInlineSnapshot(`
      [
        0.6082272368948907,
        0.06711617484688759,
        0.4428733908571303,
      ]
    `);
  });

  it("spreads evenly over 0 to 1, 1 excluded", () => {
    const values = take(many, seededRandom("even"));
    expect(Math.min(...values.slice(0, 10_000))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values.slice(0, 10_000))).toBeLessThan(1);
    const tenths = Array.from({ length: 10 }, (_, tenth) => values.filter((value) => Math.floor(value * 10) === tenth));
    for (const inTenth of tenths) expect(inTenth.length / many).toBeCloseTo(0.1, 2);
  });
});

describe("normalVariates", () => {
  it("are centred on 0 with a standard deviation of 1", () => {
    const values = take(many, normalVariates(seededRandom("normal")));
    expect(meanOf(values)).toBeCloseTo(0, 1);
    expect(meanOf(values.map((value) => value * value))).toBeCloseTo(1, 1);
  });

  it("fall within one, two and three deviations as often as the bell curve says", () => {
    const values = take(many, normalVariates(seededRandom("bell")));
    const within = (deviations: number) => values.filter((value) => Math.abs(value) < deviations).length / many;
    expect(within(1)).toBeCloseTo(0.6827, 2);
    expect(within(2)).toBeCloseTo(0.9545, 2);
    expect(within(3)).toBeCloseTo(0.9973, 2);
  });
});
