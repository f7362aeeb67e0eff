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
  const { rows } = await queries.query<{ n: number }>(
    `select ${at}.begin_compensations($1::uuid[], $2::uuid[], $3::text[], $4, $5, $6, $7, $8) as n`,
    [ids.map(uuidOf), letters.map(uuidOf), from, source, queue, Buffer.from(body), by, reason],
  );
  return rows[0]?.n ?? 0;
}

/** What became of the messages for these letters; gives those for which that was news. */
export async function endCompensations(
  { at }: Ledger,
  queries: Queries,
  { letters, outcome }: { readonly letters: readonly Uint8Array[]; readonly outcome: "sent" | "unsent" },
): Promise<readonly Uint8Array[]> {
  const { rows } = await queries.query<{ ids: readonly string[] }>(
    `select ${at}.end_compensations($1::uuid[], $2) as ids`,
    [letters.map(uuidOf), outcome],
  );
  return (rows[0]?.ids ?? []).map(idOfUuid);
}

/** For how long nobody knows whether the message for a letter was sent, in milliseconds; null when that is not so. */
export async function doubtfulForMs({ at }: Ledger, queries: Queries, letter: Uint8Array): Promise<number | null> {
  const { rows } = await queries.query<{ ms: number }>(
    `select (extract(epoch from ${at}.clock() - c.begun_at) * 1000)::float8 as ms
     from ${at}.compensations c where c.letter_id = $1 and c.state = 'sending' for no key update`,
    [uuidOf(letter)],
  );
  return rows[0]?.ms ?? null;
}
