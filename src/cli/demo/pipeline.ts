import type { LetterNow, RunningNow, Scene, WaitingNow } from "../../demo/scene.ts";
import { seconds } from "../../demo/sentences.ts";
import type { Glyphs } from "./glyphs.ts";
import { inks } from "./inks.ts";
import { type Box, endOf, type Layout } from "./layout.ts";
import type { Ink, Sheet } from "./sheet.ts";

/** Something that went along an arrow so lately keeps it lit, in milliseconds. */
const litForMs = 350;

/** Producer, queue, handlers and dependency, with the ways that failures take below them. */
export function drawPipeline(sheet: Sheet, scene: Scene, layout: Layout, glyphs: Glyphs): void {
  const { upper, lower } = layout;
  const pen = new Pen(sheet, glyphs);
  drawCheckout(pen, upper.checkout, scene);
  drawQueue(pen, upper.queue, scene);
  drawHandlers(pen, upper.handlers, scene);
  drawPayments(pen, upper.payments, scene);
  drawInbox(pen, lower.inbox, scene);
  drawWaiting(pen, lower.waiting, scene.waiting);
  drawLetters(pen, lower.deadLetters, countedTitle("dead letters", scene.deadLetters.length), scene.deadLetters);
  drawLetters(pen, lower.quarantine, "quarantine", scene.quarantine);
  drawArrows(pen, layout, scene.flows);
}

/** Draws boxes and what is in them. */
class Pen {
  readonly sheet: Sheet;
  readonly glyphs: Glyphs;

  constructor(sheet: Sheet, glyphs: Glyphs) {
    this.sheet = sheet;
    this.glyphs = glyphs;
  }

  box({ x, y, width, height }: Box, title: string, titleInk: Ink = inks.strong, border: Ink = inks.faint): void {
    const { horizontal, vertical, corners } = this.glyphs;
    const edge = horizontal.repeat(width - 2);
    this.sheet.put(x, y, corners.nw + edge + corners.ne, border);
    this.sheet.put(x, y + height - 1, corners.sw + edge + corners.se, border);
    for (let row = y + 1; row < y + height - 1; row++) {
      this.sheet.put(x, row, vertical, border);
      this.sheet.put(x + width - 1, row, vertical, border);
    }
    this.sheet.put(x + 1, y, ` ${title} `, titleInk, width - 2);
  }

  /** Writes into a box, on the line of that number from 0. Lines that do not fit are left out. */
  write({ x, y, width, height }: Box, line: number, text: string, ink: Ink = inks.plain): void {
    if (line < height - 2) this.sheet.put(x + 2, y + 1 + line, text, ink, width - 3);
  }

  /** Lines and columns of text a box has room for. */
  room({ width, height }: Box): { readonly columns: number; readonly lines: number } {
    return { columns: width - 4, lines: height - 2 };
  }
}

function drawCheckout(pen: Pen, box: Box, { checkout }: Scene): void {
  pen.box(box, "checkout");
  pen.write(box, 0, checkout.perSecond === 0 ? "closed" : `${checkout.perSecond}/second`);
  pen.write(box, 1, `${checkout.sent} sent`, inks.faint);
}

function drawQueue(pen: Pen, box: Box, { queue: { name, ready }, handlers }: Scene): void {
  const { columns, lines } = pen.room(box);
  pen.box(box, countedTitle(`queue ${name}`, ready));
  const ink = handlers.paused ? inks.waiting : inks.flow;
  const used = Math.min(lines, Math.ceil(ready / columns));
  for (let line = 0; line < used; line++) {
    pen.write(box, line, pen.glyphs.message.repeat(Math.min(columns, ready - line * columns)), ink);
  }
  const unseen = ready - columns * lines;
  if (unseen > 0) pen.sheet.putEndingAt(endOf(box) - 2, box.y + lines, ` +${unseen}`, ink);
  if (used < lines) pen.write(box, used, queueWords(ready, handlers.paused), inks.faint);
}

function queueWords(ready: number, paused: boolean): string {
  if (paused) return "waiting, unharmed";
  return ready === 0 ? "empty" : "ready to be taken";
}

function drawHandlers(pen: Pen, box: Box, { handlers: { of, paused, running } }: Scene): void {
  const { columns, lines } = pen.room(box);
  pen.box(box, `handlers ${running.length}/${of}`);
  const slots = Array.from({ length: of }, (_, slot) => running.find((one) => one.slot === slot));
  if (paused && running.length === 0) pen.write(box, 0, "paused", inks.caution);
  else if (lines < of) drawSlotGrid(pen, box, slots, { across: Math.ceil(of / lines), columns });
  else for (const [line, slot] of slots.entries()) pen.write(box, line, slotWords(slot, pen.glyphs), slotInk(slot));
}

function slotWords(slot: RunningNow | undefined, { idle }: Glyphs): string {
  if (slot === undefined) return idle;
  const { order, attempt, forMs } = slot;
  return `${order}  ${seconds(forMs)}${attempt === 1 ? "" : `  attempt ${attempt}`}`;
}

function slotInk(slot: RunningNow | undefined): Ink {
  if (slot === undefined) return inks.faint;
  return slot.attempt === 1 ? inks.plain : inks.waiting;
}

function drawSlotGrid(
  pen: Pen,
  box: Box,
  slots: readonly (RunningNow | undefined)[],
  { across, columns }: { readonly across: number; readonly columns: number },
): void {
  const pitch = Math.floor((columns + 2) / across);
  for (const [index, slot] of slots.entries()) {
    const [x, line] = [box.x + 2 + (index % across) * pitch, Math.floor(index / across)];
    pen.sheet.put(x, box.y + 1 + line, slot === undefined ? pen.glyphs.idle : String(slot.order), slotInk(slot), pitch);
  }
}

const moods = {
  well: { words: "answers", ink: inks.relief },
  shaky: { words: "1 in 3 fails", ink: inks.caution },
  down: { words: "DOWN", ink: inks.alarm },
} as const;

function drawPayments(pen: Pen, box: Box, { payments: { mood, charged, answers } }: Scene): void {
  const { words, ink } = moods[mood];
  pen.box(box, "payments", inks.strong, mood === "well" ? inks.faint : ink);
  pen.write(box, 0, words, ink);
  pen.write(box, 1, `${charged} charged`, inks.faint);
  if (pen.room(box).lines < 5) return;
  pen.write(box, 3, "latest calls", inks.faint);
  for (const [index, answered] of answers.slice(-pen.room(box).columns).entries()) {
    const { good, bad } = pen.glyphs.signs;
    pen.sheet.put(box.x + 2 + index, box.y + 5, answered ? good : bad, answered ? inks.good : inks.bad);
  }
}

function drawInbox(pen: Pen, box: Box, { duplicates, payments }: Scene): void {
  pen.box(box, "inbox");
  pen.write(box, 0, `knows ${payments.charged}`, inks.faint);
  pen.write(box, 1, `caught ${duplicates}`, duplicates === 0 ? inks.faint : inks.good);
}

/** Order and time, and the gap behind them; with a bar between them where there is room. */
const waitWidth = { short: 4 + 1 + 5 + 2, long: 4 + 1 + 5 + 1 + 5 + 2 };

function drawWaiting(pen: Pen, box: Box, waiting: readonly WaitingNow[]): void {
  const { columns, lines } = pen.room(box);
  pen.box(box, countedTitle("waiting to retry", waiting.length));
  const width = columns >= 2 * waitWidth.long ? waitWidth.long : waitWidth.short;
  const across = Math.floor((columns + 2) / width);
  for (const [index, wait] of waiting.slice(0, across * lines).entries()) {
    const x = box.x + 2 + (index % across) * width;
    drawWait(pen, { x, y: box.y + 1 + Math.floor(index / across) }, wait, width - waitWidth.short - 1);
  }
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function drawWait({ sheet, glyphs: { bar } }: Pen, { x, y }: Place, wait: WaitingNow, barWidth: number): void {
  const { order, dueInMs, delayMs } = wait;
  const barX = sheet.put(x, y, `${order} `);
  const full = Math.ceil((dueInMs / Math.max(1, delayMs)) * Math.max(0, barWidth));
  sheet.put(barX, y, bar.full.repeat(full), inks.waiting);
  sheet.put(barX + full, y, bar.empty.repeat(Math.max(0, barWidth - full)), inks.faint);
  sheet.put(barX + barWidth + 1, y, seconds(dueInMs));
}

function drawLetters(pen: Pen, box: Box, title: string, letters: readonly LetterNow[]): void {
  const { columns, lines } = pen.room(box);
  pen.box(box, title, inks.strong, letters.length === 0 ? inks.faint : inks.bad);
  if (letters.length === 0) pen.write(box, 0, "none", inks.faint);
  for (const [line, { order, reason }] of letters.slice(-lines).entries()) {
    const whole = `${order} ${reason}`;
    pen.write(box, line, whole.length > columns + 1 ? reason : whole, inks.bad);
  }
}

function drawArrows(pen: Pen, { upper, lower, between }: Layout, flows: Scene["flows"]): void {
  const { horizontal, arrow, corners } = pen.glyphs;
  const along = (box: Box, ageMs: number) =>
    pen.sheet.put(endOf(box), box.y + 1, horizontal.repeat(2) + arrow.right, inkFor(ageMs));
  along(upper.checkout, flows.sent);
  along(upper.queue, flows.taken);
  along(upper.handlers, flows.taken);
  const { handlers, queue } = upper;
  const put = (x: number, text: string, ink: Ink) => pen.sheet.put(x, between, text, ink);
  put(queue.x + Math.floor(queue.width / 2) - 5, `${arrow.up} when due`, inkFor(flows.returned));
  put(handlers.x + 1, arrow.down, inkFor(flows.retried));
  put(handlers.x - 7, "failed", inks.faint);
  put(put(handlers.x + 6, `${arrow.down} `, inkFor(flows.dead)), "dead", inks.faint);
  const branch = endOf(handlers) - 4;
  const target = lower.quarantine.x + 4;
  put(branch, corners.sw + horizontal.repeat(target - branch - 1) + arrow.down, inkFor(flows.dead));
  put(branch + 3, " poison ", inks.faint);
}

function inkFor(ageMs: number): Ink {
  return ageMs < litForMs ? inks.flow : inks.faint;
}

function countedTitle(title: string, count: number): string {
  return `${title} ${count}`;
}
