import type { AlertKind, AlertRule } from "../../domain/alert-rule.ts";
import { appliesTo } from "../../domain/alert-rule.ts";
import type { Category } from "../../domain/classification.ts";
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
const lettersPerQueue = 1_000;
const plansAtMost = 200;

const nothing = { groups: [], counts: [], oldest: [], breakers: [], waiting: [] };

/** Reads no more than what a rule of that kind is judged by, and a bounded number of letters. */
export const readPast: Readonly<Record<AlertKind, (ledger: Ledger, asked: PastAsked) => Promise<Past>>> = {
  new: (ledger, asked) =>
    pastGroups(ledger, asked, ({ firstArrivedAt }, moment) => isWithinDay(firstArrivedAt, moment)),
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

function isWithinDay(firstArrivedAt: string | null, moment: number): boolean {
  const first = firstArrivedAt === null ? Number.POSITIVE_INFINITY : Date.parse(firstArrivedAt);
  return first <= moment && first > moment - dayMs;
}

/** By the arrivals of each hour. How many of them were open at a moment is not kept: all that had come by then count. */
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
  const stood = groups.map((group) => ({ group, arrivals: arrivalsOf(namedGroup(group).ids, hours) }));
  return {
    at: (moment) => ({
      ...{ ...nothing, now: moment },
      groups: stood
        .filter(({ group }) => isAsked(group, moment))
        .map(({ group, arrivals }) => groupAt(group, arrivals, moment)),
    }),
    limits: [
      "How many letters of a group were open is not kept: all that had come count.",
      ...(groups.length < groupsAtMost
        ? []
        : [`Only the ${groupsAtMost} groups with most open letters were looked at.`]),
    ],
  };
}

type Arrivals = ReadonlyMap<number, number>;

function arrivalsOf(ids: readonly string[], hours: ReadonlyMap<string, Arrivals>): Arrivals {
  const sums = new Map<number, number>();
  for (const id of ids) for (const [hour, n] of hours.get(id) ?? []) sums.set(hour, (sums.get(hour) ?? 0) + n);
  return sums;
}

/** The group as it was at the end of an hour. */
function groupAt(group: GroupSummary, arrivals: Arrivals, moment: number): GroupSummary {
  const hours = Array.from({ length: 24 }, (_, place) => arrivals.get(moment - (24 - place) * hourMs) ?? 0);
  const later = [...arrivals].filter(([hour]) => hour >= moment).reduce((sum, [, n]) => sum + n, 0);
  return { ...group, hours, open: Math.max(0, group.total - later) };
}

interface Place {
  readonly source: string;
  readonly queue: string;
}

async function queuesOf(
  ledger: Ledger,
  rule: AlertRule,
): Promise<{ readonly queues: readonly Place[]; readonly counts: readonly QueueCount[] }> {
  const counts = (await countQueues(ledger)).filter(({ source, queue }) => appliesTo(rule, source, queue));
  const names = new Map(counts.map(({ source, queue }) => [JSON.stringify([source, queue]), { source, queue }]));
  return { counts, queues: [...names.values()] };
}

function tooMany(queues: readonly Place[]): readonly string[] {
  return queues.length <= queuesAtMost ? [] : [`Only ${queuesAtMost} of ${queues.length} queues were looked at.`];
}

/** By the latest letters of each queue: from when each came to when it was decided about. */
async function pastQueues(ledger: Ledger, { rule, since }: PastAsked): Promise<Past> {
  const { queues } = await queuesOf(ledger, rule);
  const looked = queues.slice(0, queuesAtMost);
  const letters = await readPastLetters(ledger, { queues: looked, perQueue: lettersPerQueue });
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
        return `Of ${source}/${queue} only the latest ${lettersPerQueue.toLocaleString("en")} letters were looked at, since ${moment}.`;
      }),
    ],
  };
}

interface KnownQueue extends Place {
  readonly letters: readonly PastLetter[];
  /** Before this there may have been letters that were not looked at. */
  readonly from: number;
}

function knownOf({ source, queue }: Place, letters: readonly PastLetter[], since: number): KnownQueue {
  const own = letters.filter((letter) => letter.source === source && letter.queue === queue);
  const first = Math.min(...own.map(({ arrivedAt }) => arrivedAt));
  return { source, queue, letters: own, from: own.length < lettersPerQueue ? since : Math.max(since, first) };
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
  const first = Math.min(...open.map(({ arrivedAt }) => arrivedAt));
  return [{ source: known.source, queue: known.queue, arrivedAt: new Date(first).toISOString() }];
}

/** Those that came back within the hour. */
async function pastReturns(ledger: Ledger, { rule, since }: PastAsked): Promise<Past> {
  const { queues } = await queuesOf(ledger, rule);
  const looked = queues.slice(0, queuesAtMost);
  const returns = await readPastReturns(ledger, { queues: looked, since, perQueue: lettersPerQueue });
  const category = rule.categories[0] ?? "unknown";
  return {
    at: (moment) => ({
      ...{ ...nothing, now: moment },
      counts: returns
        .filter(({ at }) => at <= moment && at > moment - hourMs)
        .map(({ source, queue }) => ({ source, queue, category, state: "returned", n: 1 })),
    }),
    limits: ["Letters that came back are counted by the hour, whatever they were taken for.", ...tooMany(queues)],
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
