/**
 * Runs what is too long for `npm test`: the tests in test/release, each file or those that are named. At the end it prints one table.
 * A server that is missing is a failure here, not a skipped test.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ReleaseRow, releaseTable } from "../test/release-report.ts";

const folder = mkdtempSync(join(tmpdir(), "dlo-release-"));
const report = join(folder, "rows.json");

try {
  const env = { ...process.env, CI: "true", DLO_RELEASE_REPORT: report };
  const options = ["run", "--project", "release", ...process.argv.slice(2)];
  const { status } = spawnSync("vitest", options, { stdio: "inherit", env });
  const rows = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as ReleaseRow[]) : [];
  console.log(rows.length === 0 ? "\nThe tests did not come to their end." : `\n${releaseTable(rows)}\n`);
  // Errors that no test caught fail the run too, and are in no row.
  if (status !== 0 || rows.length === 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
