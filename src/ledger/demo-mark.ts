import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import type { Ledger } from "./ledger.ts";

/** Whether it is the ledger of a demonstration. */
export async function isDemo({ at }: Ledger, queries: Queries): Promise<boolean> {
  const { rows } = await queries.query<{ marked: boolean }>(
    `select exists (select from ${at}.demo_ledger) as marked`,
    [],
  );
  return rows[0]?.marked === true;
}

/** Marks a ledger as that of a demonstration, for good. Refuses one in which anything ever happened. */
export async function markDemo({ database, at }: Ledger): Promise<void> {
  const { count } = await database.query(
    `insert into ${at}.demo_ledger (one) select true where not exists (select from ${at}.audit_log)
     on conflict do nothing`,
    [],
  );
  if (count > 0) return;
  throw new OfficeError("DEMO_NO_REAL_SOURCE", "This ledger is in use: a demonstration begins with one of its own.");
}
