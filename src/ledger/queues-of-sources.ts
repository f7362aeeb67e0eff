import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

export interface QueueSearch {
  /** Null: of all. */
  readonly source: string | null;
  readonly queue: string | null;
}

/** The queues that sources are known to have, by source: letters came from them, or consumers reported themselves. Those in scope alone. */
export async function queuesOfSources(
  ledger: Ledger,
  { source, queue }: QueueSearch,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const equals = (column: string, value: string | null) =>
    value === null ? "" : `and q.${column} = ${parameters.add(value)}`;
  const { rows } = await database.query<{ source: string; queue: string }>(
    `select distinct q.source, q.queue from (
       select source, queue from ${at}.counters union all select source, queue from ${at}.counter_deltas
       union all select source, queue from ${at}.consumer_versions
     ) q where ${withinScope(ledger, parameters, "q")} ${equals("source", source)} ${equals("queue", queue)} order by 1, 2`,
    parameters.values,
  );
  const queues = new Map<string, Set<string>>();
  for (const row of rows) queues.set(row.source, (queues.get(row.source) ?? new Set()).add(row.queue));
  return queues;
}
