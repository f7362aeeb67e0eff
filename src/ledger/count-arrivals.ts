import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

export interface Arrivals {
  readonly source: string;
  readonly queue: string;
  /** All that ever came. */
  readonly n: number;
}

const foldedAtOnce = 100_000;

/** How many letters ever came from each queue. It only grows: how fast is the rate of intake. */
export async function countArrivals(ledger: Ledger): Promise<readonly Arrivals[]> {
  const { database, at } = ledger;
  await database.query(`select ${at}.fold_counters($1)`, [foldedAtOnce]);
  const parameters = new Parameters();
  const { rows } = await database.query<Omit<Arrivals, "n"> & { readonly n: string }>(
    `select g.source, g.queue, sum(g.total) as n from ${at}.groups g where ${withinScope(ledger, parameters, "g")}
     group by 1, 2 order by 1, 2`,
    parameters.values,
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}
