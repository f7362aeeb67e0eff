import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linearScale, logScale, roundStep } from "./scale.ts";

describe("linearScale", () => {
  it("labels round values and widens to them", () => {
    const scale = linearScale(0, 616, 4, { widen: true });
    expect(scale.ticks).toEqual([0, 250, 500, 750]);
    expect([scale.place(0), scale.place(375), scale.place(750)]).toEqual([0, 0.5, 1]);
  });

  it("keeps to its ends when it must not widen", () => {
    const scale = linearScale(-20, 299, 6);
    expect(scale.ticks).toEqual([0, 100, 200]);
    expect([scale.place(-20), scale.place(299)]).toEqual([0, 1]);
  });

  it("places a single value without dividing by nothing", () => {
    expect(linearScale(5, 5, 4).place(5)).toBe(0);
  });
});

describe("logScale", () => {
  it("labels powers of ten between round values", () => {
    const scale = logScale(1_140, 101_000);
    expect(scale.ticks).toEqual([1_000, 10_000, 100_000]);
    expect(scale.place(1_000)).toBeCloseTo(0);
    expect(scale.place(200_000)).toBeCloseTo(1);
  });
});

describe("roundStep", () => {
  it("gives a value not below what it is given, and not above ten times that", () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), (step) => {
        const round = roundStep(step);
        expect(round).toBeGreaterThanOrEqual(step * (1 - 1e-8));
        expect(round).toBeLessThanOrEqual(step * 10);
      }),
    );
  });

  it.each([
    [0, 1],
    [3, 5],
    [21, 25],
    [0.2, 0.2],
    [60, 100],
  ])("makes of %d a step of %d", (step, round) => {
    expect(roundStep(step)).toBeCloseTo(round);
  });
});
