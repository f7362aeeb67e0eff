import { describe, expect, it } from "vitest";
import { axisUnit, showDecimal, showDuration, showNumber, showShare, showShortDuration } from "./units.ts";

describe("what people read", () => {
  it.each([
    [0, "0 ms", "0ms"],
    [2.5, "2.5 ms", "2.5ms"],
    [850, "850 ms", "850ms"],
    [1_250, "1.25 s", "1.25s"],
    [15_500, "15.5 s", "15.5s"],
    [60_000, "1 min", "1m"],
    [154_000, "2 min 34 s", "2m34s"],
    [5_400_000, "1 h 30 min", "1h30m"],
  ])("%d ms is %s, short %s", (ms, shown, short) => {
    expect([showDuration(ms), showShortDuration(ms)]).toEqual([shown, short]);
  });

  it("sets thousands apart and drops needless zeros", () => {
    expect([showNumber(63_314.4), showNumber(7.5, 1), showNumber(8, 1), showDecimal(8, 1)]).toEqual([
      "63,314",
      "7.5",
      "8",
      "8.0",
    ]);
  });

  it("shows small shares finer than large ones", () => {
    expect([showShare(0.017), showShare(0.5)]).toEqual(["1.7 %", "50 %"]);
  });

  it("labels an axis in the unit that gives small numbers", () => {
    const names = [1_500, 15_000, 1_200_000, 90_000_000].map((ms) => axisUnit(ms).name);
    expect(names).toEqual(["ms", "s", "min", "h"]);
  });
});
