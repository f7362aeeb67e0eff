import { type Category, ruleOfPeople } from "../../domain/classification.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** What a letter that came back was judged to be then. What a person called it afterwards is no outcome of its replay. */
export function cameBackAs(at: string): string {
  return `case when l.rule = '${ruleOfPeople}' then (
    select c.category from ${at}.classifications c where c.letter_id = l.id and c.by is null order by c.n desc limit 1
  ) else l.category end`;
}

/** So many letters were taken for one thing on arrival, and came to another by their latest replay. */
export interface OutcomeCell {
  readonly was: Category;
  /** A category: it came back as that. Otherwise how it ended, or where it stands. */
  readonly became: string;
  readonly n: number;
}

/**
 * What replayed letters were on arrival, and what became of them. Only those that were replayed are looked at, and only those that
 * arrived since that moment, in milliseconds since 1970; null: all.
 */
export async function outcomeMatrix(ledger: Ledger, since: number | null = null): Promise<readonly OutcomeCell[]> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const isLate =
    since === null ? "true" : `l.id >= ${at}.first_id_at(to_timestamp(${parameters.add(since)}::float8 / 1000))`;
  const { rows } = await database.query<Omit<OutcomeCell, "n"> & { readonly n: string }>(
    `select l.was, case l.state
         when 'returned' then ${cameBackAs(at)}
         when 'resolved' then coalesce((
           select a.kind from ${at}.attempts a
           where a.letter_id = l.id and a.kind in ('confirmed', 'presumed', 'suppressed') order by a.n desc limit 1
         ), l.state)
         else l.state end as became, count(*) as n
     from ${at}.letters l where l.replays > 0 and ${isLate} and ${withinScope(ledger, parameters, "l")}
     group by 1, 2 order by 1, 2`,
    parameters.values,
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}
