import type { Actor } from "../../domain/actor.ts";
import type { Category, SideEffect } from "../../domain/classification.ts";
import type { Queries } from "../../domain/database.ts";
import { hexOf, readId, showId, uuidOf } from "../../domain/ids.ts";
import { openStates } from "../../domain/letter.ts";
import { recordAction } from "../../ledger/audit.ts";
import { classifyByHand } from "../../ledger/classify-by-hand.ts";
import { insertGroupWord } from "../../ledger/group-words.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { recategoriseGroups } from "../../ledger/reclassify.ts";
import { findInStates } from "../../ledger/search/find-letters.ts";
import { requireReason } from "../replay/change-replay.ts";
import { type Decidable, type DecidingParts, undecidable } from "./decide-letters.ts";

/** What somebody has decided about, or a replay has in hand, stays what it was when that was done. */
export const classifying: Decidable = { from: openStates, does: "classify them" };

/** What a person says of letters, and why. */
export interface SaidOfLetters {
  readonly category: Category;
  /** Null: as it was judged, letter by letter. */
  readonly sideEffect: SideEffect | null;
  readonly reason: string;
}

/**
 * Says what letters are, all of them or none. What they were on arrival, and all they were called since, stays. It opens the
 * protocol of that category and nothing more: whether they may go is judged as ever, and side effects stay as they were judged
 * where nothing is said of them.
 */
export async function classifyLetters(
  { ledger, host }: DecidingParts,
  actor: Actor,
  letters: readonly Uint8Array[],
  said: SaidOfLetters,
): Promise<void> {
  requireReason(said.reason, "a classification");
  await ledger.database.transaction(async (transaction) => {
    const classified = await classifyByHand(ledger, transaction, { letters, ...inWords(actor, said) });
    const found = classified.letters.length;
    if (found !== letters.length) throw undecidable(classifying, letters.length, found);
    await recategoriseGroups(ledger, transaction, classified.groups);
    const details = { letters: classified.letters.map((id) => showId("letter", id)), ...said };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action: "letters.classified", details });
  });
}

function inWords(actor: Actor, { category, sideEffect, reason }: SaidOfLetters) {
  return { states: classifying.from, category, sideEffect, why: `${actor.id}: ${reason.trim()}`, by: actor.id };
}

/** Letters of a group that are classified in one step: a million in one would keep replays waiting for minutes. */
const atOnce = 1_000;

export interface SaidOfGroup extends SaidOfLetters {
  readonly group: string;
  /** How long letters are kept, in milliseconds. */
  readonly retentionMs: number;
}

/**
 * Says what the letters of a group are that wait for a decision, one step after the other, the newest first. Said again, after a crash
 * or by somebody who did not wait for the end, it leaves alone what is called so already. Gives how many it said it of. It says
 * nothing of letters that come later: nobody has looked at those, and what resembles another is for rules to tell, which show what
 * they would move before they do. They are judged by their evidence, and a plan names those that are still unknown.
 */
export async function classifyGroup(
  parts: DecidingParts,
  actor: Actor,
  { group, retentionMs, ...said }: SaidOfGroup,
): Promise<number> {
  requireReason(said.reason, "a classification");
  const search = { q: `group:${group}`, now: parts.host.clock.now(), retentionMs };
  // Its own in any case: a crash may have left it called what its letters are not any more.
  const own = readId("group", group);
  const groups = new Map([[hexOf(own), own]]);
  let n = 0;
  for (let before: Uint8Array | null = null; ; ) {
    const ahead = { states: classifying.from, atMost: atOnce + 1, newestFirst: true, before };
    const found: readonly Uint8Array[] = await findInStates(parts.ledger, search, ahead);
    const page = { group, letters: found.slice(0, atOnce), groups, saidOf: n, isLast: found.length <= atOnce };
    n += await classifyPage(parts, actor, page, said);
    if (page.isLast) return n;
    before = page.letters.at(-1) ?? null;
  }
}

interface Page {
  readonly group: string;
  readonly letters: readonly Uint8Array[];
  /** Where letters were found so far: more than one while they move from one to another. */
  readonly groups: Map<string, Uint8Array>;
  /** How many letters it was said of on the pages before. */
  readonly saidOf: number;
  readonly isLast: boolean;
}

async function classifyPage(
  { ledger, host }: DecidingParts,
  actor: Actor,
  { group, letters, groups, saidOf, isLast }: Page,
  said: SaidOfLetters,
): Promise<number> {
  return ledger.database.transaction(async (transaction) => {
    const words = { ...inWords(actor, said), leavesSaid: true };
    const classified = await classifyByHand(ledger, transaction, { letters, ...words });
    for (const each of classified.groups) groups.set(hexOf(each), each);
    // Once, at the end: to name a group, all of its letters are counted.
    if (isLast) await recategoriseGroups(ledger, transaction, [...groups.values()]);
    const [first] = classified.letters;
    if (isLast && saidOf + classified.letters.length > 0)
      await noteClassification(ledger, transaction, { group, actor, now: host.clock.now(), said });
    if (first === undefined) return 0;
    const details = { group, n: classified.letters.length, first: showId("letter", first), ...said };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action: "groups.classified", details });
    return classified.letters.length;
  });
}

interface Noted {
  readonly group: string;
  readonly actor: Actor;
  readonly now: number;
  readonly said: SaidOfLetters;
}

/** In the group's own history, beside what else people said of it. */
async function noteClassification(
  ledger: Ledger,
  transaction: Queries,
  { group, actor, now, said: { category, reason } }: Noted,
): Promise<void> {
  await insertGroupWord(ledger, transaction, uuidOf(readId("group", group)), {
    ...{ at: now, actor: actor.id, kind: "classified", text: reason, said: category, until: null, isUntilWorse: false },
    stood: null,
  });
}
