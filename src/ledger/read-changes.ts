import { idOfUuid } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { WrittenEntry } from "./read-audit.ts";

/** The entries after that number, oldest first. Numbers move in the order of commits: none appears later between others. */
export async function readAuditAfter(
  { database, at }: Ledger,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly WrittenEntry[]> {
  const { rows } = await database.query<{ n: string; entry: Uint8Array }>(
    `select n, entry from ${at}.audit_log where n > $1::bigint order by n limit $2`,
    [after, limit],
  );
  return rows.map(({ n, entry }) => ({ n: Number(n), text: Buffer.from(entry).toString() }));
}

export async function auditHead({ database, at }: Ledger): Promise<number> {
  const { rows } = await database.query<{ n: string }>(`select n from ${at}.audit_head`, []);
  return Number(rows[0]?.n ?? 0);
}

/** What changes without an entry in the audit log. */
export interface Passing {
  /** Replays that are sending, or waiting for outcomes. */
  readonly underWay: readonly Uint8Array[];
  /** The same text for as long as no breaker changes. */
  readonly breakers: string;
}

export async function readPassing({ database, at }: Ledger): Promise<Passing> {
  const { rows } = await database.query<{ ids: string[] | null; breakers: string | null }>(
    `select (select array_agg(id::text) from ${at}.replays where state in ('running', 'settling')) as ids,
       (select md5(string_agg(concat_ws(' ', source, queue, name, instance, state), ',' order by source, queue, name, instance))
        from ${at}.breakers) as breakers`,
    [],
  );
  return { underWay: (rows[0]?.ids ?? []).map(idOfUuid), breakers: rows[0]?.breakers ?? "" };
}
