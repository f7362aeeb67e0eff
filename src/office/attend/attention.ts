import type { GroupStood, StandingWords } from "../../ledger/group-words.ts";
import type { GroupSummary } from "../../ledger/search/find-groups.ts";
import { isGrowing } from "../is-growing.ts";

/** Who looks after a group, and whether it asks for attention. */
export interface Attention {
  /** Null: it asks for attention. Acknowledged: seen, until it gets worse. Snoozed: it may wait. */
  readonly status: "acknowledged" | "snoozed" | null;
  readonly by: string | null;
  readonly at: string | null;
  /** Of a snooze; null where only its getting worse ends it. */
  readonly until: string | null;
  readonly isUntilWorse: boolean;
  /** Why it was acknowledged or snoozed. */
  readonly reason: string | null;
  /** Why that is over, as a sentence; null while it holds, and where there was none. */
  readonly ended: string | null;
  readonly assignee: string | null;
  /** The commit or version that brought the bug in, by a person's word. */
  readonly introducedBy: string | null;
  readonly notes: number;
}

const noAttention: Attention = {
  ...{ status: null, by: null, at: null, until: null, isUntilWorse: false, reason: null, ended: null },
  ...{ assignee: null, introducedBy: null, notes: 0 },
};

const dayMs = 86_400_000;
/** A group has grown once it has so many open letters more, and half as many again: one more of three is no news. */
const grownFrom = 10;
const grownBy = 1.5;

/** What people's words about a group come to by now. */
export function attentionOf(group: GroupSummary, words: StandingWords | undefined, now: number): Attention {
  if (words === undefined) return noAttention;
  const { attention: word, assignment, introduction, notes } = words;
  const said = { assignee: assignment?.said ?? null, introducedBy: introduction?.said ?? null };
  const known = { ...noAttention, ...said, notes };
  if (word === null || word.kind === "woken") return known;
  const isUntilWorse = word.isUntilWorse || word.kind === "acknowledged";
  const isTime = word.until !== null && word.until <= now;
  const { stood, at } = word;
  const worse = isUntilWorse && stood !== null ? becameWorse(group, { ...words, stood, at }, now) : null;
  const ended = isTime ? "Its time has come." : worse;
  return {
    ...known,
    ...{ by: word.actor, at: isoOf(word.at), until: isoOf(word.until), isUntilWorse, reason: word.text, ended },
    status: ended !== null ? null : word.kind === "snoozed" ? "snoozed" : "acknowledged",
  };
}

interface Before {
  readonly at: number;
  readonly stood: GroupStood;
  readonly cameBack: boolean;
}

/** In what a group is worse than it was, as a sentence; null where it is not. */
function becameWorse(group: GroupSummary, { at, stood, cameBack }: Before, now: number): string | null {
  const { open, category, oldestOpenAt } = group;
  if (cameBack) return "A letter of it came back after a replay.";
  if (category !== stood.category) return `It was ${stood.category} and is ${category} now.`;
  if (open >= stood.open + grownFrom && open >= stood.open * grownBy)
    return `It had ${stood.open} open letters and has ${open} now.`;
  if (!stood.isGrowing && isGrowing(group)) return "It grows by the hour.";
  const agedAt = oldestOpenAt === null ? Number.POSITIVE_INFINITY : Date.parse(oldestOpenAt) + dayMs;
  return agedAt > at && agedAt <= now ? "Its oldest letter is more than a day old." : null;
}

export function stoodOf(group: GroupSummary): GroupStood {
  return { open: group.open, category: group.category, isGrowing: isGrowing(group) };
}

function isoOf(ms: number): string;
function isoOf(ms: number | null): string | null;
function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
