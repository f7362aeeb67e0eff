import type { Queries } from "../domain/database.ts";
import { idOfUuid, showId, uuidOf } from "../domain/ids.ts";
import { lastPosition } from "./last-position.ts";
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

/** Replays that nobody runs any more, since not long ago. */
const leaderless = (at: string) => `(r.state in ('paused', 'halted') or r.ended_at > ${at}.clock() - interval '1 hour')
       and (r.lease_until is null or r.lease_until <= ${at}.clock())`;

/** Puts in doubt what senders of such replays left behind; each is gone through once after its sender has gone. */
export async function doubtAllAbandoned({ database, at }: Ledger): Promise<void> {
  await database.query(
    `select ${at}.doubt_abandoned(l.id) from (
       select r.id from ${at}.replays r where ${leaderless(at)} and r.landed_intents < r.intents order by r.id limit 20
     ) l`,
    [],
  );
}

export interface EndedSearch {
  /** Those behind it come first. Null: the oldest do. */
  readonly after: Uint8Array | null;
  /** As for `findDoubtful`, which finds something of each of them. */
  readonly sinceDays: number;
}

/** Those of them that have sends in doubt, some at a time. */
export async function findEndedInDoubt(
  { database, at }: Ledger,
  { after, sinceDays }: EndedSearch,
): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ id: string }>(
    `select r.id from ${at}.replays r
     where ${leaderless(at)} and exists (
       select from ${at}.replay_items i join ${at}.sends s on s.replay_id = i.replay_id and s.n = i.n
       where i.replay_id = r.id and ${isSought(at, "$2")}
     )
     order by coalesce(r.id <= $1::uuid, false), r.id limit 20`,
    [after === null ? null : uuidOf(after), sinceDays],
  );
  return rows.map(({ id }) => idOfUuid(id));
}

/** Of an item and its send: it is in doubt, and was intended no longer ago than so many days. */
const isSought = (
  at: string,
  days: string,
) => `i.progress = 'in_doubt' and i.doubted_at is not null and i.intent is not null
       and s.sent_at > ${at}.clock() - ${days}::float8 * interval '1 day'`;

/** A send that is in doubt, with what it takes to look for it. */
export interface DoubtfulSend {
  readonly n: number;
  readonly source: string;
  readonly queue: string;
  /** Which intent of the replay it was. */
  readonly intent: number;
  /** What was noted with that intent; null where there was nothing to note. */
  readonly note: string | null;
  /** Where its letter was found last. */
  readonly position: string | null;
  /** How long ago it was intended first, in seconds. */
  readonly ageS: number;
}

/** Those of a replay that were intended no longer ago than that: a broker keeps what tells of a send for a time only. */
export async function findDoubtful(
  { database, at }: Ledger,
  replay: Uint8Array,
  sinceDays: number,
): Promise<readonly DoubtfulSend[]> {
  const { rows } = await database.query<DoubtfulSend>(
    `select i.n, i.source, i.destination as queue, i.intent, o.note,
       (select ${lastPosition(at)} from ${at}.letters l join ${at}.bodies b on b.letter_id = l.id
        where l.id = i.letter_id and b.letter_id = i.letter_id) as position,
       extract(epoch from ${at}.clock() - s.sent_at)::float8 as "ageS"
     from ${at}.replay_items i join ${at}.sends s on s.replay_id = i.replay_id and s.n = i.n
       left join ${at}.send_notes o
         on o.replay_id = i.replay_id and o.intent = i.intent and o.source = i.source and o.queue = i.destination
     where i.replay_id = $1 and ${isSought(at, "$2")}
     order by i.n`,
    [uuidOf(replay), sinceDays],
  );
  return rows;
}

/** Proof that these intents never came true, and never will: their turn comes again, unless the replay has ended. */
export async function noteAbsent(
  { at }: Ledger,
  queries: Queries,
  { replay, absent }: { readonly replay: Uint8Array; readonly absent: readonly Pick<DoubtfulSend, "n" | "intent">[] },
): Promise<void> {
  await queries.query(`select ${at}.note_absent($1, $2::integer[], $3::integer[])`, [
    uuidOf(replay),
    absent.map(({ n }) => n),
    absent.map(({ intent }) => intent),
  ]);
}
