import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { type Database, type Queries, quoteName } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
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
}

/** The same path from src/ and from dist/. */
const folder = new URL("../../migrations/", import.meta.url);

/**
 * Makes the tables, or brings them up to date. Any number of processes may do so at once; nothing else needs to stand
 * still. Needs no superuser, only the right to create in the schema (and to create the schema, if there is none yet).
 */
export async function migrate({ database, schema = defaultSchema }: MigrateOptions): Promise<void> {
  const wanted = await readMigrations();
  if ((await missing(database, schema, wanted)).length === 0) return;
  await database.transaction(async (transaction) => {
    // Whoever comes second waits here, and then finds nothing to do.
    await transaction.query("select pg_advisory_xact_lock($1::bigint)", [lockOf(schema)]);
    await makeSchema(transaction, schema);
    for (const migration of await missing(transaction, schema, wanted)) await apply(transaction, migration);
  });
}

async function makeSchema(queries: Queries, schema: string): Promise<void> {
  const known = await queries.query("select from pg_namespace where nspname = $1", [schema]);
  if (known.count === 0) await queries.query(`create schema ${quoteName(schema)}`);
  await queries.query(`set local search_path to ${quoteName(schema)}, pg_temp`);
  await queries.query(`create table if not exists migrations (
    number integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null default now()
  )`);
}

async function apply(queries: Queries, { number, name, sql, checksum }: Migration): Promise<void> {
  await queries.query(sql);
  await queries.query("insert into migrations (number, name, checksum) values ($1, $2, $3)", [number, name, checksum]);
}

/** What was not applied yet. More than we know of is fine: a newer version runs beside us. */
async function missing(queries: Queries, schema: string, wanted: readonly Migration[]): Promise<Migration[]> {
  const applied = new Map((await appliedIn(queries, schema)).map(({ number, checksum }) => [number, checksum]));
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

async function appliedIn(
  queries: Queries,
  schema: string,
): Promise<readonly { readonly number: number; readonly checksum: string }[]> {
  const table = `${quoteName(schema)}.migrations`;
  const known = await queries.query<{ found: boolean }>("select to_regclass($1) is not null as found", [table]);
  if (!known.rows[0]?.found) return [];
  return (await queries.query<{ number: number; checksum: string }>(`select number, checksum from ${table}`)).rows;
}

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      // A checkout may have given the file other line ends.
      const sql = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n");
      return { number: Number(name.slice(0, 4)), name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
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
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  const preparing = migrate({ database, schema });
  schemas.set(schema, preparing);
  preparing.catch(() => schemas.delete(schema));
  return preparing;
}

export function requireSchemaName(schema: string): void {
  const fits = typeof schema === "string" && /^[^\0]+$/.test(schema) && Buffer.byteLength(schema) <= 63;
  requireOption(fits, "schema", "a name of 1 to 63 bytes", schema);
}
