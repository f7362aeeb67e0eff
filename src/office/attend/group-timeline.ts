import { isIntroducedBy } from "../../domain/introduced-by.ts";
import { type GroupHappening, happenedAround } from "../../ledger/group-happenings.ts";
import { type GroupWord, listGroupWords, type NamedGroup, standingWords } from "../../ledger/group-words.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { readGroup } from "../../ledger/search/find-groups.ts";
import { namedGroup } from "./attend-group.ts";

/** One line of what happened to a group. */
export interface TimelineEntry {
  readonly at: string;
  readonly kind: string;
  readonly by: string;
  /** What happened, without who: "snoozed it until …". */
  readonly sentence: string;
  /** In the person's own words. */
  readonly text: string | null;
  readonly replay: string | null;
}

export interface GroupTimeline {
  readonly items: readonly TimelineEntry[];
  /** A deploy to its queue shortly before its first failure: a coincidence, which may be the cause. */
  readonly suspect: DeployBefore | null;
}

export interface DeployBefore {
  readonly called: string;
  readonly deployedAt: string;
  readonly secondsBefore: number;
  /** A person said that it introduced the group. */
  readonly isIntroduction: boolean;
}

const hourMs = 3_600_000;

/** What people said and did about a group and what happened around it, newest first. */
export async function groupTimeline(
  ledger: Ledger,
  { id, now, limit }: { readonly id: string; readonly now: number; readonly limit: number },
): Promise<GroupTimeline> {
  const group = await readGroup(ledger, id, now);
  const { ids } = namedGroup(group);
  const first = group.firstFailedAt === null ? now : Date.parse(group.firstFailedAt);
  const around = { ids, queue: group.queue, since: first - hourMs, limit };
  const happened = await happenedAround(ledger, around);
  const introducedBy = await introductionOf(ledger, namedGroup(group));
  const lines = happened.map((each) => happeningLine(each, introducedBy));
  const entries = [...(await listGroupWords(ledger, ids, limit)).map(wordLine), ...lines];
  const items = entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, limit);
  return { items, suspect: suspectOf(happened, first, introducedBy) };
}

async function introductionOf(ledger: Ledger, group: NamedGroup): Promise<string | null> {
  return (await standingWords(ledger, [group])).get(group.id)?.introduction?.said ?? null;
}

function isNamed({ kind, called }: GroupHappening, introducedBy: string | null): boolean {
  if (kind !== "deploy" || introducedBy === null) return false;
  const space = called.lastIndexOf(" ");
  return isIntroducedBy(introducedBy, { service: called.slice(0, space), version: called.slice(space + 1) });
}

/** The deploy that a person named, else the last one before it began. */
function suspectOf(
  happened: readonly GroupHappening[],
  first: number,
  introducedBy: string | null,
): GroupTimeline["suspect"] {
  const before = happened.filter(({ kind, at }) => kind === "deploy" && at <= first);
  const named = before.find((each) => isNamed(each, introducedBy));
  const deploy = named ?? before[0];
  if (deploy === undefined) return null;
  const { called, at } = deploy;
  const secondsBefore = Math.round((first - at) / 1_000);
  return { called, deployedAt: isoOf(at), secondsBefore, isIntroduction: named !== undefined };
}

function wordLine(word: GroupWord): TimelineEntry {
  const { at, actor, kind, text } = word;
  return { at: isoOf(at), kind, by: actor, sentence: wordSentences[kind](word), text, replay: null };
}

const wordSentences: Readonly<Record<GroupWord["kind"], (word: GroupWord) => string>> = {
  acknowledged: () => "acknowledged it, until it gets worse",
  snoozed: ({ until, isUntilWorse }) => {
    const ends = [until === null ? "" : isoOf(until), isUntilWorse ? "it gets worse" : ""].filter((end) => end !== "");
    return `snoozed it until ${ends.join(" or ")}`;
  },
  woken: () => "took back that it may wait",
  assigned: ({ said }) => (said === null ? "took it from whoever had it" : `assigned it to ${said}`),
  noted: () => "noted",
  classified: ({ said }) => `classified its letters as ${said}`,
  tagged: ({ said }) => `tagged it ${said}`,
  untagged: ({ said }) => `took the tag ${said} off`,
  introduced: ({ said }) => (said === null ? "took back what introduced it" : `recorded that ${said} introduced it`),
};

function happeningLine(happening: GroupHappening, introducedBy: string | null): TimelineEntry {
  const { at, kind, by, called, replay, text } = happening;
  const mark = isNamed(happening, introducedBy) ? "introduced it" : text;
  return { at: isoOf(at), kind, by, sentence: happeningSentences[kind](called), text: mark, replay };
}

const happeningSentences: Readonly<Record<GroupHappening["kind"], (called: string) => string>> = {
  fix: (called) => `recorded the fix ${called}`,
  deploy: (called) => `recorded that ${called} went live`,
  replay: (called) => `planned the replay ${called}`,
  merge: (called) => `merged it with ${called}`,
  split: (called) => `split it, with ${called}`,
  undo: (called) => `took back a change, with ${called}`,
};

const isoOf = (ms: number) => new Date(ms).toISOString();
