import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import type { Ledger } from "./ledger.ts";

/** What is sent for a letter: a message that makes up for it, or the letter itself, to the queue it was drained from. */
export type CompensationKind = "corrective" | "give_back";

/** A message that is sent for each of some letters. */
export interface NewCompensation {
  readonly kind: CompensationKind;
  /** One for each letter, in the same order. */
  readonly ids: readonly Uint8Array[];
  readonly letters: readonly Uint8Array[];
  readonly from: readonly LetterState[];
  readonly source: string;
  readonly queue: string;
  /** Empty where it is the letter's own. */
  readonly body: Uint8Array;
  readonly by: string;
  readonly reason: string;
}

/**
 * Durable before anything is sent; their letters are taken. Gives how many of them could be. Letters are locked first: of two who
 * ask at once, the second waits and finds them taken.
 */
export async function beginCompensations(
  { at }: Ledger,
  queries: Queries,
  { kind, ids, letters, from, source, queue, body, by, reason }: NewCompensation,
): Promise<number> {
  const [uuids, wanted] = [ids.map(uuidOf), letters.map(uuidOf)];
  await queries.query(`select from ${at}.letters where id = any ($1::uuid[]) order by id for no key update`, [wanted]);
  const { rows } = await queries.query<{ n: number }>(
    `select ${at}.begin_compensations($1::uuid[], $2::uuid[], $3::text[], $4, $5, $6, $7, $8) as n`,
    [uuids, wanted, from, source, queue, Buffer.from(body), by, reason],
  );
  await queries.query(`update ${at}.compensations set attempted_at = null, kind = $2 where id = any ($1::uuid[])`, [
    uuids,
    kind,
  ]);
  return rows[0]?.n ?? 0;
}

/**
 * Durable just before its message is sent. False where it must not be any more: somebody took it back, or stopped all sending;
 * a stop that is just being made is waited for.
 */
export async function attemptCompensation({ at }: Ledger, queries: Queries, id: Uint8Array): Promise<boolean> {
  const { rows } = await queries.query<{ allowed: boolean }>(`select ${at}.attempt_compensation($1) as allowed`, [
    uuidOf(id),
  ]);
  return rows[0]?.allowed ?? false;
}

/** What became of it; false where somebody has said so before. */
export async function endCompensation(
  { at }: Ledger,
  queries: Queries,
  { id, outcome }: { readonly id: Uint8Array; readonly outcome: "sent" | "unsent" },
): Promise<boolean> {
  const { rows } = await queries.query<{ ended: boolean }>(`select ${at}.end_compensation($1, $2) as ended`, [
    uuidOf(id),
    outcome,
  ]);
  return rows[0]?.ended ?? false;
}

/** A compensation that was begun, and nobody has said what became of it. */
export interface OpenCompensation {
  readonly id: Uint8Array;
  readonly kind: CompensationKind;
  /** Since its message was about to be sent, in milliseconds; null: it was not, and cannot be while this is held. */
  readonly attemptedForMs: number | null;
}

/** That of a letter, held until the end of the transaction; null: there is none. */
export async function holdCompensation(
  { at }: Ledger,
  transaction: Queries,
  letter: Uint8Array,
): Promise<OpenCompensation | null> {
  const { rows } = await transaction.query<{ id: string; kind: CompensationKind; ms: number | null }>(
    `select c.id, c.kind, (extract(epoch from ${at}.clock() - c.attempted_at) * 1000)::float8 as ms
     from ${at}.compensations c where c.letter_id = $1 and c.state = 'sending' for no key update`,
    [uuidOf(letter)],
  );
  const [row] = rows;
  return row === undefined ? null : { id: idOfUuid(row.id), kind: row.kind, attemptedForMs: row.ms };
}

/** How many of these letters were given back: their queue has them, or whoever took them from there. */
export async function countGivenBack(
  { at }: Ledger,
  queries: Queries,
  letters: readonly Uint8Array[],
): Promise<number> {
  const { count } = await queries.query(
    `select distinct letter_id from ${at}.compensations
     where letter_id = any ($1::uuid[]) and kind = 'give_back' and state = 'sent'`,
    [letters.map(uuidOf)],
  );
  return count;
}
