import type { Queries } from "../domain/database.ts";
import { uuidOf } from "../domain/ids.ts";
import type { Lead } from "./lead-replay.ts";
import type { Ledger } from "./ledger.ts";
import type { HaltCause, ReplayState } from "./replay-record.ts";

export interface ReplayMove {
  readonly id: Uint8Array;
  readonly from: readonly ReplayState[];
  readonly to: ReplayState;
  /** Of whoever leads it, which loses the right to move it with the lead. @default a person moves it, whoever leads */
  readonly epoch?: number;
}

/** Moves a replay from one of these states; false when it is in none of them any more, or has another leader. */
export async function moveReplay(
  { at }: Ledger,
  queries: Queries,
  { id, from, to, epoch }: ReplayMove,
): Promise<boolean> {
  const isEnd = !["planned", "awaiting_approval", "approved", "running", "paused", "settling"].includes(to);
  const { count } = await queries.query(
    `update ${at}.replays set state = $3, ended_at = case when $4 then ${at}.clock() end
     where id = $1 and state = any ($2::text[]) and epoch = coalesce($5::integer, epoch)`,
    [uuidOf(id), from, to, isEnd, epoch ?? null],
  );
  return count > 0;
}

/** Stopped by a guard, with what it saw. */
export async function haltReplay(
  { at }: Ledger,
  queries: Queries,
  { replay, epoch }: Lead,
  cause: HaltCause,
): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.replays set state = 'halted', halted_by = $3 where id = $1 and epoch = $2 and state in ('running', 'settling')`,
    [uuidOf(replay), epoch, JSON.stringify(cause)],
  );
  return count > 0;
}

/** Its broker does not answer. Gives for how long it has waited so, in milliseconds, whoever led it; null: it has another leader. */
export async function noteWait({ database, at }: Ledger, { replay, epoch }: Lead, why: string): Promise<number | null> {
  const { rows } = await database.query<{ waited: number }>(
    `update ${at}.replays set waiting_since = coalesce(waiting_since, ${at}.clock()), waiting_for = $3
     where id = $1 and epoch = $2 and state in ('running', 'settling')
     returning (extract(epoch from ${at}.clock() - waiting_since) * 1000)::float8 as waited`,
    [uuidOf(replay), epoch, why],
  );
  return rows[0]?.waited ?? null;
}

/** Its broker answers again. */
export async function endWait({ database, at }: Ledger, { replay, epoch }: Lead): Promise<void> {
  await database.query(
    `update ${at}.replays set waiting_since = null, waiting_for = null where id = $1 and epoch = $2`,
    [uuidOf(replay), epoch],
  );
}

/** A step begins: so many items may have been sent at its end. */
export async function beginStep({ database, at }: Ledger, { replay, epoch }: Lead, end: number): Promise<void> {
  await database.query(`update ${at}.replays set step_end = $3, settles_at = null where id = $1 and epoch = $2`, [
    ...[uuidOf(replay), epoch, end],
  ]);
}

/** A step is sent: its outcomes are waited for from now on. Once begun, the wait goes on across takeovers. */
export async function beginSettling({ database, at }: Ledger, { replay, epoch }: Lead, settleS: number): Promise<void> {
  await database.query(
    `update ${at}.replays set settles_at = ${at}.clock() + $3::float8 * interval '1 s'
     where id = $1 and epoch = $2 and settles_at is null`,
    [uuidOf(replay), epoch, settleS],
  );
}

/** Whether the wait for a step's outcomes is over, by the database's clock. */
export async function isSettled({ database, at }: Ledger, { replay }: Lead): Promise<boolean> {
  const { rows } = await database.query<{ over: boolean | null }>(
    `select settles_at <= ${at}.clock() as over from ${at}.replays where id = $1`,
    [uuidOf(replay)],
  );
  return rows[0]?.over ?? false;
}

/** Takes items out that became less allowed since they were planned, as whoever leads it now sees it. */
export async function driftItems(
  { database, at }: Ledger,
  { replay, epoch }: Lead,
  drifted: readonly { readonly n: number; readonly reason: string }[],
): Promise<void> {
  await database.query(
    `with led as materialized (select from ${at}.replays where id = $1 and epoch = $4 for share)
     update ${at}.replay_items i set mark = 'drifted', mark_reason = d.reason
     from unnest($2::integer[], $3::text[]) as d (n, reason), led
     where i.replay_id = $1 and i.n = d.n and i.mark is null and i.progress = 'not_yet_sent'`,
    [uuidOf(replay), drifted.map(({ n }) => n), drifted.map(({ reason }) => reason), epoch],
  );
}

/** A queue that letters were sent to of which nobody has told the outcome. */
export interface WaitingPlace {
  readonly source: string;
  readonly queue: string;
  /** Where those letters had been dead. */
  readonly deadLetters: readonly string[];
  /** Of their items, in order. */
  readonly numbers: readonly number[];
}

/** A row for each place, however many letters wait there. */
export async function findWaiting({ database, at }: Ledger, { replay }: Lead): Promise<readonly WaitingPlace[]> {
  const { rows } = await database.query<WaitingPlace>(
    `select i.source, i.destination as queue, array_agg(distinct l.drained_from) as "deadLetters", array_agg(i.n order by i.n) as numbers
     from ${at}.replay_items i join ${at}.letters l on l.id = i.letter_id
     where i.replay_id = $1 and i.progress = 'waiting' group by i.source, i.destination order by min(i.n)`,
    [uuidOf(replay)],
  );
  return rows;
}

/** What had its turn still to come goes free. */
export async function releaseItems({ at }: Ledger, queries: Queries, replay: Uint8Array): Promise<void> {
  await queries.query(`select ${at}.release_items($1)`, [uuidOf(replay)]);
}
