import { describe, expect, it } from "vitest";
import { type Column, table } from "./table.ts";
import type { Terminal } from "./terminal.ts";

const screen = (columns: number, interactive = true): Terminal => ({
  ...{ columns, interactive, unicode: true, color: false, paint: (_tone, text) => text },
});
const columns: readonly Column[] = [
  { title: "WHY", align: "left", optional: true },
  { title: "GROUP", align: "left" },
  { title: "OPEN", align: "right" },
  { title: "24H", align: "left", optional: true },
  { title: "WHAT", align: "left" },
];
const rows = [["growing", "grp_1", "1,204", "......", "TimeoutError: the payment service did not answer"]];
const lines = (width: number, interactive?: boolean) => table(columns, rows, screen(width, interactive)).split("\n");

describe("a table", () => {
  it("shows everything where there is room, and to whoever is no screen", () => {
    expect(lines(200)[1]).toContain("growing  grp_1  1,204  ......  TimeoutError: the payment service did not answer");
    expect(lines(40, false)).toEqual(lines(200));
  });

  it("cuts the last column on a screen that is too narrow for it", () => {
    expect(lines(60)[1]).toBe("growing  grp_1  1,204  ......  TimeoutError: the payment se…");
  });

  it("leaves out what may be left out, from the right, before it becomes wider than the screen", () => {
    expect(lines(44)[0]).toBe("WHY      GROUP   OPEN  WHAT");
    expect(lines(32)[0]).toBe("GROUP   OPEN  WHAT");
    expect(lines(20)[0]).toBe("GROUP   OPEN");
    for (const width of [20, 32, 44, 60, 80]) expect(lines(width)[1]?.length).toBeLessThanOrEqual(width);
  });
});
