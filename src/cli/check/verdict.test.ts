import { describe, expect, it } from "vitest";
import { levelOf, type Verdict, writeVerdict } from "./verdict.ts";

const verdict: Verdict = {
  ...{ check: "age", query: 'queue:"out|box"', level: "critical", value: 518_400, warn: 86_400, crit: 432_000 },
  ...{ sentence: "oldest 6d in out|box (41 open)", besides: { open: 41 } },
};

describe("a figure", () => {
  it.each([
    [9, "ok"],
    [10, "warning"],
    [19, "warning"],
    [20, "critical"],
  ])("of %d is held against bounds of 10 and 20: %s", (value, level) => {
    expect(levelOf(value, { warn: 10, crit: 20 })).toBe(level);
  });

  it("is held against the one bound that was given", () => {
    expect(levelOf(20, { warn: null, crit: 20 })).toBe("critical");
    expect(levelOf(19, { warn: null, crit: 20 })).toBe("ok");
    expect(levelOf(20, { warn: 10, crit: null })).toBe("warning");
    expect(levelOf(1e9, { warn: null, crit: null })).toBe("ok");
  });

  it("is said in words with the bound that it reached", () => {
    expect(writeVerdict(verdict, "text")).toBe("critical: oldest 6d in out|box (41 open) (critical from 120h on)");
    expect(writeVerdict({ ...verdict, level: "ok" }, "text")).toBe("ok: oldest 6d in out|box (41 open)");
  });

  it("is one line for a monitoring plugin, with one bar before the figures whatever a queue is called", () => {
    expect(writeVerdict(verdict, "nagios")).toBe(
      "DLO CRITICAL - oldest 6d in out/box (41 open) | oldest=518400s;86400;432000 open=41",
    );
    const unbounded = { ...verdict, check: "depth", value: 41, warn: null, besides: {}, crit: 50 } as const;
    expect(writeVerdict(unbounded, "nagios")).toContain(" | open=41;;50");
  });

  it("is a gauge for Prometheus, with its level beside it", () => {
    const lines = writeVerdict(verdict, "prometheus").split("\n");
    expect(lines.filter((line) => !line.startsWith("#"))).toEqual([
      'dlo_check_oldest_letter_seconds{query="queue:\\"out|box\\""} 518400',
      'dlo_check_level{check="age",query="queue:\\"out|box\\""} 2',
    ]);
  });

  it("is one document for a program", () => {
    expect(JSON.parse(writeVerdict(verdict, "json"))).toMatchObject({
      ...{ check: "age", level: "critical", value: 518_400, unit: "seconds", crit: 432_000, besides: { open: 41 } },
    });
  });
});
