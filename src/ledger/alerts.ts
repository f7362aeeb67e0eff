import type { Queries } from "../domain/database.ts";
import { idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

/** What a rule found. */
export interface FoundAlert {
  readonly rule: string;
  /** What it is about: the same for as long as it is the same thing. */
  readonly about: string;
  /** Empty where it is about no queue. */
  readonly source: string;
  readonly queue: string;
  /** Where to look, below the office's address. */
  readonly path: string;
  readonly sentence: string;
  /** Who is told; none: all who take alerts. */
  readonly notifiers: readonly string[];
}

/** Times are milliseconds since 1970. */
export interface Alert extends FoundAlert {
  readonly id: Uint8Array;
  readonly begunAt: number;
  /** When its condition last held. */
  readonly seenAt: number;
  /** Null while it does not hold for long enough. */
  readonly firedAt: number | null;
  /** Somebody was told of it by itself, and not of its like together. */
  readonly isTold: boolean;
  readonly acknowledgedBy: string | null;
  readonly clearedAt: number | null;
}

/** Whether it is this process's turn to look: once in `everyMs`, by whichever comes first. */
export async function takeAlertLook({ database, at }: Ledger, everyMs: number): Promise<boolean> {
  const { count } = await database.query(
    `update ${at}.alert_look set looked_at = ${at}.clock() where looked_at < ${at}.clock() - $1::float8 * interval '1 ms'`,
    [everyMs],
  );
  return count > 0;
}

/** Notes that a condition holds. One that is open already goes on. */
export async function noteAlert(
  { at }: Ledger,
  queries: Queries,
  { id, found, now }: { readonly id: Uint8Array; readonly found: FoundAlert; readonly now: number },
): Promise<void> {
  const { rule, about, source, queue, path, sentence, notifiers } = found;
  await queries.query(
    `insert into ${at}.alerts (id, rule, about, source, queue, path, sentence, notifiers, begun_at, seen_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9::float8 / 1000), to_timestamp($9::float8 / 1000))
     on conflict (rule, about) where cleared_at is null
     do update set seen_at = excluded.seen_at, sentence = excluded.sentence, path = excluded.path,
       notifiers = excluded.notifiers`,
    [uuidOf(id), rule, about, source, queue, path, sentence, [...notifiers], now],
  );
}

export async function listOpenAlerts({ database, at }: Ledger): Promise<readonly Alert[]> {
  const { rows } = await database.query<AlertRow>(
    `select ${columns} from ${at}.alerts a where cleared_at is null order by begun_at, id`,
    [],
  );
  return rows.map(alertOf);
}

/** False: another process was first. */
export async function fireAlert({ at }: Ledger, queries: Queries, { id, isTold, now }: Moved): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.alerts set fired_at = to_timestamp($2::float8 / 1000), is_told = $3
     where id = $1 and fired_at is null and cleared_at is null`,
    [uuidOf(id), now, isTold],
  );
  return count > 0;
}

/** False: another process was first. */
export async function clearAlert({ at }: Ledger, queries: Queries, { id, now }: Moved): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.alerts set cleared_at = to_timestamp($2::float8 / 1000) where id = $1 and cleared_at is null`,
    [uuidOf(id), now],
  );
  return count > 0;
}

/** Those that are over for so long that nobody asks for them. */
export async function forgetOldAlerts({ database, at }: Ledger, before: number): Promise<void> {
  await database.query(`delete from ${at}.alerts where cleared_at < to_timestamp($1::float8 / 1000)`, [before]);
}

/** One that never came to be said is nothing that happened. */
export async function forgetAlert({ database, at }: Ledger, id: Uint8Array): Promise<void> {
  await database.query(`delete from ${at}.alerts where id = $1 and fired_at is null`, [uuidOf(id)]);
}

interface Moved extends Pick<Alert, "id" | "isTold"> {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Those that are on first, then the latest. */
export async function listFiredAlerts(ledger: Ledger, limit: number): Promise<readonly Alert[]> {
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<AlertRow>(
    `select ${columns} from ${ledger.at}.alerts a where fired_at is not null and ${withinScope(ledger, parameters, "a")}
     order by cleared_at is null desc, fired_at desc, id desc limit ${parameters.add(limit)}`,
    parameters.values,
  );
  return rows.map(alertOf);
}

/** Null: there is none of that id that is on, or somebody has it already. */
export async function acknowledgeAlert(
  ledger: Ledger,
  queries: Queries,
  { id, by }: { readonly id: Uint8Array; readonly by: string },
): Promise<Alert | null> {
  const parameters = new Parameters();
  const { rows } = await queries.query<AlertRow>(
    `update ${ledger.at}.alerts a set acknowledged_by = ${parameters.add(by)}
     where id = ${parameters.add(uuidOf(id))} and fired_at is not null and cleared_at is null and acknowledged_by is null
       and ${withinScope(ledger, parameters, "a")} returning ${columns}`,
    parameters.values,
  );
  return rows[0] === undefined ? null : alertOf(rows[0]);
}

const msOf = (column: string) => `(extract(epoch from a.${column}) * 1000)::float8 as ${column}`;
const times = ["begun_at", "seen_at", "fired_at", "cleared_at"].map(msOf).join(", ");
const columns = `a.id, a.rule, a.about, a.source, a.queue, a.path, a.sentence, a.notifiers, a.is_told, a.acknowledged_by, ${times}`;

interface AlertRow extends FoundAlert {
  readonly id: string;
  readonly is_told: boolean;
  readonly acknowledged_by: string | null;
  readonly begun_at: number;
  readonly seen_at: number;
  readonly fired_at: number | null;
  readonly cleared_at: number | null;
}

function alertOf(row: AlertRow): Alert {
  const { id, rule, about, source, queue, path, sentence, notifiers } = row;
  return {
    ...{ id: idOfUuid(id), rule, about, source, queue, path, sentence, notifiers },
    ...{ isTold: row.is_told, acknowledgedBy: row.acknowledged_by },
    ...{ begunAt: row.begun_at, seenAt: row.seen_at, firedAt: row.fired_at, clearedAt: row.cleared_at },
  };
}
