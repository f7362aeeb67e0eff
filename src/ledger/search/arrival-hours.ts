import type { Category } from "../../domain/classification.ts";
import { foldCounters } from "../fold-counters.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** Arrivals by the hour: the last 24, in order, the running hour last. */
export interface ArrivalHours {
  readonly queues: readonly { readonly source: string; readonly queue: string; readonly hours: readonly number[] }[];
  readonly categories: readonly { readonly category: Category; readonly hours: readonly number[] }[];
}

const hourMs = 3_600_000;
const hoursShown = 24;

interface Row {
  readonly source: string;
  readonly queue: string;
  readonly category: Category;
  /** Of the hour among those shown. */
  readonly place: number;
  readonly n: string;
}

/** From the counters of groups: as many rows as groups had arrivals in an hour, not as many as there are letters. */
export async function arrivalHours(ledger: Ledger, now: number): Promise<ArrivalHours> {
  const { database, at } = ledger;
  await foldCounters(ledger);
  const first = (Math.floor(now / hourMs) - hoursShown + 1) * hourMs;
  const parameters = new Parameters();
  const since = parameters.add(new Date(first).toISOString());
  const { rows } = await database.query<Row>(
    `select g.source, g.queue, g.category, (extract(epoch from h.hour - ${since}::timestamptz) / 3600)::integer as place,
       sum(h.n) as n
     from ${at}.group_hours h join ${at}.groups g on g.id = h.group_id
     where h.hour >= ${since}::timestamptz and ${withinScope(ledger, parameters, "g")}
     group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    parameters.values,
  );
  return {
    queues: summedBy(rows, ({ source, queue }) => ({ source, queue })),
    categories: summedBy(rows, ({ category }) => ({ category })),
  };
}

function summedBy<Named extends object>(rows: readonly Row[], nameOf: (row: Row) => Named) {
  const summed = new Map<string, Named & { readonly hours: number[] }>();
  for (const row of rows) {
    const named = nameOf(row);
    const key = JSON.stringify(named);
    const known = summed.get(key) ?? { ...named, hours: Array.from({ length: hoursShown }, () => 0) };
    // A clock that is behind the ledger's finds hours that have not begun.
    if (row.place < hoursShown) known.hours[row.place] = (known.hours[row.place] ?? 0) + Number(row.n);
    summed.set(key, known);
  }
  return [...summed.values()];
}
