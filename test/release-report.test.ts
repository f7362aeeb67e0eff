import { expect, it } from "vitest";
import { releaseTable } from "./release-report.ts";

it("has a line for each file of the release tests, slowest first, and one for all of them", () => {
  const rows = [
    { what: "hostile-provider", passed: 61, failed: 1, skipped: 0, tookMs: 83_400 },
    { what: "dex", passed: 9, failed: 0, skipped: 2, tookMs: 600_900 },
  ];
  expect(releaseTable(rows).split("\n")).toEqual([
    "what              passed  failed  skipped         took",
    "dex                    9       0        2   10 min 1 s",
    "hostile-provider      61       1        0   1 min 23 s",
    "all                   70       1        2  11 min 24 s",
  ]);
});
