import type { GrowthReport, QuestionGrowth } from "./growth.ts";
import { heldLetters } from "./growth-letters.ts";
import { table } from "./print-report.ts";

/** Milliseconds at both ends of the plot, which is logarithmic. */
const scale = { from: 0.1, to: 1_000 };
const width = 60;
/** For ledgers of each size, the smallest first. */
const marks = ["·", "o", "●", "◆"];

/** The times as a table, and how they grow as a plot: a row a question, the further to the right the slower. */
export function printGrowth({ questions, samples }: GrowthReport): string {
  const sizes = questions[0]?.at.map(({ letters }) => letters) ?? [];
  const legend = sizes.map((size, index) => `${marks[index]} ${size.toLocaleString("en")} letters`).join("   ");
  const longest = Math.max(...questions.map(({ name }) => name.length));
  const rows = questions.map((question) => `${question.name.padEnd(longest)}  ${rowOf(question)}\n`);
  return [
    `Questions to ledgers on PostgreSQL, in milliseconds; ${samples} of each, about other queues, groups and letters each time.\n`,
    `Letters of about 3 KB over 90 days: ${heldLetters.toLocaleString("en")} taken in, the others copied from their rows.\n\n`,
    table([heads(sizes), ...questions.map(cells)]),
    `\nMedians, ${legend}   | goal\n\n`,
    `${"".padEnd(longest)}  ${axis()}\n`,
    ...rows,
  ].join("");
}

function heads(sizes: readonly number[]): string[] {
  return ["ms", ...sizes.flatMap((size) => [`${size.toLocaleString("en")} p50`, "p99", "CPU"]), "goal", ""];
}

function cells({ name, at, goalMs }: QuestionGrowth): string[] {
  const times = at.flatMap(({ p50, p99, cpu }) => [p50, p99, cpu ?? ""].map(String));
  return [
    name,
    ...times,
    goalMs.p99 === null ? String(goalMs.p50) : `${goalMs.p50} / ${goalMs.p99}`,
    at.every(({ met }) => met) ? "met" : "missed",
  ];
}

function rowOf({ at, goalMs }: QuestionGrowth): string {
  const row = Array.from({ length: width + 1 }, () => " ");
  row[placeOf(goalMs.p50)] = "|";
  // Where two would stand in one place, the larger ledger is shown.
  for (const [index, { p50 }] of at.entries()) row[placeOf(p50)] = marks[index] ?? "?";
  return row.join("").trimEnd();
}

function placeOf(ms: number): number {
  const share = Math.log(ms / scale.from) / Math.log(scale.to / scale.from);
  return Math.round(Math.min(1, Math.max(0, share)) * width);
}

function axis(): string {
  const row = Array.from({ length: width + 5 }, () => " ");
  for (let ms = scale.from; ms <= scale.to * 1.01; ms *= 10) {
    const label = String(Number(ms.toPrecision(1)));
    for (const [index, sign] of [...label].entries()) row[placeOf(ms) + index] = sign;
  }
  return row.join("").trimEnd();
}
