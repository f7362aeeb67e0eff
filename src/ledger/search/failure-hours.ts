import type { Category } from "../../domain/classification.ts";
import { foldCounters } from "../fold-counters.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** Failures by the hour: the last 24, in order, the running hour last. */
export interface FailureHours {
  readonly queues: readonly { readonly source: string; readonly queue: string; readonly hours: readonly number[] }[];
  readonly categories: readonly { readonly category: Category; readonly hours: readonly number[] }[];
}

const hourMs = 3_600_000;
const hoursShown = 24;

/** Of a queue, or of a category: the database sums both, so that not every category of every queue leaves it. */
type QueueRow = { readonly source: string; readonly queue: string; readonly category: null } & Hour;
type CategoryRow = { readonly source: null; readonly queue: null; readonly category: Category } & Hour;

interface Hour {
  /** Of the hour among those shown. */
  readonly place: number;
  readonly n: string;
}

/** From the counters of groups: as many rows as groups had failures in an hour, not as many as there are letters. */
export async function failureHours(ledger: Ledger, now: number): Promise<FailureHours> {
  const { database, at } = ledger;
  await foldCounters(ledger);
  const first = (Math.floor(now / hourMs) - hoursShown + 1) * hourMs;
  const parameters = new Parameters();
  const since = parameters.add(new Date(first).toISOString());
  const { rows } = await database.query<QueueRow | CategoryRow>(
    `select g.source, g.queue, g.category, (extract(epoch from h.hour - ${since}::timestamptz) / 3600)::integer as place,
       sum(h.n) as n
     from ${at}.group_hours h join ${at}.groups g on g.id = h.group_id
     where h.hour >= ${since}::timestamptz and ${withinScope(ledger, parameters, "g")}
     group by grouping sets ((1, 2, 4), (3, 4)) order by 1, 2, 3, 4`,
    parameters.values,
  );
  return {
    queues: byName(rows.filter(isOfQueue), ({ source, queue }) => ({ source, queue })),
    categories: byName(rows.filter(isOfCategory), ({ category }) => ({ category })),
  };
}

function isOfQueue(row: QueueRow | CategoryRow): row is QueueRow {
  return row.category === null;
}

function isOfCategory(row: QueueRow | CategoryRow): row is CategoryRow {
  return row.category !== null;
}

function byName<One extends Hour, Named extends object>(rows: readonly One[], nameOf: (row: One) => Named) {
  const found = new Map<string, Named & { readonly hours: number[] }>();
  for (const row of rows) {
    const named = nameOf(row);
    const key = JSON.stringify(named);
    const known = found.get(key) ?? { ...named, hours: Array.from({ length: hoursShown }, () => 0) };
    // A clock that is behind the ledger's finds hours that have not begun.
    if (row.place < hoursShown) known.hours[row.place] = Math.max(0, Number(row.n));
    found.set(key, known);
  }
  return [...found.values()];
}
