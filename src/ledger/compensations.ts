import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import type { Ledger } from "./ledger.ts";

/** A message that is sent for each of some letters, to make up for them. */
export interface NewCompensation {
  /** One for each letter, in the same order. */
  readonly ids: readonly Uint8Array[];
  readonly letters: readonly Uint8Array[];
  readonly from: readonly LetterState[];
  readonly source: string;
  readonly queue: string;
  readonly body: Uint8Array;
  readonly by: string;
  readonly reason: string;
}

/** Durable before anything is sent; their letters are taken. Gives how many of them could be. */
export async function beginCompensations(
  { at }: Ledger,
  queries: Queries,
  { ids, letters, from, source, queue, body, by, reason }: NewCompensation,
): Promise<number> {
  const uuids = ids.map(uuidOf);
  const { rows } = await queries.query<{ n: number }>(
    `select ${at}.begin_compensations($1::uuid[], $2::uuid[], $3::text[], $4, $5, $6, $7, $8) as n`,
    [uuids, letters.map(uuidOf), from, source, queue, Buffer.from(body), by, reason],
  );
  await queries.query(`update ${at}.compensations set attempted_at = null where id = any ($1::uuid[])`, [uuids]);
  return rows[0]?.n ?? 0;
}

/**
 * Durable just before its message is sent. False where it must not be any more: somebody took it back, or stopped all sending;
 * a stop that is just being made is waited for.
 */
export async function attemptCompensation({ at }: Ledger, queries: Queries, id: Uint8Array): Promise<boolean> {
  const { count } = await queries.query(
    `with allowed as materialized (select from ${at}.sending where stopped_by is null for share)
     update ${at}.compensations c set attempted_at = ${at}.clock()
     where c.id = $1 and c.state = 'sending' and c.attempted_at is null and exists (select from allowed)`,
    [uuidOf(id)],
  );
  return count > 0;
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
  /** Since its message was about to be sent, in milliseconds; null: it was not, and cannot be while this is held. */
  readonly attemptedForMs: number | null;
}

/** That of a letter, held until the end of the transaction; null: there is none. */
export async function holdCompensation(
  { at }: Ledger,
  transaction: Queries,
  letter: Uint8Array,
): Promise<OpenCompensation | null> {
  const { rows } = await transaction.query<{ id: string; ms: number | null }>(
    `select c.id, (extract(epoch from ${at}.clock() - c.attempted_at) * 1000)::float8 as ms
     from ${at}.compensations c where c.letter_id = $1 and c.state = 'sending' for no key update`,
    [uuidOf(letter)],
  );
  const [row] = rows;
  return row === undefined ? null : { id: idOfUuid(row.id), attemptedForMs: row.ms };
}
