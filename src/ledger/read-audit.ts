import type { Ledger } from "./ledger.ts";

/** One entry of the audit log as it was written. */
export interface WrittenEntry {
  readonly n: number;
  /** JSON. */
  readonly text: string;
}

/** The entries before that number, newest first; the newest of all without one. */
export async function readAudit(
  { database, at }: Ledger,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<readonly WrittenEntry[]> {
  const { rows } = await database.query<{ n: string; entry: Uint8Array }>(
    `select n, entry from ${at}.audit_log where $1::bigint is null or n < $1 order by n desc limit $2`,
    [before, limit],
  );
  return rows.map(({ n, entry }) => ({ n: Number(n), text: Buffer.from(entry).toString() }));
}
