import { parseArgs } from "node:util";
import { commit, say, wholeNumber } from "../long-run.ts";
import { type Catch, huntMutants } from "./hunt-mutants.ts";
import { type Mutant, mutantsOfDelivery, mutantsOfOrder } from "./mutants.ts";
import { runSeed, type SeedReport } from "./run-seed.ts";
import { addSeed, complaints, emptySummary, type Summary } from "./summary.ts";

const usage = `npm run sim -- [--seeds N] [--seed S] [--json] [--mutants]

  --seeds N   how many seeds to run (default 100, or 1 with --seed)
  --seed S    the first of them (default 1)
  --json      print the result as JSON
  --mutants   break the code in every way of the table instead, and show which seed catches each`;

const lastSeedForMutants = 1_000;
const shownLines = 80;
const mostFailures = 5;

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}\n`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string" },
      seed: { type: "string" },
      json: { type: "boolean", default: false },
      mutants: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return say(usage);
  if (values.mutants) return showMutants(values.json);
  const first = wholeNumber("--seed", values.seed ?? "1");
  const count = wholeNumber("--seeds", values.seeds ?? (values.seed === undefined ? "100" : "1"));
  const summary = await runSeeds(first, count);
  say(values.json ? JSON.stringify({ commit: commit(), ...withoutTraces(summary) }, null, 2) : describe(summary));
  return summary.failures.length === 0 ? 0 : 1;
}

async function showMutants(asJson: boolean): Promise<number> {
  const catches = await huntMutants(lastSeedForMutants, ({ name, seed }) => {
    process.stderr.write(`${name}: ${seed === null ? "not caught" : `caught by seed ${seed}`}\n`);
  });
  const caught = catches.filter(({ seed }) => seed !== null);
  const { failures } = await runSeeds(1, Math.max(0, ...caught.map(({ seed }) => seed ?? 0)));
  if (asJson) say(JSON.stringify({ commit: commit(), catches, caught: caught.length, of: catches.length }, null, 2));
  else
    say(
      [describeCatches("order", mutantsOfOrder, catches), describeCatches("delivery", mutantsOfDelivery, catches)].join(
        "\n",
      ),
    );
  return caught.length === catches.length && failures.length === 0 ? 0 : 1;
}

function describeCatches(title: string, mutants: readonly Mutant[], catches: readonly Catch[]): string {
  const own = catches.filter(({ name }) => mutants.some((mutant) => mutant.name === name));
  const caught = own.filter(({ seed }) => seed !== null);
  return [`${title}:`, ...own.map(describeCatch), `${caught.length} of ${own.length} caught`].join("\n");
}

function describeCatch({ name, seed, complaints: said }: Catch): string {
  return `${name.padEnd(42)} seed ${String(seed ?? "none").padStart(4)}  ${said[0] ?? ""}`;
}

async function runSeeds(first: number, count: number): Promise<Summary> {
  let summary = emptySummary;
  const startedAt = Date.now();
  for (let seed = first; seed < first + count; seed++) {
    const report = await runSeed(seed);
    summary = addSeed(summary, report);
    // Asked for by itself, a seed tells all it knows.
    const lines = count === 1 ? report.traceTail.length : shownLines;
    if (summary.failures.at(-1) === report) process.stderr.write(`${describeFailure(report, lines)}\n`);
    if (summary.failures.length >= mostFailures) break;
    if (summary.seeds % 100 === 0) progress(summary, count, Date.now() - startedAt);
  }
  return summary;
}

function progress({ seeds, messages, faults }: Summary, count: number, tookMs: number): void {
  const rate = Math.round((seeds / tookMs) * 60_000);
  process.stderr.write(`${seeds} of ${count} seeds, ${messages} messages, ${faults} faults, ${rate} seeds a minute\n`);
}

function describe(summary: Summary): string {
  const byKind = Object.entries(summary.faultsByKind).sort(([a], [b]) => a.localeCompare(b));
  return [
    `seeds run             ${summary.seeds}`,
    `messages              ${summary.messages}`,
    `virtual hours         ${summary.virtualHours.toFixed(1)}`,
    `faults injected       ${summary.faults}`,
    ...byKind.map(([kind, count]) => `  ${kind.padEnd(20)}${count}`),
    `lost                  ${summary.lost}`,
    `unexpected            ${summary.unexpected}`,
    `effective duplicates  ${summary.effectiveDuplicates}`,
    `raw duplicates        ${summary.rawDuplicates}`,
    `failures              ${summary.failures.length}`,
  ].join("\n");
}

function describeFailure(report: SeedReport, lines: number): string {
  return [
    ...report.traceTail.slice(-lines),
    `seed ${report.seed} failed at commit ${commit()}:`,
    ...complaints(report).map((complaint) => `  ${complaint}`),
    `Again: npm run sim -- --seed ${report.seed}`,
  ].join("\n");
}

function withoutTraces(summary: Summary) {
  const failures = summary.failures.map((report) => ({ seed: report.seed, complaints: complaints(report) }));
  return { ...summary, failures };
}
