import type { Category } from "../../domain/classification.ts";
import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** So many letters were taken for one thing on arrival, and came to another by their latest replay. */
export interface OutcomeCell {
  readonly was: Category;
  /** A category: it came back as that. Otherwise how it ended, or where it stands. */
  readonly became: string;
  readonly n: number;
}

/** What replayed letters were on arrival, and what became of them. Only those that were replayed are looked at. */
export async function outcomeMatrix(ledger: Ledger): Promise<readonly OutcomeCell[]> {
  const { database, at } = ledger;
  const parameters = new Parameters();
  const { rows } = await database.query<Omit<OutcomeCell, "n"> & { readonly n: string }>(
    `select l.was, case l.state
         when 'returned' then l.category
         when 'resolved' then coalesce((
           select a.kind from ${at}.attempts a
           where a.letter_id = l.id and a.kind in ('confirmed', 'presumed', 'suppressed') order by a.n desc limit 1
         ), l.state)
         else l.state end as became, count(*) as n
     from ${at}.letters l where l.replays > 0 and ${withinScope(ledger, parameters, "l")}
     group by 1, 2 order by 1, 2`,
    parameters.values,
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}
