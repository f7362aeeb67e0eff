import { isInScope } from "./actor.ts";
import type { Category } from "./classification.ts";
import { showAge } from "./duration.ts";

/** What a rule watches for. */
export const alertKinds = ["new", "growing", "returned", "depth", "age", "breaker", "approval"] as const;

export type AlertKind = (typeof alertKinds)[number];

/** When somebody is told, and who. */
export interface AlertRule {
  readonly name: string;
  readonly kind: AlertKind;
  /** `source/queue`; `*` stands for any characters. None: everywhere. */
  readonly queues: readonly string[];
  /** Of letters; kinds that are about none of them do not ask. */
  readonly categories: readonly Category[];
  /** Letters or seconds, as its kind has it. */
  readonly over: number;
  /** How long its condition must hold before it is said, and be over before that is said, in seconds. */
  readonly holdS: number;
  /** Names of the configuration; none: all who take alerts. */
  readonly notifiers: readonly string[];
  /** ISO 8601: it is not looked at until then. */
  readonly mutedUntil: string | null;
}

export interface AlertKindFacts {
  /** Of a rule's `over`. */
  readonly unit: "letters" | "seconds";
  /** A rule of that kind asks for categories. */
  readonly hasCategories: boolean;
  /** What a rule starts with when nobody says more. */
  readonly over: number;
  readonly holdS: number;
  /** How long it must at least be over before that is said, in seconds, however little its rule asks for. */
  readonly overS: number;
  /** What it waits for, before its queues. */
  readonly words: string;
}

const letters = { unit: "letters", hasCategories: true, overS: 0 } as const;
const seconds = { unit: "seconds", hasCategories: false, overS: 0 } as const;
/** Growth is counted by the hour of the clock: with each that begins it seems to have ended. */
const byTheHour = { ...letters, overS: 3_600 } as const;

export const alertKindFacts: Readonly<Record<AlertKind, AlertKindFacts>> = {
  new: { ...letters, over: 0, holdS: 0, words: "the open letters of a failure that was never seen before" },
  growing: { ...byTheHour, over: 0, holdS: 0, words: "the open letters of a group that grows" },
  returned: { ...letters, over: 0, holdS: 0, words: "the letters that came back after a replay" },
  depth: { ...letters, over: 1_000, holdS: 300, words: "the open letters" },
  age: { ...seconds, over: 3_600, holdS: 0, words: "the age of the oldest open letter" },
  breaker: { ...seconds, over: 300, holdS: 0, words: "the time that a breaker is open" },
  approval: { ...seconds, over: 1_800, holdS: 0, words: "the time that a plan waits for approval" },
};

/** What nobody is woken for unless they say so: neither is mended at night. */
const byDay: readonly Category[] = ["business_rule", "lost_context"];

export function isForNight(category: Category): boolean {
  return !byDay.includes(category);
}

export function appliesTo({ queues }: Pick<AlertRule, "queues">, source: string, queue: string): boolean {
  return queues.length === 0 || isInScope([queues], source, queue);
}

/** A rule as people say it; page, command line and audit log have it from here. */
export function ruleInWords({ kind, queues, categories, over, holdS, notifiers }: AlertRule): string {
  const { unit, hasCategories, words } = alertKindFacts[kind];
  const where = kind === "approval" ? "" : ` in ${queues.length === 0 ? "any queue" : queues.join(", ")}`;
  const which = hasCategories ? ` (${categories.map((each) => each.replace("_", " ")).join(", ")})` : "";
  const limit = unit === "letters" ? over.toLocaleString("en") : showAge(over * 1_000);
  const held = holdS === 0 ? "" : ` for ${showAge(holdS * 1_000)}`;
  const who = notifiers.length === 0 ? "all who take alerts" : notifiers.join(", ");
  return `When ${words}${where}${which} ${unit === "letters" ? "are more than" : "is over"} ${limit}${held}, tell ${who}.`;
}
