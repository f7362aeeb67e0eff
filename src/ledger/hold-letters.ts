import type { Actor } from "../domain/actor.ts";
import type { Queries, Transaction } from "../domain/database.ts";
import { hasCode } from "../domain/has-code.ts";
import { hexOf, showId, timeOfId } from "../domain/ids.ts";
import { type SendMark, showSend } from "../domain/send-mark.ts";
import { auditBytes } from "./audit.ts";
import { arrivalsOf, type CounterChange, deltaValues } from "./counter-deltas.ts";
import { type DrainSession, requireSession, resolveRedelivered } from "./drain-session.ts";
import { type FoundReturns, findReturns } from "./find-returns.ts";
import { type Ledger, makeReadyFor } from "./ledger.ts";
import { insertKeys } from "./letter-keys.ts";
import {
  bodyColumns,
  bodyRows,
  classificationColumns,
  classificationRows,
  letterColumns,
  letterRows,
} from "./letter-rows.ts";
import type { NewLetter } from "./new-letter.ts";
import { noteGroups, noteQueues } from "./note-groups.ts";
import { noteStacks } from "./note-stacks.ts";
import { type PlacedLetter, placeLetters } from "./place-letters.ts";
import { findRepeatedReturns } from "./repeated-returns.ts";
import { type FoundRepeats, findRepeats, noteRepeats } from "./repeats.ts";
import type { Return } from "./return-rows.ts";
import { sha256Of } from "./sha256.ts";
import { addRuleTags, type RuleTags } from "./tags.ts";
import { takeReturns } from "./take-returns.ts";

export interface HoldRequest {
  readonly letters: readonly NewLetter[];
  readonly actor: Actor;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What brought them: `drain` or `import`. */
  readonly by: string;
  /** The drain they came by; null for what was never in a broker's hand. */
  readonly session: DrainSession | null;
}

/**
 * - "new": it is in the ledger now.
 * - "returned": a replay had sent it, and it died again: the letter it was has one more attempt.
 * - "known": it was there already, by its position.
 * - "merged": it is a second delivery of a letter that an earlier drain had committed, or a second dead letter of its failure.
 * - "undecided": an equal letter was committed by a drain that may still be alive. Nothing was written: keep it
 *   unacknowledged, and ask again.
 */
export type HoldOutcome = "new" | "returned" | "known" | "merged" | "undecided";

const noPartition = "23514";

/**
 * Takes a batch into the ledger, in one transaction: all of it is durable when this resolves, or nothing.
 *
 * An answer that is lost may be asked for again: the same letters are then "known".
 */
export async function holdLetters(ledger: Ledger, request: HoldRequest): Promise<readonly HoldOutcome[]> {
  if (request.letters.length === 0) return [];
  try {
    return await holdOnce(ledger, request);
  } catch (error) {
    if (!hasCode(error, noPartition)) throw error;
    // A clock far off, or a file with letters of long ago: their weeks have no partitions yet.
    for (const { id } of request.letters) await makeReadyFor(ledger, timeOfId(id));
    return holdOnce(ledger, request);
  }
}

async function holdOnce(ledger: Ledger, request: HoldRequest): Promise<readonly HoldOutcome[]> {
  const settle: (() => void)[] = [];
  const outcomes = await ledger.database.transaction(async (transaction) => {
    const { session, letters } = request;
    if (session !== null) await requireSession(ledger, transaction, session.id);
    const redelivered = await secondDeliveries(ledger, transaction, request);
    const fresh = letters.filter((letter) => (redelivered.get(letter) ?? "new") === "new");
    // What comes from a file was not sent to anybody just now, whatever it says.
    const found = session === null ? nothingReturned : await findReturns(ledger, transaction, fresh);
    const letterIdOf = (letter: NewLetter) => found.returns.get(letter)?.letter ?? letter.id;
    const added = await insertKeys(ledger, transaction, fresh, { session, letterIdOf });
    const news = fresh.filter((letter) => added.has(letter));
    const repeats = session === null ? noRepeats : await repeatsAmong(ledger, transaction, news, found);
    const result = letters.map((letter): HoldOutcome => {
      const again = redelivered.get(letter) ?? "new";
      if (again !== "new") return again;
      if (repeats.known.has(letter)) return "merged";
      return added.has(letter) ? (found.returns.has(letter) ? "returned" : "new") : "known";
    });
    const placed = placeLetters(
      news.filter((letter) => !repeats.known.has(letter)),
      found.maybes,
    );
    const written = await write(ledger, transaction, placed, found);
    await noteRepeats(ledger, transaction, repeats);
    settle.push(...written.remember);
    if (result.some((outcome) => outcome !== "known" && outcome !== "undecided"))
      await conclude(ledger, transaction, request, { ...written, result, repeats });
    return result;
  });
  for (const remember of settle) remember();
  return outcomes;
}

const nothingReturned: FoundReturns = { returns: new Map(), maybes: new Map() };
const noRepeats: FoundRepeats = { known: new Map(), probable: new Map() };

/** Among letters that are new to the ledger: second dead letters of one failure, be it of a message that a replay had sent. */
async function repeatsAmong(
  ledger: Ledger,
  transaction: Queries,
  letters: readonly NewLetter[],
  { returns, maybes }: FoundReturns,
): Promise<FoundRepeats> {
  const back = letters.flatMap((letter) => {
    const mark = returns.get(letter);
    return mark === undefined ? [] : [{ letter, mark }];
  });
  const repeatedReturns = await findRepeatedReturns(ledger, transaction, back);
  const others = letters.filter((letter) => !returns.has(letter) && !maybes.has(letter));
  const { known, probable } = await findRepeats(ledger, transaction, others);
  return { known: new Map([...known, ...repeatedReturns]), probable };
}

async function secondDeliveries(
  ledger: Ledger,
  transaction: Queries,
  { letters, session }: HoldRequest,
): Promise<ReadonlyMap<NewLetter, "new" | "merged" | "undecided">> {
  const asked = letters.flatMap((letter) =>
    letter.identity.kind === "delivery" && letter.identity.redelivered
      ? [{ letter, digest: letter.identity.digest }]
      : [],
  );
  if (session === null || asked.length === 0) return new Map();
  const digests = asked.map(({ digest }) => digest);
  const answers = await resolveRedelivered(ledger, transaction, { session, digests });
  return new Map(asked.map(({ letter }, index) => [letter, answers[index]?.kind ?? "new"]));
}

interface Written {
  readonly taken: readonly NewLetter[];
  readonly returned: readonly SendMark[];
  readonly changes: readonly CounterChange[];
  /** How many of them rules put each tag on. */
  readonly tagged: Readonly<Record<string, number>>;
  /** The oldest version of the groups that any of them was placed under; null where none was placed. */
  readonly placedUnder: number | null;
  /** To be called once all is committed. */
  readonly remember: readonly (() => void)[];
}

async function write(
  ledger: Ledger,
  transaction: Transaction,
  all: readonly PlacedLetter[],
  { returns }: FoundReturns,
): Promise<Written> {
  const placed = all.filter(({ letter }) => !returns.has(letter));
  const back = all.flatMap((each): Return[] => {
    const mark = returns.get(each.letter);
    return mark === undefined ? [] : [{ mark, placed: each }];
  });
  const taken = placed.map(({ letter }) => letter);
  const remember = placed.length === 0 ? [] : await writeNew(ledger, transaction, placed);
  const returned = await takeReturns(ledger, transaction, back);
  const tagged = all.map(({ letter }) => ({ id: returns.get(letter)?.letter ?? letter.id, letter }));
  await addRuleTags(ledger, transaction, tagged.map(tagsOfRule));
  return {
    taken,
    returned: back.map(({ mark }) => mark),
    changes: [...arrivalsOf(placed), ...returned.changes],
    tagged: countsOf(all.flatMap(({ letter }) => letter.tags)),
    placedUnder: all.length === 0 ? null : Math.min(...all.map(({ groupingVersion }) => groupingVersion)),
    remember: [...remember, ...returned.remember],
  };
}

function tagsOfRule({ id, letter }: { readonly id: Uint8Array; readonly letter: NewLetter }): RuleTags {
  return { letter: id, tags: letter.tags, by: letter.classification.rule };
}

function countsOf(names: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}

/** Gives what is to be remembered once all is committed. */
async function writeNew(
  ledger: Ledger,
  transaction: Transaction,
  placed: readonly PlacedLetter[],
): Promise<(() => void)[]> {
  const taken = placed.map(({ letter }) => letter);
  const remember = [
    await noteStacks(ledger, transaction, placed),
    await noteQueues(ledger, transaction, taken),
    await noteGroups(ledger, transaction, placed),
  ];
  await transaction.copyIn(
    { target: `${ledger.at}.${letterColumns}`, rows: letterRows(placed) },
    { target: `${ledger.at}.${bodyColumns}`, rows: bodyRows(placed) },
    { target: `${ledger.at}.${classificationColumns}`, rows: classificationRows(placed) },
  );
  return remember;
}

interface Done extends Written {
  readonly result: readonly HoldOutcome[];
  readonly repeats: FoundRepeats;
}

/** Counters and the audit row in the transaction's last statement. */
async function conclude(
  { at }: Ledger,
  transaction: Queries,
  { actor, now, by, session, letters }: HoldRequest,
  { taken, returned, changes, tagged, placedUnder, result, repeats }: Done,
): Promise<void> {
  const entry = auditBytes({
    at: now,
    actor,
    action: "letters.held",
    details: {
      by,
      source: letters[0]?.source,
      drainedFrom: letters[0]?.drainedFrom,
      session: session === null ? null : showId("session", session.id),
      held: taken.length,
      merged: result.filter((outcome) => outcome === "merged").length,
      ...(returned.length === 0 ? {} : { returned: returned.map(showSend) }),
      ...(Object.keys(tagged).length === 0 ? {} : { tagged }),
      ...(repeats.known.size === 0 ? {} : { repeatOf: [...repeats.known.values()].map((id) => showId("letter", id)) }),
      first: taken[0] === undefined ? null : showId("letter", taken[0].id),
      contents: contentsHash(taken),
    },
  });
  await transaction.query(
    `with counted as (
       insert into ${at}.counter_deltas
         (group_id, source, queue, category, state, n, arrived, at, hour, first_failed_at, last_failed_at, failed)
       select d.*, d.n
       from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::integer[], $9::integer[], $10::timestamptz[],
           $11::timestamptz[], $12::timestamptz[], $13::timestamptz[])
         as d (group_id, source, queue, category, state, n, arrived, at, hour, first_failed_at, last_failed_at)
     )
     select ${at}.note_grouping($2::integer), ${at}.append_audit($1::bytea)`,
    [entry, placedUnder, ...deltaValues(changes)],
  );
}

/** Over the ids and bodies of the batch: with the audit chain it shows any later change of either. */
function contentsHash(taken: readonly NewLetter[]): string {
  return hexOf(sha256Of(Buffer.concat(taken.flatMap(({ id, content }) => [id, content.sha256 ?? nothing]))));
}

const nothing = new Uint8Array();
