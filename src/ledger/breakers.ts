import type { BreakerReport } from "../domain/report.ts";
import { silentS } from "./consumers.ts";
import type { Ledger } from "./ledger.ts";

/** A breaker that is not closed, as consumers of a queue report it. */
export interface TrippedBreaker {
  readonly name: string;
  readonly state: "open" | "half-open";
  /** Since when it is not closed, in milliseconds since 1970, by the consumer's clock. */
  readonly since: number;
}

/** Anyone may write to the queue of reports: what is longer than any name people give is not kept. */
const longestName = 200;
const longestQueue = 512;
/** What was last heard of a process so long ago is forgotten when others are heard. */
const forgottenAfter = "1 day";

/**
 * Takes a consumer's word for how a breaker of its is. A report that comes late takes nothing back. A breaker that tries whether
 * its dependency is back goes from open to half-open to open: it is not closed since the first of these. One that was not
 * spoken of for a while may have closed unheard.
 */
export async function noteBreaker({ database, at }: Ledger, source: string, report: BreakerReport): Promise<void> {
  const { queue, name, service, instance, state, since, at: saidAt } = report;
  if (queue.length > longestQueue || [name, service, instance].some((each) => each.length > longestName)) return;
  await database.query(
    `with forgotten as (
       delete from ${at}.breakers where heard_at < ${at}.clock() - interval '${forgottenAfter}'
     )
     insert into ${at}.breakers as b (source, queue, name, service, instance, state, since, said_at, heard_at)
     values ($1, $2, $3, $4, $5, $6, $7, least($8::timestamptz, ${at}.clock()), ${at}.clock())
     on conflict (source, queue, name, service, instance) do update
       set state = excluded.state, since = case
           when b.state <> 'closed' and excluded.state <> 'closed'
             and b.said_at > excluded.said_at - $9::integer * interval '1 s' then least(b.since, excluded.since)
           else excluded.since end,
         said_at = excluded.said_at, heard_at = excluded.heard_at
       where b.said_at <= excluded.said_at`,
    [
      ...[source, queue, name, service, instance, state],
      ...[new Date(since).toISOString(), new Date(saidAt).toISOString(), silentS],
    ],
  );
}

interface Row {
  readonly source: string;
  readonly queue: string;
  readonly name: string;
  readonly is_open: boolean;
  readonly since: Date;
}

/**
 * Breakers that are not closed, by `source/queue`: open if any process says so. They are said again with each heartbeat, so
 * one that was not while heartbeats of its queue came has closed unheard, or its process is gone.
 */
export async function trippedBreakers(
  { database, at }: Ledger,
  queues: readonly string[],
): Promise<ReadonlyMap<string, readonly TrippedBreaker[]>> {
  const { rows } = await database.query<Row>(
    `select b.source, b.queue, b.name, bool_or(b.state = 'open') as is_open, min(b.since) as since
     from ${at}.breakers b join (
       select source, queue, max(last_seen_at) as latest
       from ${at}.consumers where queue = any ($1::text[]) group by source, queue
     ) c using (source, queue)
     where b.state <> 'closed' and b.heard_at > c.latest - $2::integer * interval '1 s'
     group by b.source, b.queue, b.name order by b.source, b.queue, b.name`,
    [[...new Set(queues)], silentS],
  );
  const tripped = new Map<string, TrippedBreaker[]>();
  for (const { source, queue, name, is_open: isOpen, since } of rows) {
    const place = `${source}/${queue}`;
    const breaker: TrippedBreaker = { name, state: isOpen ? "open" : "half-open", since: since.getTime() };
    tripped.set(place, [...(tripped.get(place) ?? []), breaker]);
  }
  return tripped;
}
