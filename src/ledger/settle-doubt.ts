import type { Queries } from "../domain/database.ts";
import { showId, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { ItemProgress } from "./replay-items.ts";

/** Puts in doubt what the sender of a replay that has ended left behind. While a sender lives, nothing is. */
export async function doubtAbandoned({ at }: Ledger, queries: Queries, replay: Uint8Array): Promise<void> {
  await queries.query(`select ${at}.doubt_abandoned($1)`, [uuidOf(replay)]);
}

export interface DoubtfulItem {
  readonly n: number;
  readonly progress: ItemProgress;
  /** How long whoever was sending it may still wake up, in milliseconds. */
  readonly wakesForMs: number;
}

export interface DoubtSearch {
  readonly replay: Uint8Array;
  /** Null: all that are in doubt. */
  readonly numbers: readonly number[] | null;
  /** How long after it came into doubt a sender may still wake up. */
  readonly wakeMs: number;
}

/** Those items as they are, held until the end of the transaction. */
export async function holdDoubtful(
  { at }: Ledger,
  queries: Queries,
  { replay, numbers, wakeMs }: DoubtSearch,
): Promise<readonly DoubtfulItem[]> {
  const { rows } = await queries.query<DoubtfulItem>(
    `select n, progress, coalesce(
       greatest(0, extract(epoch from doubted_at + $3::float8 * interval '1 ms' - ${at}.clock()) * 1000), 0
     )::float8 as "wakesForMs"
     from ${at}.replay_items
     where replay_id = $1 and (n = any ($2::integer[]) or ($2::integer[] is null and progress = 'in_doubt'))
     order by n for no key update`,
    [uuidOf(replay), numbers, wakeMs],
  );
  return rows;
}

interface Doubtful {
  readonly replay: Uint8Array;
  readonly numbers: readonly number[];
}

export async function treatAsSent({ at }: Ledger, queries: Queries, { replay, numbers }: Doubtful): Promise<void> {
  const called = showId("replay", replay);
  await queries.query(`select ${at}.treat_as_sent($1, $2::integer[], $3)`, [uuidOf(replay), numbers, called]);
}

export async function planAgain({ at }: Ledger, queries: Queries, { replay, numbers }: Doubtful): Promise<void> {
  await queries.query(`select ${at}.plan_again($1, $2::integer[])`, [uuidOf(replay), numbers]);
}
