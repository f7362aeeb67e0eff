import { showCount } from "../../domain/show-count.ts";
import type { ClearedCategory, RuleRecord } from "../../ledger/search/past-outcomes.ts";
import type { ReturnDelay } from "../../ledger/search/return-delays.ts";

/** A time as long as people say it, rounded: `45 seconds`, `6 minutes`, `3.5 hours`. */
function roundly(seconds: number): string {
  const [name, size] = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
    ["second", 1],
  ].find(([, each]) => seconds >= 1.5 * Number(each)) ?? ["second", 1];
  const n = seconds / Number(size);
  const shown = n < 10 ? Math.round(n * 10) / 10 : Math.round(n);
  return showCount(shown, String(name));
}

/** What comes first: how much was decided, and what waits. */
export function clearedInWords(cleared: readonly ClearedCategory[], days: number): string {
  const sum = (of: (each: ClearedCategory) => number) => cleared.reduce((total, each) => total + of(each), 0);
  const letters = sum((each) => each.letters);
  const open = sum((each) => each.open);
  const decided = sum(decidedOf);
  const span = days === 1 ? "the last day" : `the last ${days} days`;
  if (letters === 0) return `No letter arrived in ${span}.`;
  const looked = cleared.every(({ isExact }) => isExact) ? "" : "the latest ";
  const { n, are } = { n: count(letters), are: letters === 1 ? "letter" : "letters" };
  const rest = letters - open - decided;
  const underWay = rest === 0 ? "" : `, ${count(rest)} are under way`;
  return `Of ${looked}${n} ${are} that arrived in ${span}, ${count(decided)} are decided and ${count(open)} wait for somebody${underWay}.`;
}

function decidedOf({ resolved, dropped, compensated, escalated }: ClearedCategory): number {
  return resolved + dropped + compensated + escalated;
}

/** Whether what was told by people and replays bears the classifier out. */
export function rulesInWords(rules: readonly RuleRecord[]): string {
  const sum = (of: (each: RuleRecord) => number) => rules.reduce((total, each) => total + of(each), 0);
  const wrong = sum(({ overridden, contradicted }) => overridden + contradicted);
  const told = wrong + sum(({ confirmed }) => confirmed);
  if (told === 0) return "Neither a person nor a replay has said yet whether a rule was right.";
  const share = Math.round((1_000 * wrong) / told) / 10;
  const n = `${count(told)} ${told === 1 ? "letter" : "letters"}`;
  return `People or replays told of ${n} whether their rule was right: of ${count(wrong)} it was not (${share} %).`;
}

export interface SettleWindow {
  /** What the policy asks for there, at least. */
  readonly policyS: number;
  /** What a replay waits there as things are: consumers that retry for longer make it longer. */
  readonly inForceS: number;
  /** What `settle.min` would be enough for what came back; null where too little did. */
  readonly suggestedS: number | null;
}

/** Fewer say nothing about one in a hundred. */
export const leastReturns = 20;

export function delayInWords({ returns, p99S }: ReturnDelay, { policyS, inForceS, suggestedS }: SettleWindow): string {
  if (suggestedS === null)
    return `${count(returns)} came back: too few to say how long the wait should be. It is ${roundly(inForceS)}.`;
  const found = `99 of 100 returns came within ${roundly(p99S)}`;
  if (p99S > policyS)
    return `${found}, later than the ${roundly(policyS)} of the policy. Replays there wait ${roundly(inForceS)} by themselves; \`settle.min: ${asWritten(suggestedS)}\` would say so.`;
  if (suggestedS * 2 <= policyS && suggestedS < inForceS)
    return `${found}; the window is ${roundly(inForceS)}. \`settle.min: ${asWritten(suggestedS)}\` would be enough.`;
  return `${found}; the window of ${roundly(inForceS)} is long enough.`;
}

/** As a policy has it. */
function asWritten(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

function count(n: number): string {
  return n.toLocaleString("en-US");
}
