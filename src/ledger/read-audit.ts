import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { nameWithinScope } from "./search/within-scope.ts";

/** One entry of the audit log as it was written. */
export interface WrittenEntry {
  readonly n: number;
  /** JSON. */
  readonly text: string;
}

/** Those that can be seen, before that number, newest first; the newest of all without one. */
export async function readAudit(
  ledger: Ledger,
  { before, limit, actor = "" }: { readonly before: number | null; readonly limit: number; readonly actor?: string },
): Promise<readonly WrittenEntry[]> {
  const parameters = new Parameters();
  const last = parameters.add(before);
  const { rows } = await ledger.database.query<{ n: string; entry: Uint8Array }>(
    `select n, entry from ${ledger.at}.audit_log
     where (${last}::bigint is null or n < ${last}) and ${isSeen(ledger, actor, parameters)}
     order by n desc limit ${parameters.add(limit)}`,
    parameters.values,
  );
  return rows.map(({ n, entry }) => ({ n: Number(n), text: Buffer.from(entry).toString() }));
}

/** What one did oneself, and what names a queue that one may see. Of anything else it cannot be told whose it is. */
function isSeen(ledger: Ledger, actor: string, parameters: Parameters): string {
  if (ledger.scope.length === 0) return "true";
  const json = "convert_from(entry, 'UTF8')::jsonb";
  const own = nameWithinScope(ledger, parameters, `(${json} ->> 'source') || '/' || (${json} ->> 'queue')`);
  return `(${json} #>> '{actor,id}' = ${parameters.add(actor)} or coalesce(${own}, false))`;
}
