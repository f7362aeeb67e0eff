import type { Queries } from "../domain/database.ts";
import { uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** Letters of one queue. */
export interface QueueCount {
  readonly source: string;
  readonly queue: string;
  readonly n: number;
}

/** Whoever starts a second replay at once waits here, until what the first one takes of the day is committed. */
export async function lockDayOf({ at }: Ledger, queries: Queries, person: string): Promise<void> {
  await queries.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`${at} exempt starts of ${person}`]);
}

/** What somebody started without approval within the last 24 hours, by queue. */
export async function exemptStartsOf({ at }: Ledger, queries: Queries, person: string): Promise<readonly QueueCount[]> {
  const { rows } = await queries.query<QueueCount>(
    `select source, queue, sum(n)::integer as n from ${at}.exempt_starts
     where person = $1 and at > ${at}.clock() - interval '1 day' group by 1, 2`,
    [person],
  );
  return rows;
}

/** How many letters of each queue a replay would send. */
export async function queuesToSend(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly QueueCount[]> {
  const { rows } = await queries.query<QueueCount>(
    `select l.source, l.queue, count(*)::integer as n
     from ${at}.replay_items i join ${at}.letters l on l.id = i.letter_id
     where i.replay_id = $1 and i.mark is null and (i.decision = 'replay' or i.acknowledged_at is not null)
     group by 1, 2 order by 1, 2`,
    [uuidOf(replay)],
  );
  return rows;
}

export async function noteExemptStart(
  { at }: Ledger,
  queries: Queries,
  {
    replay,
    person,
    queues,
  }: { readonly replay: Uint8Array; readonly person: string; readonly queues: readonly QueueCount[] },
): Promise<void> {
  await queries.query(
    `insert into ${at}.exempt_starts (replay_id, source, queue, person, n)
     select $1, q.source, q.queue, $2, q.n from unnest($3::text[], $4::text[], $5::integer[]) as q (source, queue, n)`,
    [
      ...[uuidOf(replay), person, queues.map(({ source }) => source)],
      ...[queues.map(({ queue }) => queue), queues.map(({ n }) => n)],
    ],
  );
}

/** From here on the replay needs the approvals from which its size exempted it. */
export async function endExemption({ at }: Ledger, queries: Queries, replay: Uint8Array): Promise<void> {
  await queries.query(`update ${at}.replays set exemption_over = true where id = $1`, [uuidOf(replay)]);
}
