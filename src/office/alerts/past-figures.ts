import type { AlertKind, AlertRule } from "../../domain/alert-rule.ts";
import { appliesTo } from "../../domain/alert-rule.ts";
import type { Category } from "../../domain/classification.ts";
import { openStates } from "../../domain/letter.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { countQueues, type OldestLetter, type QueueCount } from "../../ledger/search/count-queues.ts";
import { findGroups, type GroupSummary } from "../../ledger/search/find-groups.ts";
import {
  type PastLetter,
  readPastHours,
  readPastLetters,
  readPastPlans,
  readPastReturns,
} from "../../ledger/search/past-letters.ts";
import { namedGroup } from "../attend/attend-group.ts";
import type { AlertFigures } from "./alert-figures.ts";

/** How things stood, as far as the ledger still knows. */
export interface Past {
  /** The figures of that moment; what is not known then is not in them. */
  readonly at: (moment: number) => AlertFigures;
  /** What could not be read, in sentences. */
  readonly limits: readonly string[];
}

export interface PastAsked {
  readonly rule: AlertRule;
  /** Milliseconds since 1970, the beginning of an hour. */
  readonly since: number;
  readonly now: number;
}

export const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const groupsAtMost = 200;
const queuesAtMost = 20;
export const lettersPerQueue = 1_000;
const plansAtMost = 200;

const nothing = { groups: [], counts: [], oldest: [], breakers: [], waiting: [] };

/** Reads no more than what a rule of that kind is judged by, and a bounded number of letters. */
export const readPast: Readonly<Record<AlertKind, (ledger: Ledger, asked: PastAsked) => Promise<Past>>> = {
  new: (ledger, asked) => pastGroups(ledger, asked, ({ firstFailedAt }, moment) => isWithinDay(firstFailedAt, moment)),
  growing: (ledger, asked) => pastGroups(ledger, asked, () => true),
  depth: pastQueues,
  age: pastQueues,
  returned: pastReturns,
  approval: pastPlans,
  breaker: async () => ({
    at: (now) => ({ ...nothing, now }),
    limits: ["How breakers stood is not kept: only what it would find now is known."],
  }),
};

function isWithinDay(firstFailedAt: string | null, moment: number): boolean {
  const first = firstFailedAt === null ? Number.POSITIVE_INFINITY : Date.parse(firstFailedAt);
  return first <= moment && first > moment - dayMs;
}

/** By the failures of each hour. How many of them were open at a moment is not kept: all that had failed by then count. */
async function pastGroups(
  ledger: Ledger,
  { rule, since, now }: PastAsked,
  isAsked: (group: GroupSummary, moment: number) => boolean,
): Promise<Past> {
  const search = { q: "", onlyOpen: false, now, retentionMs: Number.MAX_SAFE_INTEGER, lastSince: since };
  const only = { queues: rule.queues, categories: rule.categories, openOver: -1 };
  const groups = await findGroups(ledger, { ...search, limit: groupsAtMost, only });
  const hours = await readPastHours(
    ledger,
    groups.flatMap((group) => [...namedGroup(group).ids]),
    since - dayMs,
  );
  const stood = groups.map((group) => {
    const failures = failuresOf(namedGroup(group).ids, hours);
    return { group, failures, later: sumsFrom(failures, { since, now }) };
  });
  return {
    at: (moment) => ({
      ...{ ...nothing, now: moment },
      groups: stood.filter(({ group }) => isAsked(group, moment)).map((each) => groupAt(each, moment)),
    }),
    limits: [
      "How many letters of a group were open is not kept: all that had failed count.",
      ...(groups.length < groupsAtMost
        ? []
        : [`Only the ${groupsAtMost} groups with most open letters were looked at.`]),
    ],
  };
}

type Failures = ReadonlyMap<number, number>;

function failuresOf(ids: readonly string[], hours: ReadonlyMap<string, Failures>): Failures {
  const sums = new Map<number, number>();
  for (const id of ids) for (const [hour, n] of hours.get(id) ?? []) sums.set(hour, (sums.get(hour) ?? 0) + n);
  return sums;
}

/** How many failed in each hour and after it: added up once, since each moment of two weeks asks for it. */
export function sumsFrom(failures: Failures, { since, now }: Pick<PastAsked, "since" | "now">): Failures {
  const sums = new Map<number, number>();
  let sum = 0;
  for (let hour = Math.floor(now / hourMs) * hourMs; hour >= since; hour -= hourMs) {
    sum += failures.get(hour) ?? 0;
    sums.set(hour, sum);
  }
  return sums;
}

interface PastGroup {
  readonly group: GroupSummary;
  readonly failures: Failures;
  readonly later: Failures;
}

/** The group as it was at the end of an hour. */
function groupAt({ group, failures, later }: PastGroup, moment: number): GroupSummary {
  const hours = Array.from({ length: 24 }, (_, place) => failures.get(moment - (24 - place) * hourMs) ?? 0);
  return { ...group, hours, open: Math.max(0, group.total - (later.get(moment) ?? 0)) };
}

interface Place {
  readonly source: string;
  readonly queue: string;
}

/** Those that a rule is about, with most open letters first: where not all are looked at, these are. */
async function queuesOf(ledger: Ledger, rule: AlertRule): Promise<readonly Place[]> {
  return fullestFirst((await countQueues(ledger)).filter(({ source, queue }) => appliesTo(rule, source, queue)));
}

export function fullestFirst(counts: readonly QueueCount[]): readonly Place[] {
  const queues = new Map<string, Place & { readonly open: number }>();
  for (const { source, queue, state, n } of counts) {
    const name = nameOf({ source, queue });
    const open = (openStates as readonly string[]).includes(state) ? n : 0;
    queues.set(name, { source, queue, open: (queues.get(name)?.open ?? 0) + open });
  }
  const ranked = [...queues.values()].sort((one, other) => other.open - one.open);
  return ranked.map(({ source, queue }) => ({ source, queue }));
}

function nameOf({ source, queue }: Place): string {
  return JSON.stringify([source, queue]);
}

function namesOf(queues: readonly Place[]): readonly string[] {
  return [...new Set(queues.map(({ queue }) => queue))];
}

function tooMany(queues: readonly Place[]): readonly string[] {
  if (queues.length <= queuesAtMost) return [];
  return [`Only the ${queuesAtMost} queues with most open letters were looked at, of ${queues.length}.`];
}

/** By the latest letters of each queue: from when each came to when it was decided about. */
async function pastQueues(ledger: Ledger, { rule, since }: PastAsked): Promise<Past> {
  const queues = await queuesOf(ledger, rule);
  const looked = queues.slice(0, queuesAtMost);
  const letters = await readPastLetters(ledger, { queues: namesOf(looked), perQueue: lettersPerQueue });
  const known = looked.map((place) => knownOf(place, letters, since));
  const cut = known.filter(({ from }) => from > since);
  return {
    at: (moment) => ({
      ...{ ...nothing, now: moment },
      counts: known.flatMap((each) => countsAt(each, moment)),
      oldest: known.flatMap((each) => oldestAt(each, moment)),
    }),
    limits: [
      ...tooMany(queues),
      ...cut.map(({ source, queue, from }) => {
        const moment = new Date(from).toISOString();
        return `Of ${source}/${queue} only the latest letters were looked at, those since ${moment}.`;
      }),
    ],
  };
}

interface KnownQueue extends Place {
  readonly letters: readonly PastLetter[];
  /** Before this there may have been letters that were not looked at. */
  readonly from: number;
}

/** Letters of queues of its name in other sources were looked at along with its own, and say how far back that went. */
export function knownOf({ source, queue }: Place, letters: readonly PastLetter[], since: number): KnownQueue {
  const looked = letters.filter((letter) => letter.queue === queue);
  const own = looked.filter((letter) => letter.source === source);
  const first = Math.min(...looked.map(({ arrivedAt }) => arrivedAt));
  return { source, queue, letters: own, from: looked.length < lettersPerQueue ? since : Math.max(since, first) };
}

function openAt({ letters, from }: KnownQueue, moment: number): readonly PastLetter[] {
  if (moment < from) return [];
  return letters.filter(
    ({ arrivedAt, decidedAt }) => arrivedAt <= moment && (decidedAt === null || decidedAt > moment),
  );
}

function countsAt(known: KnownQueue, moment: number): readonly QueueCount[] {
  const sums = new Map<Category, number>();
  for (const { category } of openAt(known, moment)) sums.set(category, (sums.get(category) ?? 0) + 1);
  const { source, queue } = known;
  return [...sums].map(([category, n]) => ({ source, queue, category, state: "open", n }));
}

function oldestAt(known: KnownQueue, moment: number): readonly OldestLetter[] {
  const open = openAt(known, moment);
  if (open.length === 0) return [];
  // One that failed again since says only that it was here.
  const first = Math.min(...open.map(({ failedAt, arrivedAt }) => (failedAt > moment ? arrivedAt : failedAt)));
  return [{ source: known.source, queue: known.queue, failedAt: new Date(first).toISOString() }];
}

/** Those that came back within the hour. */
async function pastReturns(ledger: Ledger, { rule, since }: PastAsked): Promise<Past> {
  const queues = await queuesOf(ledger, rule);
  const looked = queues.slice(0, queuesAtMost);
  const found = await readPastReturns(ledger, { queues: namesOf(looked), since, perQueue: lettersPerQueue });
  const asked = new Set(looked.map(nameOf));
  const returns = found.filter((each) => asked.has(nameOf(each)));
  const isCut = (name: string) => found.filter(({ queue }) => queue === name).length >= lettersPerQueue;
  const category = rule.categories[0] ?? "unknown";
  return {
    at: (moment) => ({
      ...{ ...nothing, now: moment },
      counts: returns
        .filter(({ at }) => at <= moment && at > moment - hourMs)
        .map(({ source, queue }) => ({ source, queue, category, state: "returned", n: 1 })),
    }),
    limits: [
      ...["Letters that came back are counted by the hour, whatever they were taken for.", ...tooMany(queues)],
      ...namesOf(looked)
        .filter(isCut)
        .map((name) => `Of ${name} only the latest letters that came back were looked at.`),
    ],
  };
}

async function pastPlans(ledger: Ledger, { since }: PastAsked): Promise<Past> {
  const plans = await readPastPlans(ledger, since, plansAtMost);
  return {
    at: (moment) => ({
      ...{ ...nothing, now: moment },
      waiting: plans.filter(
        ({ frozenAt, decidedAt }) => frozenAt <= moment && (decidedAt === null || decidedAt > moment),
      ),
    }),
    limits: [],
  };
}
