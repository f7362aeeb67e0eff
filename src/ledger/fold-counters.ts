import type { Ledger } from "./ledger.ts";

const foldedAtOnce = 100_000;

/** What came since somebody counted last is counted now. */
export async function foldCounters({ database, at }: Ledger): Promise<void> {
  await database.query(`select ${at}.fold_counters($1)`, [foldedAtOnce]);
}
