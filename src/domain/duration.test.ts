import { describe, expect, it } from "vitest";
import { durationMs, showAge } from "./duration.ts";

describe("durationMs", () => {
  it.each([
    ["500ms", 500],
    ["1.5s", 1_500],
    ["2m", 120_000],
    ["1h", 3_600_000],
    ["1d", 86_400_000],
    ["10", 10_000],
    [" 3s ", 3_000],
    ["", Number.NaN],
    ["-1s", Number.NaN],
    ["1 s", Number.NaN],
    ["1y", Number.NaN],
    ["1e3s", Number.NaN],
  ])("reads %j", (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });
});

describe("showAge", () => {
  it.each([
    [0, "0ms"],
    [999, "999ms"],
    [61_000, "1m"],
    [7_199_999, "1h"],
    [40 * 86_400_000, "40d"],
  ])("says %d as %s", (ms, text) => {
    expect(showAge(ms)).toBe(text);
  });
});
