import { metricFamily } from "../../http/metrics.ts";
import { showShortDuration } from "../terminal/units.ts";
import { type Measured, type MeasureName, measures } from "./measure.ts";

export interface Thresholds {
  /** From these on it is a warning, or critical; null: never. In the measure's unit. */
  readonly warn: number | null;
  readonly crit: number | null;
}

export type Level = "ok" | "warning" | "critical";

export interface Verdict extends Measured, Thresholds {
  readonly check: MeasureName;
  readonly query: string;
  readonly level: Level;
}

export function levelOf(value: number, { warn, crit }: Thresholds): Level {
  if (crit !== null && value >= crit) return "critical";
  return warn !== null && value >= warn ? "warning" : "ok";
}

/** What monitoring plugins say to whoever started them. */
export const pluginCodes: Readonly<Record<Level | "unknown", number>> = { ok: 0, warning: 1, critical: 2, unknown: 3 };

export const formats = ["text", "json", "nagios", "prometheus"] as const;

export type Format = (typeof formats)[number];

const writers: Readonly<Record<Format, (verdict: Verdict) => string>> = {
  text: inWords,
  json: asJson,
  nagios: asPlugin,
  prometheus: asMetrics,
};

export function writeVerdict(verdict: Verdict, format: Format): string {
  return writers[format](verdict);
}

function inWords(verdict: Verdict): string {
  const { level, sentence, check, warn, crit } = verdict;
  const bound = level === "critical" ? crit : warn;
  const passed = level === "ok" || bound === null ? "" : ` (${level} from ${showBound(check, bound)} on)`;
  return `${level}: ${sentence}${passed}`;
}

function showBound(check: MeasureName, bound: number): string {
  return measures[check].unit === "seconds" ? showShortDuration(bound * 1_000) : String(bound);
}

function asJson({ check, level, value, sentence, besides, warn, crit, query }: Verdict): string {
  return JSON.stringify({ check, level, value, unit: measures[check].unit, warn, crit, query, sentence, besides });
}

/** One line: state, words, and behind a bar the figures for graphs. */
function asPlugin({ check, level, value, sentence, besides, warn, crit }: Verdict): string {
  const { label, unit } = measures[check];
  const figures = [
    `${label}=${value}${unit === "seconds" ? "s" : ""};${warn ?? ""};${crit ?? ""}`,
    ...Object.entries(besides).map(([name, n]) => `${name}=${n}`),
  ];
  return `${pluginLine(level, sentence)} | ${figures.join(" ")}`;
}

/** What a monitoring plugin says where nothing could be found out. */
export function pluginFailure(message: string) {
  return { line: pluginLine("unknown", message), exitCode: pluginCodes.unknown };
}

/** What stands behind a bar is read as figures, and a queue may have any name. */
function pluginLine(level: Level | "unknown", sentence: string): string {
  return `DLO ${level.toUpperCase()} - ${sentence.replaceAll("|", "/")}`;
}

function asMetrics({ check, level, value, query }: Verdict): string {
  const [name, help] = measures[check].metric;
  const state = "What the check came to: 0 is fine, 1 a warning, 2 critical.";
  return [
    metricFamily(name, "gauge", help, [[query === "" ? {} : { query }, value]]),
    metricFamily("dlo_check_level", "gauge", state, [
      [{ check, ...(query === "" ? {} : { query }) }, pluginCodes[level]],
    ]),
  ]
    .join("")
    .trimEnd();
}
