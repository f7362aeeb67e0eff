import { describe, expect, it } from "vitest";
import type { AlertRule } from "../../domain/alert-rule.ts";
import { categories } from "../../domain/classification.ts";
import { hourMs } from "./past-figures.ts";
import { alertsOver } from "./preview-past.ts";

const since = Date.parse("2026-11-01T00:00:00Z");
const rule: AlertRule = {
  ...{ name: "deep", kind: "depth", queues: [], categories: [...categories], over: 10, holdS: 0, notifiers: [] },
  mutedUntil: null,
};

/** So many open letters at each hour, in one queue. */
function depths(...hours: readonly number[]) {
  const at = (now: number) => {
    const n = hours[(now - since) / hourMs] ?? 0;
    const counts = [{ source: "rabbit", queue: "orders", category: "transient", state: "open", n }];
    return { now, counts, groups: [], oldest: [], breakers: [], waiting: [] };
  };
  return { past: { at, limits: [] }, span: { since, until: since + (hours.length - 1) * hourMs } };
}

function told(asked: AlertRule, ...hours: readonly number[]) {
  const { past, span } = depths(...hours);
  return alertsOver(asked, past, span).map(({ at, until, sentence }) => {
    const hour = (ms: number) => (ms - since) / hourMs;
    return `${hour(at)}–${until === null ? "" : hour(until)} ${sentence}`;
  });
}

describe("what a rule would have said", () => {
  it("is said once for as long as it holds, and again after it was over", () => {
    expect(told(rule, 0, 11, 30, 5, 12, 12)).toEqual([
      "1–3 11 open letters in rabbit/orders",
      "4– 12 open letters in rabbit/orders",
    ]);
    expect(told(rule, 10, 10)).toEqual([]);
  });

  it("waits until it holds as long as the rule asks for, and is over only after as long", () => {
    const patient = { ...rule, holdS: 7_200 };
    expect(told(patient, 11, 11, 0, 0, 0, 0, 11, 11, 12, 0, 13, 0, 0, 0)).toEqual([
      "8–11 12 open letters in rabbit/orders",
    ]);
  });
});
