import { createHash } from "node:crypto";
import type { Actor } from "../domain/actor.ts";
import type { Queries, Transaction } from "../domain/database.ts";
import { hexOf, showId, timeOfId } from "../domain/ids.ts";
import { auditBytes } from "./audit.ts";
import { deltaValues } from "./counter-deltas.ts";
import { type DrainSession, requireSession, resolveRedelivered } from "./drain-session.ts";
import { type Ledger, makeReadyFor } from "./ledger.ts";
import { insertKeys } from "./letter-keys.ts";
import {
  bodyColumns,
  bodyRows,
  classificationColumns,
  classificationRows,
  letterColumns,
  letterRows,
  type PlacedLetter,
} from "./letter-rows.ts";
import type { NewLetter } from "./new-letter.ts";
import { groupIdOf, noteGroups, noteQueues } from "./note-groups.ts";
import { noteStacks } from "./note-stacks.ts";

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
 * - "known": it was there already, by its position.
 * - "merged": it is a second delivery of a letter that an earlier drain had committed.
 * - "undecided": an equal letter was committed by a drain that may still be alive. Nothing was written: keep it
 *   unacknowledged, and ask again.
 */
export type HoldOutcome = "new" | "known" | "merged" | "undecided";

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
    if (!(error instanceof Error && "code" in error && error.code === noPartition)) throw error;
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
    const added = await insertKeys(ledger, transaction, fresh, session);
    const result = letters.map((letter): HoldOutcome => {
      const again = redelivered.get(letter) ?? "new";
      return again === "new" ? (added.has(letter) ? "new" : "known") : again;
    });
    const taken = fresh.filter((letter) => added.has(letter));
    if (taken.length > 0) settle.push(...(await write(ledger, transaction, taken)));
    if (result.some((outcome) => outcome === "new" || outcome === "merged"))
      await conclude(ledger, transaction, request, { taken, result });
    return result;
  });
  for (const remember of settle) remember();
  return outcomes;
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

/** Gives what is to be remembered once all is committed. */
async function write(ledger: Ledger, transaction: Transaction, taken: readonly NewLetter[]): Promise<(() => void)[]> {
  const placed = taken.map((letter): PlacedLetter => ({ letter, groupId: groupIdOf(letter), groupingVersion: 0 }));
  const copy = (columns: string, rows: Uint8Array) => transaction.copyIn(`${ledger.at}.${columns}`, rows);
  const remember = [
    await noteStacks(ledger, transaction, taken),
    await noteQueues(ledger, transaction, taken),
    await noteGroups(ledger, transaction, placed),
  ];
  await copy(letterColumns, letterRows(placed));
  await copy(bodyColumns, bodyRows(placed));
  await copy(classificationColumns, classificationRows(placed));
  return remember;
}

interface Done {
  readonly taken: readonly NewLetter[];
  readonly result: readonly HoldOutcome[];
}

/** Counters and the audit row in the transaction's last statement. */
async function conclude(
  { at }: Ledger,
  transaction: Queries,
  { actor, now, by, session, letters }: HoldRequest,
  { taken, result }: Done,
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
      first: taken[0] === undefined ? null : showId("letter", taken[0].id),
      contents: contentsHash(taken),
    },
  });
  await transaction.query(
    `with counted as (
       insert into ${at}.counter_deltas (group_id, source, queue, category, state, n, arrived, hour, at)
       select d.group_id, d.source, d.queue, d.category, 'open', d.n, d.n,
         date_trunc('hour', d.at at time zone 'UTC') at time zone 'UTC', d.at
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::timestamptz[])
         as d (group_id, source, queue, category, n, at)
     )
     select ${at}.append_audit($1::bytea)`,
    [entry, ...deltaValues(taken)],
  );
}

/** Over the ids and bodies of the batch: with the audit chain it shows any later change of either. */
function contentsHash(taken: readonly NewLetter[]): string {
  const hash = createHash("sha256");
  for (const { id, content } of taken) hash.update(id).update(content.sha256 ?? new Uint8Array());
  return hexOf(hash.digest());
}
