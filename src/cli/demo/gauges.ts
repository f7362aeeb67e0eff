import type { BreakerNow, Scene } from "../../demo/scene.ts";
import { seconds } from "../../demo/sentences.ts";
import { sparkline } from "../terminal/columns.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Glyphs } from "./glyphs.ts";
import { inks } from "./inks.ts";
import type { Layout } from "./layout.ts";
import type { Ink, Sheet } from "./sheet.ts";

const labelWidth = 18;
/** Left for words behind a bar, and behind a chart. */
const wordsWidth = 40;
const longestBar = 44;
/** Keeps the tallest second of a chart off the line above it. */
const headroom = 8 / 7;
const figuresWidth = 18;

interface Gauge {
  readonly label: string;
  readonly state: string;
  readonly stateInk: Ink;
  /** 0 to 1. */
  readonly share: number;
  /** Where something happens when the bar gets there, 0 to 1. */
  readonly mark?: number;
  readonly barInk: Ink;
  readonly words: string;
}

/** The breaker and the retry budget: how far they are from doing something. */
export function drawGauges(sheet: Sheet, scene: Scene, layout: Layout, glyphs: Glyphs): void {
  const gauges = [breakerGauge(scene.breaker), budgetGauge(scene.budget)];
  for (const [line, gauge] of gauges.entries()) drawGauge(sheet, gauge, layout.gauges + line, layout, glyphs);
}

function breakerGauge(breaker: BreakerNow): Gauge {
  switch (breaker.phase) {
    case "closed": {
      const { failedShare, opensAtShare } = breaker;
      const words = `${percent(failedShare)} of calls failed, opens at ${percent(opensAtShare)}`;
      const barInk = failedShare > opensAtShare / 2 ? inks.waiting : inks.good;
      const bar = { share: failedShare, mark: opensAtShare, barInk };
      return { label: "breaker", state: "closed", stateInk: inks.relief, words, ...bar };
    }
    case "open": {
      const { probeInMs, recoveryMs } = breaker;
      const bar = { share: probeInMs / recoveryMs, barInk: inks.bad };
      const words = `nothing is tried; a probe in ${seconds(probeInMs)}`;
      return { label: "breaker", state: "OPEN", stateInk: inks.alarm, words, ...bar };
    }
    case "half-open": {
      const { probesSucceeded, probesNeeded } = breaker;
      const bar = { share: probesSucceeded / probesNeeded, barInk: inks.waiting };
      const words = `${probesSucceeded} of ${probesNeeded} probes succeeded`;
      return { label: "breaker", state: "HALF-OPEN", stateInk: inks.caution, words, ...bar };
    }
  }
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function budgetGauge({ left, of }: Scene["budget"]): Gauge {
  const share = of === 0 ? 0 : Math.min(1, left / of);
  const barInk = share < 0.25 ? inks.bad : share < 0.6 ? inks.waiting : inks.good;
  const words = `${left} of ${of} retries left for 10 s`;
  return { label: "retry budget", state: "", stateInk: inks.plain, share, barInk, words };
}

function drawGauge(sheet: Sheet, gauge: Gauge, y: number, { left, right }: Layout, { bar }: Glyphs): void {
  const width = Math.min(longestBar, right - left - labelWidth - wordsWidth);
  const full = Math.round(gauge.share * width);
  const stateX = sheet.put(left, y, `${gauge.label} `, inks.strong);
  sheet.put(stateX, y, gauge.state, gauge.stateInk);
  const barX = left + labelWidth;
  sheet.put(barX, y, bar.full.repeat(full), gauge.barInk);
  sheet.put(barX + full, y, bar.empty.repeat(width - full), inks.faint);
  if (gauge.mark !== undefined) sheet.put(barX + Math.round(gauge.mark * width), y, bar.mark, inks.strong);
  sheet.put(barX + width + 2, y, gauge.words);
}

const charts = [
  { figure: "succeeded", label: "succeeded", ink: inks.good },
  { figure: "retried", label: "failed, retried", ink: inks.waiting },
  { figure: "dead", label: "dead-lettered", ink: inks.bad },
] as const;

/** What happened second by second, newest on the right. */
export function drawCharts(sheet: Sheet, { seconds: all }: Scene, layout: Layout, terminal: Terminal): void {
  const { left, right } = layout;
  const width = right - left - labelWidth - figuresWidth;
  for (const [line, { figure, label, ink }] of charts.entries()) {
    const y = layout.charts + line;
    const values = all.map((second) => second[figure]);
    const shown = values.slice(-width);
    const highest = Math.max(0, ...shown);
    sheet.put(left, y, label, inks.strong);
    sheet.putEndingAt(
      left + labelWidth + width,
      y,
      sparkline(shown, width, Math.max(1, highest) * headroom, terminal),
      ink,
    );
    const lastWhole = values.at(-2) ?? 0;
    sheet.put(left + labelWidth + width + 2, y, `${lastWhole}/s, most ${highest}/s`, inks.faint);
  }
}
