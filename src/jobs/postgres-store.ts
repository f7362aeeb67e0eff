import type { JsonObject } from "../dialects/json.ts";
import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";
import type { Header } from "../domain/message.ts";
import { property } from "./job-record.ts";

/** A moment as microseconds since 1970, which is all that PostgreSQL has of it. */
export function micros(column: string): string {
  return `round(extract(epoch from ${column}) * 1000000)::bigint`;
}

/** The other way round; `parameter` is text. */
export function momentOf(parameter: string): string {
  return `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`;
}

/** The other way round, of milliseconds. */
export function momentOfMs(parameter: string): string {
  return `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 millisecond')`;
}

/** Milliseconds since 1970, by its own clock. */
export async function postgresTime(queries: Queries): Promise<number> {
  const { rows } = await queries.query<{ ms: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms",
  );
  return rows[0]?.ms ?? 0;
}

/** A row, given as JSON, as the properties of a job. */
export function rowProperties(table: string, row: JsonObject): readonly Header[] {
  return [property("table", table), ...Object.entries(row).map(([name, value]) => property(name, value ?? null))];
}

export async function postgresVersion(queries: Queries): Promise<string> {
  const { rows } = await queries.query<{ version: string }>("select current_setting('server_version') as version");
  return rows[0]?.version ?? "";
}

/** The columns of a table; empty where it is not there or may not be seen. */
async function columnsOf(queries: Queries, schema: string, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await queries.query<{ name: string }>(
    `select a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and a.attnum > 0 and not a.attisdropped`,
    [schema, table],
  );
  return new Set(rows.map(({ name }) => name));
}

export async function hasTable(
  queries: Queries,
  { schema, table }: { readonly schema: string; readonly table: string },
): Promise<boolean> {
  return (await columnsOf(queries, schema, table)).size > 0;
}

/** Refuses a schema in which a framework's table is not, or is without what we need of it. */
export async function requireColumns(
  queries: Queries,
  { framework, schema, table, needed }: { framework: string; schema: string; table: string; needed: readonly string[] },
): Promise<void> {
  const columns = await columnsOf(queries, schema, table);
  const missing = needed.filter((name) => !columns.has(name));
  if (missing.length === 0) return;
  const text =
    columns.size === 0
      ? `There is no table ${table} in the schema "${schema}". Name the schema that ${framework} uses as \`schema\` of the source.`
      : `The table ${table} in the schema "${schema}" has no column ${missing.join(", ")}: this version of ${framework} is not known. Migrate it to a newer one.`;
  throw new OfficeError("SCHEMA_MISMATCH", text, { details: { schema, table, missing } });
}

/** SQLSTATE of a unique index that does not allow it. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, "23505");
}
