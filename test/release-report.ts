import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/** One row of what the tests of a release say at the end. */
export interface ReleaseRow {
  /** Its file, without what all of them have: `hostile-provider`. */
  readonly what: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly tookMs: number;
}

/** Writes a row for each file to the file that `DLO_RELEASE_REPORT` names. */
export const releaseReport: Reporter = {
  onTestRunEnd(modules) {
    const path = process.env.DLO_RELEASE_REPORT;
    if (path === undefined) return;
    const rows = modules.filter(({ project }) => project.name === "release").map(rowOf);
    writeFileSync(path, JSON.stringify(rows));
  },
};

function rowOf(module: TestModule): ReleaseRow {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  const failed = count("failed");
  return {
    what: module.relativeModuleId.replace(/^test\/release\//, "").replace(/\.test\.ts$/, ""),
    passed: count("passed"),
    // A file that can't be loaded, or a server that doesn't start before the tests, fails without a test that does.
    failed: failed === 0 && !module.ok() ? 1 : failed,
    skipped: count("skipped") + count("pending"),
    tookMs: module.diagnostic().duration,
  };
}

const headings = ["what", "passed", "failed", "skipped", "took"] as const;

/** As it is printed, slowest first, with a line for all of them. */
export function releaseTable(rows: readonly ReleaseRow[]): string {
  const sum = (of: (row: ReleaseRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const all: ReleaseRow = {
    what: "all",
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
    tookMs: sum(({ tookMs }) => tookMs),
  };
  const sorted = rows.toSorted((one, other) => other.tookMs - one.tookMs);
  const lines = [headings, ...[...sorted, all].map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines.map((line) => inColumns(line, widths)).join("\n");
}

function cellsOf({ what, passed, failed, skipped, tookMs }: ReleaseRow): string[] {
  return [what, String(passed), String(failed), String(skipped), duration(tookMs)];
}

/** Names are read from the left, numbers from the right. */
function inColumns(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
    .join("  ");
}

function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
