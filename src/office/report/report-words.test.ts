import { expect, it } from "vitest";
import { groupInWords, type ReportedGroup, type ReportFacts, reportInWords } from "./report-words.ts";

const group: ReportedGroup = {
  ...{ id: "grp_1", title: "TimeoutError: POST\n/charge", source: "rabbit", queue: "orders", category: "transient" },
  ...{ open: 1_204, total: 1_290, nextStep: { label: "plan a replay" } },
  ...{ firstFailedAt: "2026-11-15T22:04:31.000Z", lastFailedAt: "2026-11-16T05:59:00.000Z" },
};

const report: ReportFacts = {
  ...{ since: Date.parse("2026-11-15T22:00:00Z"), until: Date.parse("2026-11-16T06:12:00Z") },
  ...{ open: 1_245, openGroups: 3, oldestOpenAt: "2026-11-10T06:00:00Z", failed: 1_190 },
  groups: [{ ...group, failed: 1_190 }],
  replays: [
    {
      ...{ id: "rpl_1", name: "payments", state: "finished", verdict: "with returns", requestedBy: "ana" },
      ...{ toSend: 1_117, sent: 1_117, confirmed: 1_082, presumed: 9, returned: 26 },
    },
  ],
  breakers: [{ name: "bank", place: "rabbit/orders", since: "2026-11-16T05:00:00Z" }],
  stopped: { by: "bob", at: "2026-11-16T06:00:00Z", reason: null },
  deeds: [{ action: "letters.dropped", by: "ana", n: 3 }],
};

it("tells a shift in lines that can be pasted, the most urgent first", () => {
  expect(reportInWords(report).split("\n")).toEqual([
    "Dead letters since 2026-11-15 22:00 UTC, as of 2026-11-16 06:12 UTC",
    "1,190 failed; 1,245 open in 3 groups, the oldest 6d",
    "All sending has been stopped since 2026-11-16 06:00 UTC, by bob",
    "Breaker bank of rabbit/orders has been open since 2026-11-16 05:00 UTC",
    "",
    "Groups",
    "- TimeoutError: POST /charge: 1,204 open of 1,290 in rabbit/orders, transient, 1,190 failed; next: plan a replay (grp_1)",
    "and 2 more groups with open letters",
    "",
    "Replays",
    "- payments: finished with returns, 1,117 of 1,117 sent, 1,082 confirmed, 9 presumed, 26 returned; by ana (rpl_1)",
    "",
    "Decided",
    "- letters.dropped 3 times by ana",
  ]);
});

it("says of one group what the report says of it", () => {
  const [title, facts, , next, id] = groupInWords(group);
  const line = reportInWords(report);
  for (const part of [title, facts, next, id]) expect(line).toContain(part);
});
