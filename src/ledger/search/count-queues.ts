import { foldCounters } from "../fold-counters.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** How many letters stand where, for one queue and category. */
export interface QueueCount {
  readonly source: string;
  readonly queue: string;
  readonly category: string;
  readonly state: string;
  readonly n: number;
}

/** By the counters, and what was not added to them yet: exact at every moment, however many letters there are. */
export async function countQueues(ledger: Ledger): Promise<readonly QueueCount[]> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const { rows } = await database.query<Omit<QueueCount, "n"> & { readonly n: string }>(
    `select source, queue, category, state, sum(n) as n from (
       select source, queue, category, state, n from ${at}.counters
       union all select source, queue, category, state, n from ${at}.counter_deltas
     ) counted where ${withinScope(ledger, parameters, "counted")}
     group by 1, 2, 3, 4 having sum(n) <> 0 order by 1, 2, 3, 4`,
    parameters.values,
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

export interface OldestLetter {
  readonly source: string;
  readonly queue: string;
  readonly failedAt: string;
}

/** When the open letter of each queue failed that failed first, by its groups: however many letters there are. */
export async function oldestPerQueue(ledger: Ledger): Promise<readonly OldestLetter[]> {
  const { database, at } = ledger;
  await foldCounters(ledger);
  const parameters = new Parameters();
  const { rows } = await database.query<Omit<OldestLetter, "failedAt"> & { readonly failed_at: Date }>(
    `select g.source, g.queue, min(g.oldest_open_at) as failed_at from ${at}.groups g
     where g.oldest_open_at is not null and ${withinScope(ledger, parameters, "g")} group by 1, 2 order by 3, 1, 2`,
    parameters.values,
  );
  return rows.map(({ source, queue, failed_at: failedAt }) => ({
    source,
    queue,
    failedAt: failedAt.toISOString(),
  }));
}
