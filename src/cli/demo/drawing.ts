import type { Scene } from "../../demo/scene.ts";
import type { Line } from "../../demo/sentences.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { wrap } from "../terminal/text.ts";
import { drawCharts, drawGauges } from "./gauges.ts";
import { type Glyphs, glyphsFor } from "./glyphs.ts";
import { inks } from "./inks.ts";
import { type Layout, layOut, leastColumns, leastRows } from "./layout.ts";
import { drawPipeline } from "./pipeline.ts";
import { Sheet } from "./sheet.ts";

/** What is drawn on, and what is said around the scene. */
export interface Frame {
  readonly columns: number;
  readonly rows: number;
  readonly seed: number;
  readonly speed: number;
  /** The watcher has stopped the clock. */
  readonly halted: boolean;
  /** Keys are heard; otherwise Ctrl-C is all there is. */
  readonly hasKeys: boolean;
}

/** Draws a scene as `rows` lines of `columns` characters each. */
export function drawScene(scene: Scene, frame: Frame, terminal: Terminal): string[] {
  const sheet = new Sheet(frame.columns, frame.rows);
  const glyphs = glyphsFor(terminal);
  if (frame.columns < leastColumns || frame.rows < leastRows) drawSmall(sheet, scene, glyphs);
  else drawWhole(sheet, scene, frame, { glyphs, terminal });
  return sheet.lines(terminal);
}

interface Means {
  readonly glyphs: Glyphs;
  readonly terminal: Terminal;
}

function drawWhole(sheet: Sheet, scene: Scene, frame: Frame, { glyphs, terminal }: Means): void {
  const layout = layOut(frame.columns, frame.rows);
  drawHeader(sheet, scene, layout, glyphs);
  drawPipeline(sheet, scene, layout, glyphs);
  drawGauges(sheet, scene, layout, glyphs);
  drawCharts(sheet, scene, layout, terminal);
  drawFeed(sheet, scene.lines, { ...layout.feed, left: layout.left, right: layout.right }, glyphs);
  drawFooter(sheet, frame, layout);
}

/** Longer lines are hard to read. */
const widestCaption = 100;

function drawHeader(sheet: Sheet, { act, atMs }: Scene, { left, right, caption }: Layout, glyphs: Glyphs): void {
  sheet.put(left, 0, "Dead Letter Office", inks.strong);
  sheet.put(left + 20, 0, "the runtime, live, in this process", inks.faint);
  sheet.putEndingAt(right, 0, clockTime(atMs));
  const titleX = sheet.put(left, 1, `${act.number} of ${act.of}  `, inks.faint);
  sheet.put(titleX, 1, act.title, inks.strong);
  const dots = glyphs.act.played.repeat(act.number) + glyphs.act.ahead.repeat(act.of - act.number);
  sheet.putEndingAt(right, 1, dots, inks.flow);
  for (const [line, text] of wrap(act.caption, Math.min(widestCaption, right - left)).entries())
    sheet.put(left, caption + line, text);
}

interface FeedPlace {
  readonly y: number;
  readonly rows: number;
  readonly left: number;
  readonly right: number;
}

const lineInks = { plain: inks.plain, good: inks.good, waiting: inks.waiting, bad: inks.bad } as const;

function drawFeed(sheet: Sheet, lines: readonly Line[], { y, rows, left, right }: FeedPlace, { signs }: Glyphs): void {
  for (const [row, { atMs, tone, text }] of lines.slice(-rows).entries()) {
    const signX = sheet.put(left, y + row, `${clockTime(atMs)} `, inks.faint);
    const textX = sheet.put(signX, y + row, `${signs[tone]} `, lineInks[tone]);
    sheet.put(textX, y + row, text, inks.plain, right - textX);
  }
}

function drawFooter(sheet: Sheet, { seed, speed, halted, hasKeys }: Frame, { left, right, footer }: Layout): void {
  const keysX = halted ? sheet.put(left, footer, "halted   ", inks.caution) : left;
  const keys = halted ? "space goes on   q quits" : "space halts   q quits";
  sheet.put(keysX, footer, hasKeys ? keys : "Ctrl-C quits", inks.faint);
  sheet.putEndingAt(right, footer, `in-process transport   seed ${seed}   speed ${speed}x`, inks.faint);
}

/** A window too small for the picture still gets the story, and is told what it lacks. */
function drawSmall(sheet: Sheet, { act, lines }: Scene, glyphs: Glyphs): void {
  const { columns, rows } = sheet;
  const caption = wrap(act.caption, columns);
  sheet.put(0, 0, act.title, inks.strong, columns);
  for (const [line, text] of caption.entries()) sheet.put(0, 1 + line, text);
  const y = caption.length + 2;
  drawFeed(sheet, lines, { y, rows: Math.max(0, rows - 1 - y), left: 0, right: columns }, glyphs);
  sheet.put(
    0,
    rows - 1,
    `The picture needs ${leastColumns} x ${leastRows}; here are ${columns} x ${rows}.`,
    inks.faint,
  );
}

/** `01:07`, minutes and seconds since the story began. */
export function clockTime(ms: number): string {
  const whole = Math.floor(ms / 1_000);
  return `${String(Math.floor(whole / 60)).padStart(2, "0")}:${String(whole % 60).padStart(2, "0")}`;
}
