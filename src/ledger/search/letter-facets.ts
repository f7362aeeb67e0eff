import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { type Search, searchCondition } from "./search-condition.ts";

/** How many of the letters that match have each value, those with most first. */
export interface LetterFacets {
  readonly n: number;
  readonly states: readonly Facet[];
  readonly categories: readonly Facet[];
  readonly queues: readonly Facet[];
}

export interface Facet {
  readonly value: string;
  readonly n: number;
}

interface Row {
  readonly state: string;
  readonly category: string;
  readonly queue: string;
  readonly n: string;
}

/** Of the first `atMost` that are found: among a million nobody waits for the rest. */
export async function letterFacets(ledger: Ledger, search: Search, atMost: number): Promise<LetterFacets> {
  const parameters = new Parameters();
  const { where } = await searchCondition(ledger, search, parameters);
  const { rows } = await ledger.database.query<Row>(
    `select state, category, queue, count(*) as n from (
       select l.state, l.category, l.queue from ${ledger.at}.letters l where ${where} limit ${parameters.add(atMost)}
     ) found group by 1, 2, 3`,
    parameters.values,
  );
  return {
    n: rows.reduce((sum, { n }) => sum + Number(n), 0),
    states: countedBy(rows, ({ state }) => state),
    categories: countedBy(rows, ({ category }) => category),
    queues: countedBy(rows, ({ queue }) => queue),
  };
}

function countedBy(rows: readonly Row[], named: (row: Row) => string): readonly Facet[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(named(row), (counts.get(named(row)) ?? 0) + Number(row.n));
  return [...counts].map(([value, n]) => ({ value, n })).sort((a, b) => b.n - a.n || (a.value < b.value ? -1 : 1));
}
