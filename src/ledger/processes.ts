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

/** Says that this process lives, and will for `leaseMs` unless it says so again. */
export async function registerProcess(
  { database, at }: Ledger,
  { id, version, duties }: OfficeProcess,
  leaseMs: number,
): Promise<void> {
  await database.query(
    `with gone as (delete from ${at}.processes where lives_until < ${at}.clock() - interval '1 day' and id <> $1)
     insert into ${at}.processes (id, version, knows, duties, lives_until)
     values ($1, $2, $3, $4, ${at}.clock() + $5::float8 * interval '1 ms')
     on conflict (id) do update set lives_until = excluded.lives_until`,
    [id, version, await lastMigration(), duties, leaseMs],
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
