import type { Actor } from "../../domain/actor.ts";
import { pause } from "../../domain/clock.ts";
import { hexOf, idOfUuid, showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { readGroupChanges } from "../../ledger/group-changes.ts";
import { recategoriseGroups } from "../../ledger/reclassify.ts";
import {
  findMisplaced,
  type MisplacedLetter,
  noteAllPlaced,
  type Placing,
  placeAnew,
  type RegroupingState,
  readRegrouping,
  redateGroups,
} from "../../ledger/regrouping.ts";
import { type LetterFacts, noFacts } from "../../triage/conditions/letter-facts.ts";
import type { LettersAtHand } from "../policy/judge-anew.ts";
import { type Grouping, groupingOf } from "./grouping.ts";
import { standingFacts } from "./standing-facts.ts";

export interface RegroupRequest {
  readonly actor: Actor;
  readonly signal: AbortSignal;
  /** Letters that moved so far. */
  readonly onProgress?: (moved: number) => void;
  /** How long to wait for writers that may not have seen the last change, in milliseconds. @default 5_000 */
  readonly patienceMs?: number;
  /** Letters placed at once: enough to be quick, few enough that their bodies fit into memory. @default 500 */
  readonly batch?: number;
}

export interface Regrouped {
  /** Letters that are in another group now. */
  readonly moved: number;
  /** False: writers were under way that may still place letters as it was before. Whoever comes next goes on. */
  readonly isComplete: boolean;
}

const regroupDefaults = { patienceMs: 5_000, batch: 500 };
const lookAgainMs = 50;

/**
 * Brings letters that were placed before to where merges and splits want them, batch by batch. Each batch is a transaction
 * and each letter says under which version it stands, so whoever comes after a crash, or works beside this, does the rest.
 */
export async function regroup(office: LettersAtHand, request: RegroupRequest): Promise<Regrouped> {
  const { clock, ledger } = office;
  const until = clock.now() + (request.patienceMs ?? regroupDefaults.patienceMs);
  let moved = 0;
  // Whoever began to write before this moment may not have seen the change; whoever begins later says so if it has not.
  let seen: RegroupingState | undefined;
  for (;;) {
    const state = await readRegrouping(ledger);
    if (state.placedVersion >= state.version) return { moved, isComplete: true };
    if (seen?.version !== state.version) seen = state;
    const grouping = groupingOf(await readGroupChanges(ledger, ledger.database));
    let isSettled = grouping.version === state.version && state.oldestTransaction >= seen.nextTransaction;
    for await (const batch of sweep(office, grouping, request)) {
      moved += batch.moved;
      isSettled &&= batch.isWhole;
      request.onProgress?.(moved);
    }
    if (request.signal.aborted) return { moved, isComplete: false };
    if (isSettled && (await conclude(office, grouping, state))) return { moved, isComplete: true };
    if (clock.now() >= until) return { moved, isComplete: false };
    await pause(clock, lookAgainMs, request.signal);
  }
}

interface Batch {
  readonly moved: number;
  /** False: some changed while their place was looked for, and are to be looked at again. */
  readonly isWhole: boolean;
}

/** Places every letter that was placed under an older version, group by group. */
async function* sweep(
  office: LettersAtHand,
  grouping: Grouping,
  { signal, actor, batch = regroupDefaults.batch }: RegroupRequest,
): AsyncGenerator<Batch> {
  const { version, concerned } = grouping;
  for (const group of concerned) {
    for (let after: Uint8Array | null = null; !signal.aborted; ) {
      const page: readonly MisplacedLetter[] = await findMisplaced(office.ledger, { group, version, after }, batch);
      if (page.length === 0) break;
      after = page.at(-1)?.id ?? null;
      yield await placeBatch(office, actor, { placings: await placingsOf(office, grouping, page), version });
    }
  }
}

async function placingsOf(
  office: LettersAtHand,
  grouping: Grouping,
  page: readonly MisplacedLetter[],
): Promise<readonly Placing[]> {
  const split = page.filter(({ natural }) => grouping.isSplit(natural)).map(({ id }) => id);
  const facts = split.length === 0 ? new Map<string, LetterFacts>() : await standingFacts(office, split);
  return page.map((letter) => {
    const known = facts.get(hexOf(letter.id)) ?? noFacts;
    return { letter, target: grouping.place(letter.natural, () => known) };
  });
}

async function placeBatch(
  { ledger, clock }: LettersAtHand,
  actor: Actor,
  { placings, version }: { readonly placings: readonly Placing[]; readonly version: number },
): Promise<Batch> {
  return ledger.database.transaction(async (transaction) => {
    const { placed, moved } = await placeAnew(ledger, transaction, placings, version);
    const [first] = placings;
    if (moved > 0 && first !== undefined) {
      const details = { version, moved, first: showId("letter", first.letter.id) };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "letters.regrouped", details });
    }
    return { moved, isWhole: placed === placings.length };
  });
}

/** That all letters stand right, with what follows for their groups. False: look again. */
async function conclude({ ledger }: LettersAtHand, grouping: Grouping, state: RegroupingState): Promise<boolean> {
  return ledger.database.transaction(async (transaction) => {
    const { concerned } = grouping;
    await recategoriseGroups(ledger, transaction, concerned.map(idOfUuid));
    await redateGroups(ledger, transaction, concerned);
    return noteAllPlaced(ledger, transaction, state);
  });
}
