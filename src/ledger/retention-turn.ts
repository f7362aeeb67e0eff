import type { Queries } from "../domain/database.ts";
import type { Ledger } from "./ledger.ts";

/** One process's turn to run retention, until its lease lapses. */
export interface RetentionTurn {
  /** As the ledger wrote it: whoever has another has another turn. */
  readonly lease: string;
  /** The ledger's time, in milliseconds since 1970. What is past its time depends on no process's own clock. */
  readonly now: number;
}

/** Takes the turn; null while another process has it or, unless `isForced`, while no run is due. */
export async function takeRetentionTurn(
  { database, at }: Ledger,
  leaseMs: number,
  { isForced = false } = {},
): Promise<RetentionTurn | null> {
  const { rows } = await database.query<{ lease: string; now: number }>(
    `update ${at}.retention_turn set held_until = ${at}.clock() + $1::float8 * interval '1 ms'
     where held_until < ${at}.clock() and (next_at <= ${at}.clock() or $2)
     returning held_until::text as lease, (extract(epoch from ${at}.clock()) * 1000)::float8 as now`,
    [leaseMs, isForced],
  );
  return rows[0] ?? null;
}

/** Keeps the turn for longer; null where it is another's by now. */
export async function keepRetentionTurn(
  { database, at }: Ledger,
  { lease, now }: RetentionTurn,
  leaseMs: number,
): Promise<RetentionTurn | null> {
  const { rows } = await database.query<{ lease: string }>(
    `update ${at}.retention_turn set held_until = ${at}.clock() + $2::float8 * interval '1 ms'
     where held_until = $1::timestamptz returning held_until::text as lease`,
    [lease, leaseMs],
  );
  return rows[0] === undefined ? null : { lease: rows[0].lease, now };
}

/** Lets another process go on at once. What is another's turn by now stays that. */
export async function leaveRetentionTurn({ database, at }: Ledger, { lease }: RetentionTurn): Promise<void> {
  await database.query(`update ${at}.retention_turn set held_until = '-infinity' where held_until = $1::timestamptz`, [
    lease,
  ]);
}

/** In the transaction that expires or removes them, so that the totals miss none. */
export async function countRetired(
  { at }: Ledger,
  queries: Queries,
  { expired = 0, letters = 0 }: { readonly expired?: number; readonly letters?: number },
): Promise<void> {
  await queries.query(
    `update ${at}.retention_turn set expired_total = expired_total + $1, letters_total = letters_total + $2`,
    [expired, letters],
  );
}

/** A week that is past its time and stays for now. */
export interface KeptWeek {
  readonly week: string;
  readonly because: "in replay" | "busy";
}

/** What a run came to. */
export interface RetentionRun {
  readonly by: string;
  readonly expired: number;
  readonly weeks: number;
  readonly letters: number;
  readonly kept: readonly KeptWeek[];
}

/** Notes a run that came to its end, and when the next one is due. */
export async function noteRetentionRun(
  { database, at }: Ledger,
  { by, expired, weeks, letters, kept }: RetentionRun,
  everyMs: number,
): Promise<void> {
  await database.query(
    `update ${at}.retention_turn set ended_at = ${at}.clock(), next_at = ${at}.clock() + $1::float8 * interval '1 ms',
       by = $2, expired = $3, weeks = $4, letters = $5, kept = $6`,
    [everyMs, by, expired, weeks, letters, JSON.stringify(kept)],
  );
}

export interface RetentionState {
  /** The last run that came to its end; null: none has. */
  readonly last: (RetentionRun & { readonly at: string }) | null;
  /** When the next one is due; null: at once. */
  readonly nextAt: string | null;
  /** Some process runs it. */
  readonly isRunning: boolean;
  /** Of all runs there ever were. */
  readonly totals: { readonly expired: number; readonly letters: number };
}

export async function readRetention({ database, at }: Ledger): Promise<RetentionState> {
  const { rows } = await database.query<Row>(
    `select ended_at, case when isfinite(next_at) then next_at end as next_at, held_until > ${at}.clock() as running,
       by, expired, weeks, letters, kept, expired_total, letters_total from ${at}.retention_turn`,
    [],
  );
  const [row] = rows;
  if (row === undefined) return { last: null, nextAt: null, isRunning: false, totals: { expired: 0, letters: 0 } };
  const { ended_at: endedAt, by, expired, weeks, letters, kept } = row;
  const run = { by: by ?? "", expired, weeks, letters: Number(letters), kept: JSON.parse(kept) as KeptWeek[] };
  return {
    last: endedAt === null ? null : { at: endedAt.toISOString(), ...run },
    nextAt: row.next_at?.toISOString() ?? null,
    isRunning: row.running,
    totals: { expired: Number(row.expired_total), letters: Number(row.letters_total) },
  };
}

interface Row {
  readonly ended_at: Date | null;
  readonly next_at: Date | null;
  readonly running: boolean;
  readonly by: string | null;
  readonly expired: number;
  readonly weeks: number;
  readonly letters: string;
  readonly kept: string;
  readonly expired_total: string;
  readonly letters_total: string;
}
