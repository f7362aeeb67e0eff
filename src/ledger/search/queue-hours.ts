import { foldCounters } from "../fold-counters.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** Arrivals in a queue by the hour. */
export interface QueueHours {
  readonly source: string;
  readonly queue: string;
  /** In the last 24 hours, in order, the running hour last. */
  readonly hours: readonly number[];
}

const hourMs = 3_600_000;
const hoursShown = 24;

/** From the counters of groups: as many rows as groups had arrivals in an hour, not as many as there are letters. */
export async function hoursPerQueue(ledger: Ledger, now: number): Promise<readonly QueueHours[]> {
  const { database, at } = ledger;
  await foldCounters(ledger);
  const first = (Math.floor(now / hourMs) - hoursShown + 1) * hourMs;
  const parameters = new Parameters();
  const since = parameters.add(new Date(first).toISOString());
  const { rows } = await database.query<{ source: string; queue: string; place: number; n: string }>(
    `select g.source, g.queue, (extract(epoch from h.hour - ${since}::timestamptz) / 3600)::integer as place, sum(h.n) as n
     from ${at}.group_hours h join ${at}.groups g on g.id = h.group_id
     where h.hour >= ${since}::timestamptz and ${withinScope(ledger, parameters, "g")} group by 1, 2, 3 order by 1, 2, 3`,
    parameters.values,
  );
  const hours = new Map<string, { readonly source: string; readonly queue: string; readonly hours: number[] }>();
  for (const { source, queue, place, n } of rows) {
    const name = JSON.stringify([source, queue]);
    const known = hours.get(name) ?? { source, queue, hours: Array.from({ length: hoursShown }, () => 0) };
    if (place < hoursShown) known.hours[place] = Number(n);
    hours.set(name, known);
  }
  return [...hours.values()];
}
