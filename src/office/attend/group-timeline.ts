import { type GroupHappening, happenedAround } from "../../ledger/group-happenings.ts";
import { type GroupWord, listGroupWords } from "../../ledger/group-words.ts";
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
  readonly suspect: { readonly called: string; readonly deployedAt: string; readonly secondsBefore: number } | null;
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
  const entries = [...(await listGroupWords(ledger, ids, limit)).map(wordLine), ...happened.map(happeningLine)];
  const items = entries.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, limit);
  return { items, suspect: suspectOf(happened, first) };
}

function suspectOf(happened: readonly GroupHappening[], first: number): GroupTimeline["suspect"] {
  const deploy = happened.find(({ kind, at }) => kind === "deploy" && at <= first);
  if (deploy === undefined) return null;
  const { called, at } = deploy;
  return { called, deployedAt: isoOf(at), secondsBefore: Math.round((first - at) / 1_000) };
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
};

function happeningLine({ at, kind, by, called, replay, text }: GroupHappening): TimelineEntry {
  return { at: isoOf(at), kind, by, sentence: happeningSentences[kind](called), text, replay };
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
