/**
 * Runs the tests, apart from those of a release. In CI, files that need brokers, browsers and processes and failed are run
 * once more, from nothing, and named at the end if they pass then. A second try within the same file would find what the
 * first left in its databases and queues.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FailedFiles, worthSecondRun } from "../test/failed-files.ts";

const folder = mkdtempSync(join(tmpdir(), "dlo-tests-"));
const report = join(folder, "failed-files.json");

/** A project that was asked for is run beside all that are not excluded. */
const projects = process.argv.some((option) => option.startsWith("--project")) ? [] : ["--project=!release"];

function succeeds(options: readonly string[]): boolean {
  const env = { ...process.env, DLO_FAILED_FILES: report };
  return spawnSync("vitest", ["run", ...projects, ...options], { stdio: "inherit", env }).status === 0;
}

function secondRun(): boolean {
  // Without a report the run did not come to its end.
  if (process.env.CI === undefined || !existsSync(report)) return false;
  const files = worthSecondRun(JSON.parse(readFileSync(report, "utf8")) as FailedFiles);
  if (files.length === 0) return false;
  console.warn(`\nOnce more, from nothing: ${files.join(", ")}\n`);
  if (!succeeds(files)) return false;
  console.warn(
    `\n${files.length} test files passed only when run a second time. Each is a defect, of the test or of the product:`,
  );
  for (const file of files) console.warn(`  ${file}`);
  return true;
}

try {
  if (!succeeds(process.argv.slice(2)) && !secondRun()) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
