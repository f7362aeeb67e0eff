import { describe, expect, it } from "vitest";
import { bars } from "./bars.ts";
import { columnChart, sparkline } from "./columns.ts";
import { type LinePlot, linePlot } from "./line-plot.ts";
import { table } from "./table.ts";
import { terminalOf } from "./terminal.ts";
import { shownWidth, wrap } from "./text.ts";

function paper(columns: number, env: Record<string, string> = {}) {
  return terminalOf({ write() {}, columns }, { LANG: "C.UTF-8", ...env });
}

const plain = paper(50, { LANG: "C" });
const coloured = paper(50, { FORCE_COLOR: "1" });

const outage: LinePlot = {
  title: "requests a second",
  xUnit: "s",
  yScale: "linear",
  series: [
    { name: "offered", points: [0, 10, 20, 30, 40].map((x) => ({ x, y: x < 20 ? 100 : 200 })) },
    { name: "goodput", points: [0, 10, 20, 30, 40].map((x) => ({ x, y: x < 20 ? 100 : 0 })) },
  ],
  level: { name: "capacity", y: 150 },
  span: { name: "outage", from: 10, to: 20 },
};

describe("linePlot", () => {
  it("draws each line with a mark of its own where there is no colour", () => {
    expect(`\n${linePlot(outage, plain)}\n`).toMatchInlineSnapshot(`
      "
      requests a second
      300 +
          |
          |
          |
      200 +                     ooooooooooooooooooooooo
          |-----------------oooo-----------------------
          |             oooo
      100 +xxxxxxxxxxxxx
          |             xxx
          |                xx
          |                  xxx
        0 +                     xxxxxxxxxxxxxxxxxxxxxxx
          ++----------============--------------------+
           0                     20                40 s
           o offered   x goodput   -- capacity
           == outage
      "
    `);
  });

  it("draws in braille where there is colour, with the same axes", () => {
    const drawn = linePlot(outage, coloured);
    expect(drawn).toMatch(/[\u2801-\u28ff]/);
    expect(drawn).toContain("\u001b[36m");
    expect(drawn).toContain("20");
    expect(drawn).toContain("40 s\n");
  });

  it("draws a single line in braille without colour", () => {
    expect(linePlot({ ...outage, series: outage.series.slice(0, 1) }, paper(50))).toMatch(/[\u2801-\u28ff]/);
  });

  it.each([40, 80, 120, 300])("keeps within %d columns", (columns) => {
    const widths = linePlot(outage, paper(columns, { FORCE_COLOR: "1" }))
      .split("\n")
      .map(shownWidth);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
  });

  it("draws a single point, and a line of zeros", () => {
    const series = [{ name: "one", points: [{ x: 5, y: 0 }] }];
    expect(linePlot({ title: "t", xUnit: "s", yScale: "linear", series }, plain)).toContain("o");
  });
});

describe("columnChart", () => {
  const chart = { title: "calls", values: [0, 4, 8, 1], from: 0, to: 4, unit: "s" };

  it("draws columns as wide as there is room, over an axis", () => {
    expect(`\n${columnChart(chart, paper(50))}\n`).toMatchInlineSnapshot(`
      "
      calls
      10 ┤
         │                    ▃▃▃▃▃▃▃▃▃▃
         │                    ██████████
         │                    ██████████
       5 ┤          ▂▂▂▂▂▂▂▂▂▂██████████
         │          ████████████████████
         │          ████████████████████
         │          ████████████████████▆▆▆▆▆▆▆▆▆▆
         └┴───────────────────┴──────────────────┴
          0                   2                4 s
      "
    `);
  });

  it("shows the least there is, and nothing for nothing", () => {
    const [bottom = ""] = columnChart({ ...chart, values: [0, 1, 1_000_000] }, paper(40))
      .split("\n")
      .slice(-3);
    expect(bottom).toMatch(/│ +▁+█+$/);
  });

  it("uses plain characters where others do not arrive", () => {
    expect(columnChart(chart, plain)).toMatch(/^[\x20-\x7e\n]+$/);
  });
});

describe("sparkline", () => {
  it("averages what it has no room for", () => {
    expect(sparkline([0, 0, 8, 8, 4, 4], 3, 8, paper(50))).toBe(" █▄");
  });

  it("draws each value once where there is room to spare", () => {
    expect(sparkline([8, 0, 4], 10, 8, plain)).toBe("# :");
  });
});

describe("bars", () => {
  it("gives the longest all the room, its value behind it", () => {
    const drawn = bars(
      "Calls",
      [
        { name: "none", value: 8_004 },
        { name: "full", value: 1_770 },
        { name: "zero", value: 0 },
      ],
      "calls",
      paper(40),
    );
    expect(`\n${drawn}\n`).toMatchInlineSnapshot(`
      "
      Calls
      none  █████████████████████ 8,004 calls
      full  ████▋ 1,770 calls
      zero   0 calls
      "
    `);
    expect(Math.max(...drawn.split("\n").map(shownWidth))).toBeLessThanOrEqual(40);
  });
});

describe("table", () => {
  it("makes columns as wide as what they hold, colours not counted", () => {
    const drawn = table(
      [
        { title: "POLICY", align: "left" },
        { title: "CALLS", align: "right" },
      ],
      [
        [coloured.paint("red", "fixed"), "1,234,567"],
        ["bounded-queue", "1"],
      ],
      plain,
    );
    expect(drawn.split("\n").map((line) => shownWidth(line))).toEqual([24, 24, 24]);
  });
});

describe("wrap", () => {
  it("breaks between words, never before a percent sign, and keeps a word that is too long", () => {
    expect(wrap("at most 20 % of requests, incomprehensibilities aside", 12)).toEqual([
      "at most 20 %",
      "of requests,",
      "incomprehensibilities",
      "aside",
    ]);
  });
});
