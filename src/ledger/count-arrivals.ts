import { foldCounters } from "./fold-counters.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

export interface Arrivals {
  readonly source: string;
  readonly queue: string;
  /** All that ever came. */
  readonly n: number;
  /** When the office took the last of them in; null where nobody says. */
  readonly lastAt: string | null;
}

/** How many letters ever came from each queue, whenever they failed. It only grows: how fast is the rate of intake. */
export async function countArrivals(ledger: Ledger): Promise<readonly Arrivals[]> {
  const { database, at } = ledger;
  await foldCounters(ledger);
  const parameters = new Parameters();
  const { rows } = await database.query<ArrivalsRow>(
    `select g.source, g.queue, sum(g.total) as n, max(g.last_arrived_at) as last_at from ${at}.groups g where ${withinScope(ledger, parameters, "g")}
     group by 1, 2 order by 1, 2`,
    parameters.values,
  );
  return rows.map(({ source, queue, n, last_at: lastAt }) => ({
    ...{ source, queue, n: Number(n) },
    lastAt: lastAt?.toISOString() ?? null,
  }));
}

interface ArrivalsRow {
  readonly source: string;
  readonly queue: string;
  readonly n: string;
  readonly last_at: Date | null;
}
