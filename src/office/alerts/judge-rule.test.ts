import { describe, expect, it } from "vitest";
import { type AlertKind, alertKindFacts, ruleInWords } from "../../domain/alert-rule.ts";
import { categories } from "../../domain/classification.ts";
import type { QueueCount } from "../../ledger/search/count-queues.ts";
import type { GroupSummary } from "../../ledger/search/find-groups.ts";
import type { AlertFigures } from "./alert-figures.ts";
import { judgeRule } from "./judge-rule.ts";

const minuteMs = 60_000;
const now = Date.parse("2026-11-15T14:00:00Z");
const ago = (minutes: number) => new Date(now - minutes * minuteMs).toISOString();

const nothing: AlertFigures = { now, groups: [], counts: [], oldest: [], breakers: [], waiting: [] };

type Rule = Parameters<typeof judgeRule>[0];

function rule(kind: AlertKind, more: Partial<Rule> = {}): Rule {
  const { over, holdS } = alertKindFacts[kind];
  const named = { name: "r", kind, queues: [], categories: [...categories], notifiers: [], mutedUntil: null };
  return { ...named, over, holdS, madeAt: now - 600 * minuteMs, ...more };
}

function sentences(asked: Rule, figures: Partial<AlertFigures>): readonly string[] {
  return judgeRule(asked, { ...nothing, ...figures }).map(({ sentence }) => sentence);
}

function group(more: Partial<GroupSummary> = {}): GroupSummary {
  return {
    ...{ id: "grp_1", source: "rabbit", queue: "orders", title: "a secret of a customer", errorClass: "TimeoutError" },
    ...{
      category: "transient",
      fingerprint: "",
      mergedFrom: [],
      total: 40,
      open: 40,
      hours: Array<number>(24).fill(0),
    },
    ...{ firstArrivedAt: ago(30), lastArrivedAt: ago(1) },
    ...{ firstFailedAt: ago(30), lastFailedAt: ago(1), oldestOpenAt: ago(30), ...more },
  };
}

const count = (state: string, n: number, more: Partial<QueueCount> = {}): QueueCount => ({
  ...{ source: "rabbit", queue: "orders", category: "transient", state, n, ...more },
});

describe("a rule about what is new", () => {
  it("finds a failure whose first letter came after the rule, and says nothing of what its letters hold", () => {
    const groups = [group(), group({ id: "grp_2", firstFailedAt: ago(700) })];
    expect(sentences(rule("new"), { groups })).toEqual([
      "40 open letters of a new kind in rabbit/orders: TimeoutError (transient)",
    ]);
  });

  it("leaves alone other queues, other categories, and fewer letters than it is for", () => {
    const groups = [group()];
    expect(sentences(rule("new", { queues: ["rabbit/mails*"] }), { groups })).toEqual([]);
    expect(sentences(rule("new", { queues: ["rabbit/ord*"] }), { groups })).toHaveLength(1);
    expect(sentences(rule("new", { categories: ["poison"] }), { groups })).toEqual([]);
    expect(sentences(rule("new", { over: 40 }), { groups })).toEqual([]);
  });
});

it("finds a group that grows as the inbox says it does", () => {
  const hours = [...Array<number>(22).fill(1), 40, 60];
  expect(sentences(rule("growing"), { groups: [group({ hours }), group({ id: "grp_2" })] })).toEqual([
    "rabbit/orders is growing: 40 open letters: TimeoutError (transient)",
  ]);
});

it("adds up the letters of a queue over its categories, as far as it is for them", () => {
  const counts = [count("open", 700), count("returned", 1), count("open", 400, { category: "poison" })];
  const mails = count("open", 999, { queue: "mails" });
  const dropped = count("dropped", 9_000);
  expect(sentences(rule("depth"), { counts: [...counts, mails, dropped] })).toEqual([
    "1,101 open letters in rabbit/orders",
  ]);
  expect(sentences(rule("depth", { categories: ["transient"] }), { counts })).toEqual([]);
  expect(sentences(rule("returned"), { counts })).toEqual(["1 letter in rabbit/orders came back after a replay"]);
});

it("finds what lasts for longer than it may: an open letter, a breaker, a plan that nobody approved", () => {
  const oldest = [61, 59].map((age) => ({ source: "rabbit", queue: `orders-${age}`, failedAt: ago(age) }));
  expect(sentences(rule("age"), { oldest })).toEqual(["The oldest open letter in rabbit/orders-61 is 1h old"]);
  const breaker = { name: "payments", source: "rabbit", queue: "orders", service: "shop", heardAt: ago(0) };
  const breakers = [
    { ...breaker, state: "open", since: ago(12), saying: 1, processes: 2 },
    { ...breaker, state: "closed", since: ago(12), saying: 2, processes: 2 },
    { ...breaker, state: "open", since: ago(1), saying: 1, processes: 2 },
  ] as const;
  expect(sentences(rule("breaker"), { breakers })).toEqual([
    "The breaker payments of rabbit/orders has been open for 12m",
  ]);
  const plan = { id: new Uint8Array(16), requestedBy: "ana", frozenAt: now - 31 * minuteMs };
  const waiting = [plan, { ...plan, frozenAt: now }] as unknown as AlertFigures["waiting"];
  expect(sentences(rule("approval"), { waiting })).toEqual(["A plan by ana has been waiting for approval for 31m"]);
});

it("says what it is in a sentence", () => {
  expect(
    ruleInWords(rule("depth", { queues: ["rabbit/orders*"], categories: ["poison"], notifiers: ["oncall"] })),
  ).toBe("When the open letters in rabbit/orders* (poison) are more than 1,000 for 5m, tell oncall.");
  expect(ruleInWords(rule("approval"))).toBe(
    "When the time that a plan waits for approval is over 30m, tell all who take alerts.",
  );
});
