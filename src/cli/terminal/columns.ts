import { axisLines } from "./axis.ts";
import { linearScale } from "./scale.ts";
import type { Terminal } from "./terminal.ts";
import { padLeft } from "./text.ts";
import { showNumber } from "./units.ts";

const lowBlocks = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const asciiBlocks = [" ", ".", ".", ":", ":", "|", "|", "#", "#"] as const;
const chartRows = 8;
const widestChart = 110;
const roomForLabels = 10;

export interface ColumnChart {
  readonly title: string;
  /** Left to right; where there is room, each is drawn several characters wide. */
  readonly values: readonly number[];
  /** What the left edge of the first column and the right edge of the last one stand for. */
  readonly from: number;
  readonly to: number;
  readonly unit: string;
}

/** Upright columns over an axis: how much, when. */
export function columnChart({ title, values, from, to, unit }: ColumnChart, terminal: Terminal): string {
  const scale = linearScale(0, Math.max(1, ...values), 3, { widen: true });
  const labels = scale.ticks.map((tick) => showNumber(tick));
  const gutter = Math.max(...labels.map((label) => label.length));
  const labelAt = new Map(scale.ticks.map((tick, index) => [Math.round(scale.place(tick) * chartRows), labels[index]]));
  const across = Math.max(1, Math.floor(chartColumns(terminal) / values.length));
  const [tickMark, edge] = terminal.unicode ? ["┤", "│"] : ["+", "|"];
  const rows = Array.from({ length: chartRows }, (_, index) => {
    const row = chartRows - index;
    const label = labelAt.get(row);
    const drawn = values.map((value) => blockIn(row, scale.place(value), terminal).repeat(across)).join("");
    return `${padLeft(label ?? "", gutter)} ${label === undefined ? edge : tickMark}${terminal.paint("cyan", drawn.trimEnd())}`;
  });
  const columns = values.length * across;
  const axis = { scale: linearScale(from, to, Math.floor(columns / 10)), unit, columns, indent: gutter + 1 };
  return [terminal.paint("bold", title), ...rows, ...axisLines(axis, terminal)].join("\n");
}

/** What a column as high as `share` of the chart shows in the row that many from the bottom. */
function blockIn(row: number, share: number, terminal: Terminal): string {
  return block(shownEighths(share * chartRows * 8) - (row - 1) * 8, terminal);
}

/** How many characters there are for columns beside the labels. */
export function chartColumns({ columns }: Terminal): number {
  return Math.min(widestChart, columns) - roomForLabels;
}

/** A row of characters of different height, for one line of a table; several values to a character are averaged. */
export function sparkline(values: readonly number[], width: number, highest: number, terminal: Terminal): string {
  const count = Math.min(width, values.length);
  return Array.from({ length: count }, (_, index) => {
    const from = Math.floor((index * values.length) / count);
    const to = Math.floor(((index + 1) * values.length) / count);
    const part = values.slice(from, Math.max(to, from + 1));
    const mean = part.reduce((sum, value) => sum + value, 0) / part.length;
    return block(shownEighths((mean / highest) * 8), terminal);
  }).join("");
}

/** Rounds to eighths of a character, but shows the least there is. */
function shownEighths(height: number): number {
  return height > 0 ? Math.max(1, Math.round(height)) : 0;
}

function block(height: number, { unicode }: Terminal): string {
  const blocks = unicode ? lowBlocks : asciiBlocks;
  return blocks[Math.min(8, Math.max(0, height))] ?? " ";
}
