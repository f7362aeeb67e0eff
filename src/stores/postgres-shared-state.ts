import { type Database, quoteName } from "../domain/database.ts";
import { refuseUnknownNames } from "../domain/options.ts";
import { defaultSchema, prepareSchema, requireSchemaName } from "../schema/migrate.ts";
import type { SharedState } from "./shared-state.ts";

export interface PostgresSharedStateOptions {
  /** Made by `pgDatabase` or `pgliteDatabase`. */
  readonly database: Database;
  /** Where the tables are; they are made on first use, or by `migrate`. @default "dlo" */
  readonly schema?: string;
}

interface Row {
  readonly now: number;
  readonly version: string | null;
  readonly value: string | null;
}

/** Documents that all processes on one database share. */
export function postgresSharedState(options: PostgresSharedStateOptions): SharedState {
  refuseUnknownNames(Object.keys(options), ["database", "schema"]);
  const { database, schema = defaultSchema } = options;
  requireSchemaName(schema);
  const documents = documentsIn(database, schema);
  return {
    async read(name) {
      await prepareSchema(database, schema);
      return documents.read(name);
    },
    async replace(name, version, value) {
      await prepareSchema(database, schema);
      return documents.replace(name, version, value);
    },
  };
}

/**
 * The same for whoever looks into a database of others: a question makes no tables there and brings none up to date. Without
 * tables nobody wrote a document.
 */
export function foundSharedState({ database, schema }: Required<PostgresSharedStateOptions>): SharedState {
  const documents = documentsIn(database, schema);
  const look = `select to_regclass($1) is not null as "isThere", floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now`;
  return {
    ...documents,
    async read(name) {
      const { rows } = await database.query<{ isThere: boolean; now: number }>(look, [
        `${quoteName(schema)}.shared_documents`,
      ]);
      const { isThere, now } = rows[0] as { isThere: boolean; now: number };
      return isThere ? documents.read(name) : { value: undefined, version: null, now };
    },
  };
}

function documentsIn(database: Database, schema: string): SharedState {
  const sql = statements(schema);
  return {
    async read(name) {
      const { rows } = await database.query<Row>(sql.read, [name]);
      const { now, version, value } = rows[0] as Row;
      if (version === null || value === null) return { value: undefined, version: null, now };
      return { value: JSON.parse(value), version: Number(version), now };
    },
    async replace(name, version, value) {
      const text = JSON.stringify(value) ?? "null";
      const written =
        version === null
          ? await database.query(sql.create, [name, text])
          : await database.query(sql.replace, [name, text, String(version)]);
      return written.count === 1;
    },
  };
}

function statements(schema: string) {
  const at = quoteName(schema);
  return {
    read: `select floor(extract(epoch from ${at}.clock()) * 1000)::float8 as now, d.version, d.value
      from (select) as always left join ${at}.shared_documents d on d.name = $1`,
    create: `insert into ${at}.shared_documents (name, version, value) values ($1, 1, $2) on conflict do nothing`,
    replace: `update ${at}.shared_documents set value = $2, version = version + 1, changed_at = ${at}.clock()
      where name = $1 and version = $3::bigint`,
  };
}
