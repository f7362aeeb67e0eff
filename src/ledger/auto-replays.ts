import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { ReplayState } from "./replay-record.ts";

/** A queue in which letters failed. */
export interface AutoPlace {
  readonly source: string;
  readonly queue: string;
}

export function autoPlaceName({ source, queue }: AutoPlace): string {
  return `${source}/${queue}`;
}

/** Queues with open transient letters, by the counters. */
export async function placesWithTransient({ database, at }: Ledger): Promise<readonly AutoPlace[]> {
  const { rows } = await database.query<AutoPlace>(
    `select source, queue from (
       select source, queue, n from ${at}.counters where category = 'transient' and state = 'open'
       union all
       select source, queue, n from ${at}.counter_deltas where category = 'transient' and state = 'open'
     ) c group by source, queue having sum(n) > 0 order by source, queue`,
    [],
  );
  return rows;
}

/**
 * Open transient letters of a queue that came behind `after`, in the order of arrival, except those that a person held back: what
 * was there when somebody ended an auto-replay, what somebody took out of a replay, and what somebody wants planned again because
 * it may have been sent.
 */
export async function openTransient(
  { database, at }: Ledger,
  { source, queue }: AutoPlace,
  { after, limit }: { readonly after: Uint8Array | null; readonly limit: number },
): Promise<readonly Uint8Array[]> {
  const { rows } = await database.query<{ id: string }>(
    `select l.id from ${at}.letters l
     where l.queue = $2 and l.state = 'open' and l.source = $1 and l.category = 'transient' and ($3::uuid is null or l.id > $3)
       and l.arrived_at > coalesce((
         select max(r.ended_at) from ${at}.replays r
         where r.auto_place = $4 and r.state in ('cancelled', 'rejected')
       ), '-infinity')
       and not exists (
         select from ${at}.replay_items i where i.letter_id = l.id
           and (i.mark = 'excluded' or (i.progress = 'released' and i.doubted_at is not null))
       )
     order by l.id limit $5`,
    [source, queue, after === null ? null : uuidOf(after), autoPlaceName({ source, queue }), limit],
  );
  return rows.map(({ id }) => idOfUuid(id));
}

/** The replay that went to this queue by itself and is not over. */
export interface UnfinishedAuto {
  readonly id: Uint8Array;
  readonly state: ReplayState;
  /** Planned long ago and never started: whoever planned it is gone. */
  readonly isAbandoned: boolean;
}

/** Null when there is none. */
export async function unfinishedAuto({ database, at }: Ledger, place: AutoPlace): Promise<UnfinishedAuto | null> {
  const { rows } = await database.query<{ id: string; state: ReplayState; is_abandoned: boolean }>(
    `select id, state, started_at is null and frozen_at < ${at}.clock() - interval '1 minute' as is_abandoned
     from ${at}.replays
     where auto_place = $1 and state in ('planned', 'awaiting_approval', 'approved', 'running', 'paused', 'settling', 'halted')`,
    [autoPlaceName(place)],
  );
  const row = rows[0];
  return row === undefined ? null : { id: idOfUuid(row.id), state: row.state, isAbandoned: row.is_abandoned };
}

/** A breaker that has closed, as consumers of its queue reported it. */
export interface ClosedBreaker {
  readonly name: string;
  /** In milliseconds since 1970, by the consumer's clock. */
  readonly closedAt: number;
}

/** By `source/queue`. They are reported when they change, so each of them had been open. */
export async function closedBreakers(
  { database, at }: Ledger,
  queues: readonly string[],
): Promise<ReadonlyMap<string, readonly ClosedBreaker[]>> {
  const { rows } = await database.query<{ place: string; name: string; closed_at: Date }>(
    `select source || '/' || queue as place, name, max(since) as closed_at
     from ${at}.breakers where state = 'closed' and queue = any ($1::text[]) group by source, queue, name order by 1, 2`,
    [[...new Set(queues)]],
  );
  const closed = new Map<string, ClosedBreaker[]>();
  for (const { place, name, closed_at: closedAt } of rows) {
    closed.set(place, [...(closed.get(place) ?? []), { name, closedAt: closedAt.getTime() }]);
  }
  return closed;
}
