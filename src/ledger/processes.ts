import type { Queries } from "../domain/database.ts";
import type { Duty } from "../domain/duty.ts";
import { OfficeError } from "../domain/errors.ts";
import { lastMigration } from "../schema/migrate.ts";
import type { Ledger } from "./ledger.ts";

export interface OfficeProcess {
  /** A UUID. */
  readonly id: string;
  readonly version: string;
  readonly duties: readonly Duty[];
  /** Where it runs, for people. */
  readonly host: string;
}

/** What a process tells with its heartbeat. */
export interface Told {
  /** What it does by itself, as JSON. */
  readonly work: string;
  /** How far its clock is ahead of the ledger's, in milliseconds; null while it does not know. */
  readonly clockAheadMs: number | null;
  /** How many follow its live stream. */
  readonly followers: number;
}

/**
 * Says that this process lives, and will for `leaseMs` unless it says so again. Refuses, and writes nothing, when a migration that it
 * does not know took something away: nobody waited for it, because it was silent for longer than its lease. Gives the time of the
 * ledger, in milliseconds since 1970.
 */
export async function registerProcess(
  { database, at }: Ledger,
  { id, version, duties, host }: OfficeProcess,
  { work, clockAheadMs, followers }: Told,
  leaseMs: number,
): Promise<number> {
  const { rows } = await database.query<{ cut: string | null; now: number }>(
    `with cut as (
       select name from ${at}.migrations where contracts and number > $3 order by number limit 1
     ), gone as (
       delete from ${at}.processes
       where lives_until < ${at}.clock() - interval '1 day' and id <> $1 and not exists (select from cut)
     ), said as (
       insert into ${at}.processes
         (id, version, knows, duties, lives_until, host, told_at, work, clock_ahead_ms, followers)
       select $1, $2, $3, $4, ${at}.clock() + $5::float8 * interval '1 ms', $6, ${at}.clock(), $7, $8::float8, $9::integer
       where not exists (select from cut)
       on conflict (id) do update
         set lives_until = excluded.lives_until, told_at = excluded.told_at, work = excluded.work,
             clock_ahead_ms = excluded.clock_ahead_ms, followers = excluded.followers
     )
     select (select name from cut) as cut, (extract(epoch from ${at}.clock()) * 1000)::float8 as now`,
    [id, version, await lastMigration(), duties, leaseMs, host, work, clockAheadMs, followers],
  );
  const [answer] = rows;
  if (answer?.cut) throw leftBehind(answer.cut);
  return answer?.now ?? Number.NaN;
}

function leftBehind(migration: string): OfficeError {
  return new OfficeError(
    "SCHEMA_MISMATCH",
    `This process stood still for longer than others wait for it, and meanwhile a newer version took something away from the ledger that it may use (${migration}). It stops before it writes anything more. Start that version, or a newer one.`,
    { details: { migration } },
  );
}

export async function removeProcess({ database, at }: Ledger, id: string): Promise<void> {
  await database.query(`delete from ${at}.processes where id = $1`, [id]);
}

/** A process as it told of itself last. Times are ISO 8601, by the ledger's clock. */
export interface ToldProcess extends OfficeProcess, Told {
  /** The last migration it has. */
  readonly knows: number;
  readonly startedAt: string;
  /** False: it has been silent for longer than its lease, and took no leave. */
  readonly lives: boolean;
  /** Null: it is of a version that tells nothing. */
  readonly toldAt: string | null;
}

interface Row
  extends Pick<ToldProcess, "id" | "version" | "duties" | "host" | "knows" | "lives" | "work" | "followers"> {
  readonly started_at: Date;
  readonly told_at: Date | null;
  readonly clock_ahead_ms: number | null;
}

const listedAtMost = 200;

/** Those that live, and those that fell silent within a day; as many as anybody can look through. */
export async function listProcesses({ database, at }: Ledger): Promise<readonly ToldProcess[]> {
  const { rows } = await database.query<Row>(
    `select id, version, knows, duties, host, started_at, lives_until > ${at}.clock() as lives, told_at, work, clock_ahead_ms,
       followers
     from ${at}.processes where lives_until > ${at}.clock() - interval '1 day'
     order by lives_until > ${at}.clock() desc, started_at, id limit ${listedAtMost}`,
    [],
  );
  return rows.map(({ started_at: startedAt, told_at: toldAt, clock_ahead_ms: clockAheadMs, ...process }) => ({
    ...{ ...process, clockAheadMs, startedAt: startedAt.toISOString(), toldAt: toldAt?.toISOString() ?? null },
  }));
}

/** Nobody lives on this ledger, and nobody begins to until the transaction is over. */
export async function requireNoProcess({ at }: Ledger, transaction: Queries): Promise<void> {
  await transaction.query(`lock table ${at}.processes in exclusive mode`, []);
  const { rows } = await transaction.query<{ version: string; duties: readonly string[] }>(
    `select version, duties from ${at}.processes where lives_until > ${at}.clock()`,
    [],
  );
  const [one] = rows;
  if (one === undefined) return;
  throw new OfficeError(
    "LEDGER_IN_USE",
    `An office runs on this ledger (version ${one.version}: ${one.duties.join(", ")}). End it first; one that was killed counts as gone within half a minute.`,
    { details: { processes: rows.length } },
  );
}
