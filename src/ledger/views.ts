import type { Queries } from "../domain/database.ts";
import type { Ledger } from "./ledger.ts";

/** A search by a name. */
export interface SavedView {
  readonly name: string;
  readonly q: string;
  /** In which order; empty: as lists have it. */
  readonly sort: string;
  /** What is shown of each letter; none: what lists show. */
  readonly cols: readonly string[];
  /** Everybody has it. */
  readonly isShared: boolean;
  readonly setBy: string;
}

/** Those of one person, and those of everybody. */
export async function listSavedViews({ database, at }: Ledger, owner: string): Promise<readonly SavedView[]> {
  const { rows } = await database.query<SavedView>(
    `select name, query as q, sort, cols, owner = '' as "isShared", set_by as "setBy" from ${at}.views
     where owner in ($1, '') order by owner = '', name`,
    [owner],
  );
  return rows;
}

interface ViewPlace {
  /** Null: everybody's. */
  readonly owner: string | null;
  readonly name: string;
}

/** One of that name and owner is replaced. */
export async function putSavedView(
  { at }: Ledger,
  queries: Queries,
  { owner, name, q, sort, cols, setBy }: ViewPlace & Omit<SavedView, "isShared">,
): Promise<void> {
  await queries.query(
    `insert into ${at}.views (owner, name, query, sort, cols, set_by) values ($1, $2, $3, $4, $5::text[], $6)
     on conflict (owner, name) do update
       set query = excluded.query, sort = excluded.sort, cols = excluded.cols, set_by = excluded.set_by`,
    [owner ?? "", name, q, sort, cols, setBy],
  );
}

/** False where there is none. */
export async function removeSavedView({ at }: Ledger, queries: Queries, place: ViewPlace): Promise<boolean> {
  const { count } = await queries.query(`delete from ${at}.views where owner = $1 and name = $2`, [
    place.owner ?? "",
    place.name,
  ]);
  return count > 0;
}
