import type { Queries } from "../domain/database.ts";
import { idOfUuid, showId, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { ReplayState } from "./replay-record.ts";

/** One process's right to run a replay, until its lease lapses or somebody takes it over with a higher epoch. */
export interface Lead {
  readonly replay: Uint8Array;
  readonly epoch: number;
  /** Items that whoever led before had begun to send and never reported on. */
  readonly doubtful: number;
}

/** Null: somebody else leads it, or it is not under way. */
export async function leadReplay({ database, at }: Ledger, replay: Uint8Array, leaseMs: number): Promise<Lead | null> {
  const { rows } = await database.query<{ epoch: number; doubtful: number }>(
    `select epoch, doubtful from ${at}.lead_replay($1, $2)`,
    [uuidOf(replay), leaseMs],
  );
  return rows[0] === undefined ? null : { replay, ...rows[0] };
}

/** Of a replay that is not under way, so that nobody leads it as soon as it is resumed; null: it is, or somebody has it. */
export async function holdEnded({ database, at }: Ledger, replay: Uint8Array, leaseMs: number): Promise<Lead | null> {
  const { rows } = await database.query<{ epoch: number }>(
    `update ${at}.replays set epoch = epoch + 1, lease_until = ${at}.clock() + $2::float8 * interval '1 ms'
     where id = $1 and state not in ('running', 'settling') and (lease_until is null or lease_until <= ${at}.clock())
     returning epoch`,
    [uuidOf(replay), leaseMs],
  );
  return rows[0] === undefined ? null : { replay, epoch: rows[0].epoch, doubtful: 0 };
}

/** Replays that are under way and that nobody leads, the oldest first. */
export async function findLeaderless(
  { database, at }: Ledger,
  { except, limit }: { readonly except: readonly Uint8Array[]; readonly limit: number },
): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ id: string }>(
    `select id from ${at}.replays
     where state in ('running', 'settling') and (lease_until is null or lease_until <= ${at}.clock())
       and id <> all ($1::uuid[])
     order by id limit $2`,
    [except.map(uuidOf), limit],
  );
  return rows.map(({ id }) => idOfUuid(id));
}

/** Somebody leads it at this moment. */
export async function hasLeader({ database, at }: Ledger, replay: Uint8Array): Promise<boolean> {
  const { rows } = await database.query(
    `select from ${at}.replays
     where id = $1 and state in ('running', 'settling') and lease_until > ${at}.clock()`,
    [uuidOf(replay)],
  );
  return rows.length > 0;
}

/** Keeps the lead, and says what the replay's state is by now; null when the lead is lost. */
export async function keepLead(
  { database, at }: Ledger,
  { replay, epoch }: Lead,
  leaseMs: number,
): Promise<ReplayState | null> {
  const { rows } = await database.query<{ state: ReplayState | null }>(
    `select ${at}.keep_replay($1, $2, $3) as state`,
    [...[uuidOf(replay), epoch, leaseMs]],
  );
  return rows[0]?.state ?? null;
}

/** Lets another process take over at once. */
export async function giveUpLead({ database, at }: Ledger, { replay, epoch }: Lead): Promise<void> {
  await database.query(`update ${at}.replays set lease_until = null where id = $1 and epoch = $2`, [
    uuidOf(replay),
    epoch,
  ]);
}

/** A window of items that is meant to be sent. */
export interface Intent {
  /** Those that may be sent now, and only now. */
  readonly items: ReadonlySet<number>;
  /** Which one it is, of this replay. */
  readonly number: number;
}

/** What has to be known to look for sends to a queue afterwards. */
export interface SendNote {
  readonly source: string;
  readonly queue: string;
  readonly note: string;
}

/** Durable before anything is sent, along with what it takes to look for it. */
export async function intendItems(
  { database, at }: Ledger,
  { replay, epoch }: Lead,
  numbers: readonly number[],
  notes: readonly SendNote[] = [],
): Promise<Intent> {
  const { rows } = await database.query<{ n: number; intent: number }>(
    `select n, intent from ${at}.intend_items($1, $2, $3::integer[], $4::text[], $5::text[], $6::text[])`,
    [
      ...[uuidOf(replay), epoch, numbers],
      ...[notes.map(({ source }) => source), notes.map(({ queue }) => queue), notes.map(({ note }) => note)],
    ],
  );
  return intentOf(rows);
}

/** As `intendItems`, of items in doubt: for those of which a second copy has no second effect. */
export async function intendAgain(
  { database, at }: Ledger,
  { replay, epoch }: Lead,
  numbers: readonly number[],
): Promise<Intent> {
  const { rows } = await database.query<{ n: number; intent: number }>(
    `select n, intent from ${at}.intend_again($1, $2, $3::integer[])`,
    [uuidOf(replay), epoch, numbers],
  );
  return intentOf(rows);
}

function intentOf(rows: readonly { readonly n: number; readonly intent: number }[]): Intent {
  return { items: new Set(rows.map(({ n }) => n)), number: rows[0]?.intent ?? 0 };
}

/** The broker confirmed these: true whoever leads by now. */
export async function noteSent(
  { database, at }: Ledger,
  replay: Uint8Array,
  numbers: readonly number[],
): Promise<void> {
  await database.query(`select ${at}.note_sent($1, $2::integer[], $3)`, [
    uuidOf(replay),
    numbers,
    showId("replay", replay),
  ]);
}

/** The broker refused these for good, so they are nowhere but in the ledger. */
export async function noteUnsent(
  { database, at }: Ledger,
  { replay, epoch }: Lead,
  numbers: readonly number[],
  why: string,
): Promise<void> {
  await database.query(`select ${at}.note_unsent($1, $2, $3::integer[], $4)`, [uuidOf(replay), epoch, numbers, why]);
}

/** Whether the broker has these is not known. */
export async function noteDoubt(
  { database, at }: Ledger,
  { replay, epoch }: Lead,
  numbers: readonly number[],
): Promise<void> {
  await database.query(`select ${at}.note_doubt($1, $2, $3::integer[])`, [uuidOf(replay), epoch, numbers]);
}

export type SettledAs = "confirmed" | "presumed" | "suppressed" | "returned" | "unknown";

/** What became of sent messages; gives those for which that was news. */
export async function settleItems(
  { at }: Ledger,
  queries: Queries,
  {
    replay,
    numbers,
    outcome,
  }: { readonly replay: Uint8Array; readonly numbers: readonly number[]; readonly outcome: SettledAs },
): Promise<readonly number[]> {
  const { rows } = await queries.query<{ n: number }>(
    `select n from ${at}.settle_items($1, $2::integer[], $3, $4) as n`,
    [...[uuidOf(replay), numbers, outcome, showId("replay", replay)]],
  );
  return rows.map(({ n }) => n);
}
