import { axisLines } from "./axis.ts";
import { type Canvas, createCanvas, markOf } from "./canvas.ts";
import { linearScale, logScale, type Scale } from "./scale.ts";
import type { Terminal, Tone } from "./terminal.ts";
import { fill, padLeft } from "./text.ts";
import { showNumber } from "./units.ts";

export interface LinePlot {
  readonly title: string;
  /** Unit of the horizontal axis, written at its end. */
  readonly xUnit: string;
  /** "log" where the lines would otherwise all but one lie on the floor. */
  readonly yScale: "linear" | "log";
  readonly series: readonly Series[];
  /** A dashed line across. */
  readonly level?: { readonly name: string; readonly y: number };
  /** A stretch of the horizontal axis drawn thick. */
  readonly span?: { readonly name: string; readonly from: number; readonly to: number };
}

export interface Series {
  readonly name: string;
  readonly points: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const plotRows = 12;
const widestPlot = 100;
/** Keeps the highest line off the upper edge. */
const headroom = 1.1;
const tones: readonly Tone[] = ["cyan", "yellow", "magenta", "green", "blue", "red"];

/**
 * Lines over two axes, as wide as the terminal allows.
 *
 * In colour they are drawn in braille dots. Without colour braille lines could not be told apart, so each has a mark
 * of its own.
 */
export function linePlot(plot: LinePlot, terminal: Terminal): string {
  const points = plot.series.flatMap((series) => series.points);
  const y = yScaleOf(plot, points);
  const labels = y.ticks.map((tick) => showNumber(tick, 2));
  const gutter = Math.max(...labels.map((label) => label.length));
  const columns = Math.min(widestPlot, terminal.columns - gutter - 3);
  const xs = points.map((point) => point.x);
  const x = linearScale(Math.min(...xs), Math.max(...xs), Math.floor(columns / 12));
  const canvas = createCanvas(columns, plotRows, { braille: drawsInBraille(plot, terminal) });
  for (const [index, series] of plot.series.entries()) drawSeries(canvas, series.points, { x, y }, index);
  return [
    terminal.paint("bold", plot.title),
    ...body(canvas, plot, y, { labels, gutter }, terminal),
    ...axisLines({ scale: x, unit: plot.xUnit, columns, indent: gutter + 1, span: plot.span }, terminal),
    ...legend(plot, gutter + 2, terminal),
  ].join("\n");
}

/** Several lines in braille can only be told apart by colour. */
function drawsInBraille({ series }: LinePlot, { unicode, color }: Terminal): boolean {
  return unicode && (color || series.length === 1);
}

function yScaleOf({ yScale, level }: LinePlot, points: readonly Point[]): Scale {
  const ys = [...points.map((point) => point.y), ...(level === undefined ? [] : [level.y])];
  if (yScale === "linear") return linearScale(0, Math.max(1, ...ys) * headroom, 4, { widen: true });
  const positive = ys.filter((value) => value > 0);
  return logScale(Math.min(...positive), Math.max(...positive));
}

function drawSeries(canvas: Canvas, points: readonly Point[], { x, y }: { x: Scale; y: Scale }, index: number): void {
  const dots = points.map((point) => ({
    x: Math.round(x.place(point.x) * (canvas.width - 1)),
    y: Math.round(y.place(point.y) * (canvas.height - 1)),
  }));
  for (const [place, dot] of dots.entries()) canvas.line(dots[place - 1] ?? dot, dot, index);
}

interface Gutter {
  readonly labels: readonly string[];
  readonly gutter: number;
}

function body(
  canvas: Canvas,
  { level }: LinePlot,
  y: Scale,
  { labels, gutter }: Gutter,
  { unicode, paint }: Terminal,
): string[] {
  const rowOf = (value: number) => plotRows - 1 - Math.round(y.place(value) * (plotRows - 1));
  const labelAt = new Map(y.ticks.map((tick, index) => [rowOf(tick), labels[index] ?? ""]));
  const levelRow = level === undefined ? -1 : rowOf(level.y);
  const [tickMark, edge, dash] = unicode ? ["┤", "│", "╌"] : ["+", "|", "-"];
  return canvas.rows().map((cells, row) => {
    const label = labelAt.get(row);
    const blank = row === levelRow ? paint("dim", dash) : " ";
    const drawn = cells.map((cell) => (cell === null ? blank : paint(toneOf(cell.series), cell.glyph))).join("");
    return `${padLeft(label ?? "", gutter)} ${label === undefined ? edge : tickMark}${drawn}`.trimEnd();
  });
}

function toneOf(series: number): Tone {
  return tones[series % tones.length] ?? "cyan";
}

function legend(plot: LinePlot, indent: number, terminal: Terminal): string[] {
  const { series, level, span } = plot;
  const { unicode, paint } = terminal;
  const markFor = (index: number) => (drawsInBraille(plot, terminal) ? "⠒⠒" : markOf(index));
  const entries = [
    ...series.map(({ name }, index) => `${paint(toneOf(index), markFor(index))} ${name}`),
    ...(level === undefined ? [] : [`${unicode ? "╌╌" : "--"} ${level.name}`]),
    ...(span === undefined ? [] : [`${unicode ? "━━" : "=="} ${span.name}`]),
  ];
  return fill(entries, terminal.columns - indent).map((line) => " ".repeat(indent) + line);
}
