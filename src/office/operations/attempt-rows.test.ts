import { expect, it } from "vitest";
import { isOffPlan } from "../../domain/off-plan.ts";
import type { LetterSummary } from "../../ledger/search/find-letters.ts";
import { attemptRows } from "./attempt-rows.ts";

const at = (seconds: number) => Date.UTC(2026, 10, 20) + seconds * 1_000;
const attempt = (n: number, seconds: number, waitMs: number | null, process = "one") => ({
  ...{ n, at: at(seconds), waitMs, consumer: "shop", version: "1", process },
  ...{ errorClass: "Error", errorMessage: "no", errorCode: null, httpStatus: null, outcome: "retried" },
});

const summary = {
  ...{
    attempts: 4,
    consumer: "shop",
    firstFailedAt: null,
    failedAtBy: "letter",
    arrivedAt: "2026-11-20T00:00:00.000Z",
  },
  ...{ failedAt: new Date(at(900)).toISOString(), errorClass: "TypeError", errorMessage: "x", errorCode: null },
} as LetterSummary;

it("tells the time between attempts and the wait that was planned", () => {
  const reading = { attempts: 3, attemptLog: [attempt(1, 0, null), attempt(2, 300, 10_000), attempt(4, 310, 10_000)] };
  const rows = attemptRows(reading, summary, []);
  expect(rows.map(({ n, waitMs, waitedMs }) => [n, waitMs, waitedMs])).toEqual([
    [1, null, null],
    [2, 10_000, 300_000],
    // The attempt before it is not told.
    [4, 10_000, null],
  ]);
});

it("has the runs of a letter one after the other, each with the process and host that it failed on", () => {
  const first = { attempts: 2, host: "pod-a", attemptLog: [attempt(1, 0, null, "zero"), attempt(2, 5, 1_000)] };
  const again = {
    attempts: 2,
    host: "pod-b",
    attemptLog: [attempt(1, 890, null, "two"), attempt(2, 900, 10_000, "two")],
  };
  const returned = { replay: "rpl_1", headers: [], properties: [], stack: null, reading: again };
  const rows = attemptRows(first, summary, [returned]);
  expect(rows.map(({ run, replay, n, process, host, waitedMs }) => [run, replay, n, process, host, waitedMs])).toEqual([
    [1, null, 1, "zero", null, null],
    [1, null, 2, "one", "pod-a", 5_000],
    [2, "rpl_1", 1, "two", "pod-b", null],
    [2, "rpl_1", 2, "two", "pod-b", 10_000],
  ]);
});

it("names the planned wait where a message noticeably waited for something else", () => {
  expect(isOffPlan({ waitedMs: 10_400, waitMs: 10_000 })).toBe(false);
  expect(isOffPlan({ waitedMs: 300_000, waitMs: 10_000 })).toBe(true);
  expect(isOffPlan({ waitedMs: 3_605_000, waitMs: 3_600_000 })).toBe(false);
  expect(isOffPlan({ waitedMs: 0, waitMs: 10_000 })).toBe(true);
});
