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
}

/**
 * Says that this process lives, and will for `leaseMs` unless it says so again. Refuses, and writes nothing, when a migration that it
 * does not know took something away: nobody waited for it, because it was silent for longer than its lease.
 */
export async function registerProcess(
  { database, at }: Ledger,
  { id, version, duties }: OfficeProcess,
  leaseMs: number,
): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `with cut as (
       select name from ${at}.migrations where contracts and number > $3 order by number limit 1
     ), gone as (
       delete from ${at}.processes
       where lives_until < ${at}.clock() - interval '1 day' and id <> $1 and not exists (select from cut)
     ), said as (
       insert into ${at}.processes (id, version, knows, duties, lives_until)
       select $1, $2, $3, $4, ${at}.clock() + $5::float8 * interval '1 ms' where not exists (select from cut)
       on conflict (id) do update set lives_until = excluded.lives_until
     )
     select name from cut`,
    [id, version, await lastMigration(), duties, leaseMs],
  );
  if (rows[0] !== undefined) throw leftBehind(rows[0].name);
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

export interface LivingProcess extends OfficeProcess {
  readonly startedAt: string;
}

export async function listProcesses({ database, at }: Ledger): Promise<readonly LivingProcess[]> {
  const { rows } = await database.query<Omit<LivingProcess, "startedAt"> & { readonly started_at: Date }>(
    `select id, version, duties, started_at from ${at}.processes where lives_until > ${at}.clock() order by started_at, id`,
    [],
  );
  return rows.map(({ started_at: startedAt, ...process }) => ({ ...process, startedAt: startedAt.toISOString() }));
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
