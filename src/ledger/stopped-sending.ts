import type { Queries } from "../domain/database.ts";
import type { Ledger } from "./ledger.ts";

/** That nothing may be sent back, by whose word and why. */
export interface SendingStop {
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly reason: string | null;
}

/** Null while replays may run. `hold` keeps it so until the end of the transaction. */
export async function readStop(
  { at }: Ledger,
  queries: Queries,
  { hold = false }: { readonly hold?: boolean } = {},
): Promise<SendingStop | null> {
  const { rows } = await queries.query<{ stopped_by: string | null; stopped_at: Date | null; reason: string | null }>(
    `select stopped_by, stopped_at, reason from ${at}.sending ${hold ? "for share" : ""}`,
    [],
  );
  const { stopped_by: by = null, stopped_at: since = null, reason = null } = rows[0] ?? {};
  return by === null || since === null ? null : { by, at: since.toISOString(), reason };
}

/** Waits for whoever is just letting a replay run. Who stopped first, and why, stays. */
export async function noteStop(
  { at }: Ledger,
  queries: Queries,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<void> {
  await queries.query(
    `update ${at}.sending set stopped_by = coalesce(stopped_by, $1), stopped_at = coalesce(stopped_at, ${at}.clock()),
       reason = case when stopped_by is null then nullif($2, '') else reason end`,
    [by, reason],
  );
}

/** False where nothing was stopped. */
export async function noteRelease({ at }: Ledger, queries: Queries): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.sending set stopped_by = null, stopped_at = null, reason = null where stopped_by is not null`,
    [],
  );
  return count > 0;
}
