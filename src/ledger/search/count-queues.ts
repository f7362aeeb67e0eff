import { openStates } from "../../domain/letter.ts";
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
  readonly arrivedAt: string;
}

/** When the oldest open letter of each queue arrived. One look into an index for each, not a look at all letters. */
export async function oldestPerQueue(ledger: Ledger): Promise<readonly OldestLetter[]> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const { rows } = await database.query<Omit<OldestLetter, "arrivedAt"> & { readonly arrived_at: Date }>(
    `select q.source, q.queue, o.arrived_at from ${at}.queues q cross join lateral (
       select s.id, l.arrived_at from unnest(${parameters.add([...openStates])}::text[]) as states (state) cross join lateral (
         select l.id from ${at}.letters l where l.queue = q.queue and l.state = states.state and l.source = q.source
         order by l.id limit 1
       ) s join ${at}.letters l on l.id = s.id order by s.id limit 1
     ) o where ${withinScope(ledger, parameters, "q")} order by o.arrived_at`,
    parameters.values,
  );
  return rows.map(({ source, queue, arrived_at: arrivedAt }) => ({
    source,
    queue,
    arrivedAt: arrivedAt.toISOString(),
  }));
}
