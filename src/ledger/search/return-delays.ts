import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import type { PastAsked } from "./past-outcomes.ts";
import { withinScope } from "./within-scope.ts";

/** How long letters took to come back to a queue after a replay had sent them there, in seconds. */
export interface ReturnDelay {
  readonly source: string;
  readonly queue: string;
  /** How many came back, of the latest that were looked at. */
  readonly returns: number;
  readonly p50S: number;
  readonly p90S: number;
  readonly p99S: number;
}

const queuesAtMost = 100;

/** Of the latest returns to each queue since a moment; the queue with most of them first. */
export async function returnDelays(
  ledger: Ledger,
  { since, queues, perQueue }: PastAsked,
): Promise<readonly ReturnDelay[]> {
  const { at } = ledger;
  const parameters = new Parameters();
  const [names, moment, most] = [[...queues], since, perQueue].map((value) => parameters.add(value));
  const { rows } = await ledger.database.query<ReturnDelay>(
    `select g.source, g.queue, g.returns, g.s[1] as "p50S", g.s[2] as "p90S", g.s[3] as "p99S" from (
       select s.source, s.queue, count(*)::integer as returns, percentile_cont(array[0.5, 0.9, 0.99]) within group (
         order by greatest(0, extract(epoch from s.returned_at - s.sent_at)::float8)
       ) as s
       from unnest(${names}::text[]) as q (queue) cross join lateral (
         select s.source, s.queue, s.sent_at, s.returned_at from ${at}.sends s
         where s.queue = q.queue and s.returned_at >= to_timestamp(${moment}::float8 / 1000)
         order by s.returned_at desc limit ${most}
       ) s where ${withinScope(ledger, parameters, "s")}
       group by 1, 2
     ) g order by g.returns desc, 1, 2 limit ${queuesAtMost}`,
    parameters.values,
  );
  return rows;
}
