import { silentS } from "./consumers.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

/** A breaker as all processes that have it report it. Times are ISO 8601. */
export interface ReportedBreaker {
  readonly name: string;
  readonly source: string;
  readonly queue: string;
  readonly service: string;
  /** The worst that any of them says. */
  readonly state: "closed" | "half-open" | "open";
  /** Since when the first of them is not closed, or is closed where all are. */
  readonly since: string;
  readonly heardAt: string;
  /** Processes that say so, and processes that have it. */
  readonly saying: number;
  readonly processes: number;
}

type Row = Omit<ReportedBreaker, "since" | "heardAt"> & { readonly since: Date; readonly heard_at: Date };

const severity = "case state when 'open' then 2 when 'half-open' then 1 else 0 end";

/**
 * Those that are open first. What a process said that was not heard of while others of its queue were counts no longer: it
 * is gone, or its breaker closed unheard.
 */
export async function listBreakers(ledger: Ledger): Promise<readonly ReportedBreaker[]> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const { rows } = await database.query<Row>(
    `with heard as (
       select b.*, ${severity} as severity from ${at}.breakers b join (
         select source, queue, max(last_seen_at) as latest from ${at}.consumers group by source, queue
       ) c using (source, queue)
       where b.heard_at > c.latest - ${parameters.add(silentS)}::integer * interval '1 s'
         and ${withinScope(ledger, parameters, "b")}
     ), worst as (
       select source, queue, name, service, max(severity) as severity, count(*)::integer as processes, max(heard_at) as heard_at,
         min(since) filter (where severity > 0) as tripped_at
       from heard group by 1, 2, 3, 4
     )
     select w.name, w.source, w.queue, w.service, min(h.state) as state, coalesce(w.tripped_at, min(h.since)) as since, w.heard_at,
       count(*)::integer as saying, w.processes
     from worst w join heard h using (source, queue, name, service, severity)
     group by w.name, w.source, w.queue, w.service, w.severity, w.heard_at, w.tripped_at, w.processes
     order by w.severity desc, w.name, w.source, w.queue`,
    parameters.values,
  );
  return rows.map(({ since, heard_at: heardAt, ...row }) => ({
    ...row,
    since: since.toISOString(),
    heardAt: heardAt.toISOString(),
  }));
}
