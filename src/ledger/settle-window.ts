import { uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** How long it took so far until a message failed for good, where a replay sends. In seconds. */
export interface FailureTimes {
  /** From the first to the last failure of one of its letters before it came to the office, at most. */
  readonly longestInPlan: number;
  /** From a send to its return, of 99 in 100 of those that came back from these queues. */
  readonly usualReturn: number;
}

/** The latest say most about how a queue is now. */
const returnsLookedAt = 1_000;

export async function readFailureTimes(
  { database, at }: Ledger,
  { replay, queues }: { readonly replay: Uint8Array; readonly queues: readonly string[] },
): Promise<FailureTimes> {
  const { rows } = await database.query<FailureTimes>(
    `select
       (select coalesce(max(extract(epoch from l.failed_at - l.first_failed_at)), 0)::float8
        from ${at}.replay_items i join ${at}.letters l on l.id = i.letter_id
        where i.replay_id = $1 and i.progress <> 'not_yet_sent'
          and l.failed_at_by <> 'arrival' and l.failed_at <= l.arrived_at) as "longestInPlan",
       (select coalesce(max(p.s), 0)::float8 from unnest($2::text[]) as q (queue) cross join lateral (
          select percentile_cont(0.99) within group (order by extract(epoch from r.returned_at - r.sent_at)) as s
          from (
            select s.returned_at, s.sent_at from ${at}.sends s where s.queue = q.queue and s.returned_at is not null
            order by s.returned_at desc limit ${returnsLookedAt}
          ) r
        ) p) as "usualReturn"`,
    [uuidOf(replay), [...new Set(queues)]],
  );
  return rows[0] ?? { longestInPlan: 0, usualReturn: 0 };
}
