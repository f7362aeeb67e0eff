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

/** What somebody did, and how often. */
export interface CountedDeed {
  readonly action: string;
  readonly by: string;
  readonly n: number;
}

export interface DeedFilter {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly actions: readonly string[];
  /** Who asks. */
  readonly actor: string;
}

/** Who did what since then, of those that can be seen, the latest first: however much else is in the log. */
export async function countDeeds(
  ledger: Ledger,
  { since, actions, actor }: DeedFilter,
): Promise<readonly CountedDeed[]> {
  const parameters = new Parameters();
  const first = parameters.add(await firstEntrySince(ledger, since - clocksDifferByMs));
  const { rows } = await ledger.database.query<Omit<CountedDeed, "n"> & { readonly n: string }>(
    `select ${json} ->> 'action' as action, ${json} #>> '{actor,id}' as by, count(*) as n from ${ledger.at}.audit_log
     where n >= ${first} and ${json} ->> 'action' = any (${parameters.add(actions)}::text[])
       and (${json} ->> 'at')::timestamptz >= ${parameters.add(new Date(since).toISOString())}::timestamptz
       and ${isSeen(ledger, actor, parameters)} group by 1, 2 order by max(audit_log.n) desc`,
    parameters.values,
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** Entries stand in the order in which they were committed; their times are those of the clocks of whoever did it. */
export const clocksDifferByMs = 3_600_000;

/** Where to begin to read for what was done since then. Halving finds it in a log of any length, which has no index by time. */
export async function firstEntrySince({ database, at }: Ledger, since: number): Promise<number> {
  const { rows: heads } = await database.query<{ n: string }>(`select n from ${at}.audit_head`, []);
  let [first, end] = [1, Number(heads[0]?.n ?? 0) + 1];
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    const { rows } = await database.query<{ at: string }>(
      `select ${json} ->> 'at' as at from ${at}.audit_log where n >= $1 order by n limit 1`,
      [middle],
    );
    if (rows[0] !== undefined && Date.parse(rows[0].at) < since) first = middle + 1;
    else end = middle;
  }
  return first;
}

const json = "convert_from(entry, 'UTF8')::jsonb";

/** What one did oneself, and what names a queue that one may see. Of anything else it cannot be told whose it is. */
function isSeen(ledger: Ledger, actor: string, parameters: Parameters): string {
  if (ledger.scope.length === 0) return "true";
  const own = nameWithinScope(ledger, parameters, `(${json} ->> 'source') || '/' || (${json} ->> 'queue')`);
  return `(${json} #>> '{actor,id}' = ${parameters.add(actor)} or coalesce(${own}, false))`;
}
