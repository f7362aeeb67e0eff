import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { nameWithinScope } from "./search/within-scope.ts";

/** One entry of the audit log as it was written. */
export interface WrittenEntry {
  readonly n: number;
  /** JSON. */
  readonly text: string;
}

export interface AuditFilter {
  /** Those before that number; null: all. */
  readonly before: number | null;
  readonly limit: number;
  /** Who asks. @default nobody, who did nothing */
  readonly actor?: string;
  /** Who did it. @default anybody */
  readonly by?: string | null;
  /** What was done, or how its name begins: `replay` is all that was done with replays. @default anything */
  readonly action?: string | null;
  /** An id, a queue, or any other words that an entry has. @default anything */
  readonly about?: string | null;
  /** Without what the office did by itself, such as taking letters in. @default false */
  readonly withoutOffice?: boolean;
  /** Done at that moment or later, by the clock of whoever did it; milliseconds since 1970. @default ever */
  readonly from?: number | null;
  /** Done before that moment. @default ever */
  readonly to?: number | null;
}

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly WrittenEntry[];
  /** Entries before this number were not looked at; null: all were. */
  readonly rest: number | null;
}

/** Entries that one question looks at, however many there are: a log has no index by what stands in it. */
const lookedAtAtMost = 100_000;

/** Those that can be seen, newest first. */
export async function readAudit(ledger: Ledger, filter: AuditFilter): Promise<readonly WrittenEntry[]> {
  return (await searchAudit(ledger, filter)).entries;
}

/** The same, with where a search for some of them ended. */
export async function searchAudit(ledger: Ledger, filter: AuditFilter): Promise<AuditPage> {
  const { before, limit, from = null, to = null, actor = "" } = filter;
  const parameters = new Parameters();
  const latest = to === null ? (await headOf(ledger)) + 1 : await firstEntrySince(ledger, to + clocksDifferByMs);
  const earliest = from === null ? 1 : await firstEntrySince(ledger, from - clocksDifferByMs);
  const end = Math.min(before ?? latest, latest);
  const wanted = wantedOf(filter, parameters);
  const floor = wanted.length === 0 ? earliest : Math.max(earliest, end - lookedAtAtMost);
  const { rows } = await ledger.database.query<{ n: string; entry: Uint8Array }>(
    `select n, entry from ${ledger.at}.audit_log
     where ${["true", ...wanted].join(" and ")} and n < ${parameters.add(end)} and n >= ${parameters.add(floor)}
       and ${isSeen(ledger, actor, parameters)}
     order by n desc limit ${parameters.add(limit)}`,
    parameters.values,
  );
  const entries = rows.map(({ n, entry }) => ({ n: Number(n), text: Buffer.from(entry).toString() }));
  const last = entries.length < limit ? floor : (entries.at(-1)?.n ?? floor);
  return { entries, rest: last > earliest ? last : null };
}

async function headOf({ database, at }: Ledger): Promise<number> {
  const { rows } = await database.query<{ n: string }>(`select n from ${at}.audit_head`, []);
  return Number(rows[0]?.n ?? 0);
}

/**
 * Looked for in the bytes as they were written, which begin with who did what: nothing that somebody typed looks like that, since
 * a quotation mark in it is written with a backslash.
 */
function wantedOf(
  { by, action, about, withoutOffice, from = null, to = null }: AuditFilter,
  parameters: Parameters,
): readonly string[] {
  const moment = (ms: number) => `${parameters.add(Buffer.from(new Date(ms).toISOString()))}::bytea`;
  const has = (text: string) => `position(${parameters.add(Buffer.from(text))}::bytea in entry) > 0`;
  const conditions: string[] = [];
  if (by) conditions.push(has(`"actor":{"id":${JSON.stringify(by)},`));
  if (action) conditions.push(`(${has(`,"action":${JSON.stringify(action)}`)} or ${has(`,"action":"${action}.`)})`);
  if (about) conditions.push(has(JSON.stringify(about).slice(1, -1)));
  if (withoutOffice) conditions.push(`not ${has(`,"kind":"system",`)}`);
  if (from !== null) conditions.push(`${writtenAt} >= ${moment(from)}`);
  if (to !== null) conditions.push(`${writtenAt} < ${moment(to)}`);
  return conditions;
}

/** An entry begins with when it was written: `{"at":"2026-11-18T16:18:43.123Z",`. */
const writtenAt = "substring(entry from 8 for 24)";

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
export async function firstEntrySince(ledger: Ledger, since: number): Promise<number> {
  const { database, at } = ledger;
  let [first, end] = [1, (await headOf(ledger)) + 1];
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
