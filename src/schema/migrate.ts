import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { askOnce } from "../domain/ask-once.ts";
import { type Database, type Queries, quoteName } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";
import { requireOption } from "../domain/options.ts";

export interface MigrateOptions {
  readonly database: Database;
  /** Where the tables are. @default "dlo" */
  readonly schema?: string;
}

export const defaultSchema = "dlo";

/** One file of migrations/. */
interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
  /** It takes something away that an older version may use. All others only add. */
  readonly contracts: boolean;
}

/** The same path from src/ and from dist/. */
const ownFolder = new URL("../../migrations/", import.meta.url);

/**
 * Makes the tables, or brings them up to date, and gives the names of the migrations that it took. Any number of processes may
 * do so at once, and what runs on them need not be stopped; but all is one transaction, and whoever uses a table it changes waits
 * until that ends: seconds for each million letters where it builds an index. A table that somebody has for long, as a backup
 * does, is asked for again and again rather than waited for, since all others would wait behind. Needs no superuser, only the
 * right to create in the schema (and to create the schema, if there is none yet).
 *
 * A migration that takes something away is refused while an office lives that is too old to know of it.
 */
export async function migrate(
  { database, schema = defaultSchema }: MigrateOptions,
  folder: URL = ownFolder,
): Promise<readonly string[]> {
  const wanted = await readMigrations(folder);
  for (let tries = 1; ; tries++) {
    if ((await missing(database, schema, wanted)).length === 0) return [];
    try {
      return await database.transaction((transaction) => applyMissing(transaction, schema, wanted));
    } catch (error) {
      if (!standsInTheWay(error)) throw error;
      if (tries === mostTries) throw tablesInUse(schema, error);
    }
    // Those who had to wait behind it go first.
    await database.query("select pg_sleep($1)", [betweenTriesS]);
  }
}

/** The migrations of this version that the schema has not yet. */
export async function pendingMigrations({
  database,
  schema = defaultSchema,
}: MigrateOptions): Promise<readonly string[]> {
  return (await missing(database, schema, await readMigrations(ownFolder))).map(({ name }) => name);
}

/** How long others are held up, at most, by a migration that itself only waits. */
const lockWaitMs = 3_000;
const betweenTriesS = 1;
/** For two minutes. */
const mostTries = 30;

async function applyMissing(
  transaction: Queries,
  schema: string,
  wanted: readonly Migration[],
): Promise<readonly string[]> {
  // Whoever comes second waits here, and then finds nothing to do.
  await transaction.query("select pg_advisory_xact_lock($1::bigint)", [lockOf(schema)]);
  await transaction.query(`set local lock_timeout = ${lockWaitMs}`);
  await makeSchema(transaction, schema);
  const found = await missing(transaction, schema, wanted);
  for (const migration of found) {
    if (migration.contracts) await requireNoOlder(transaction, migration);
    await apply(transaction, migration);
  }
  return found.map(({ name }) => name);
}

/** Somebody has a table for longer than others should wait behind us, or waits for one that we have. */
function standsInTheWay(error: unknown): boolean {
  return hasCode(error, "55P03") || hasCode(error, "40P01");
}

function tablesInUse(schema: string, cause: unknown): OfficeError {
  return new OfficeError(
    "LEDGER_IN_USE",
    `The schema "${schema}" could not be brought up to date: somebody has had a table of it in use for minutes, such as a backup or a transaction left open. Nothing was changed. Try again when that has ended.`,
    {
      cause,
      details: { schema, hint: "select pid, xact_start, query from pg_stat_activity order by xact_start shows who." },
    },
  );
}

async function makeSchema(queries: Queries, schema: string): Promise<void> {
  const known = await queries.query("select from pg_namespace where nspname = $1", [schema]);
  if (known.count === 0) await queries.query(`create schema ${quoteName(schema)}`);
  await queries.query(`set local search_path to ${quoteName(schema)}, pg_temp`);
  await queries.query(`create table if not exists migrations (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now(),
    contracts boolean not null default false
  )`);
  await queries.query("alter table migrations add column if not exists contracts boolean not null default false");
}

async function apply(queries: Queries, { number, name, sql, checksum, contracts }: Migration): Promise<void> {
  await queries.query(sql);
  await queries.query("insert into migrations (number, name, checksum, contracts) values ($1, $2, $3, $4)", [
    ...[number, name, checksum, contracts],
  ]);
}

/** Nobody lives who does not know of it, and nobody begins to until it is done: then it refuses to start. */
async function requireNoOlder(queries: Queries, { number, name }: Migration): Promise<void> {
  await queries.query("lock table processes in exclusive mode");
  const { rows } = await queries.query<{ version: string }>(
    "select version from processes where knows < $1 and lives_until > clock()",
    [number],
  );
  const [older] = rows;
  if (older === undefined) return;
  throw new OfficeError(
    "LEDGER_IN_USE",
    `${name} takes away what an office that still runs may use (version ${older.version}). End the older ones, then start this one; one that was killed counts as gone within half a minute.`,
    { details: { migration: name, processes: rows.length } },
  );
}

/** What was not applied yet. More than we know of is fine, as long as it only adds: a newer version runs beside us. */
async function missing(queries: Queries, schema: string, wanted: readonly Migration[]): Promise<Migration[]> {
  const found = await appliedIn(queries, schema);
  const applied = new Map(found.map(({ number, checksum }) => [number, checksum]));
  const newer = found.find(({ number, contracts }) => contracts && !wanted.some((each) => each.number === number));
  if (newer !== undefined) throw tooOld(schema, newer.name);
  const changed = wanted.find(({ number, checksum }) => (applied.get(number) ?? checksum) !== checksum);
  if (changed !== undefined) {
    throw new OfficeError(
      "SCHEMA_MISMATCH",
      `The schema "${schema}" was made by another ${changed.name} than this version has. Use another schema, or the version that made it.`,
      { details: { schema, migration: changed.name } },
    );
  }
  return wanted.filter(({ number }) => !applied.has(number));
}

async function appliedIn(queries: Queries, schema: string): Promise<readonly Omit<Migration, "sql">[]> {
  const table = `${quoteName(schema)}.migrations`;
  const known = await queries.query<{ found: boolean }>("select to_regclass($1) is not null as found", [table]);
  if (!known.rows[0]?.found) return [];
  // The column came later than the table.
  const contracts = "coalesce((to_jsonb(m) ->> 'contracts')::boolean, false) as contracts";
  const sql = `select number, name, checksum, ${contracts} from ${table} as m`;
  return (await queries.query<Omit<Migration, "sql">>(sql)).rows;
}

function tooOld(schema: string, migration: string): OfficeError {
  return new OfficeError(
    "SCHEMA_MISMATCH",
    `A newer version took something away from the schema "${schema}" that this one may use (${migration}). Use that version, or a newer one.`,
    { details: { schema, migration } },
  );
}

/** The last one that this version has. */
export async function lastMigration(): Promise<number> {
  return Number((await migrationNames(ownFolder)).at(-1)?.slice(0, 4) ?? 0);
}

async function migrationNames(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
}

async function readMigrations(folder: URL): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames(folder)).map(async (name) => {
      // A checkout may have given the file other line ends.
      const sql = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { number: Number(name.slice(0, 4)), name, sql, checksum, contracts: sql.startsWith("-- Contracts") };
    }),
  );
}

function lockOf(schema: string): string {
  return createHash("sha256").update(`dlo migrations ${schema}`).digest().readBigInt64BE().toString();
}

/** Migrations under way or done, so that a transport and the stores on one database make the tables once. */
const prepared = new WeakMap<Database, Map<string, Promise<void>>>();

/** Resolves when the tables are there. A failure is not remembered: the database may have been away. */
export function prepareSchema(database: Database, schema: string): Promise<void> {
  const schemas = prepared.get(database) ?? new Map<string, Promise<void>>();
  prepared.set(database, schemas);
  return askOnce(schemas, schema, async () => void (await migrate({ database, schema })));
}

export function requireSchemaName(schema: string): void {
  const fits = typeof schema === "string" && /^[^\0]+$/.test(schema) && Buffer.byteLength(schema) <= 63;
  requireOption(fits, "schema", "a name of 1 to 63 bytes", schema);
}
