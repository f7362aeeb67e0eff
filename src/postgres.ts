/** The door to PostgreSQL: `dead-letter-office/postgres`. Needs the package `pg`. */
export { type PgDatabaseOptions, pgDatabase, pgDatabaseDefaults } from "./databases/pg.ts";
export type { Database, Queries, QueryResult, Transaction } from "./domain/database.ts";
export { type MigrateOptions, migrate } from "./schema/migrate.ts";
export { type PostgresInboxOptions, postgresInbox } from "./stores/postgres-inbox.ts";
export { type PostgresSharedStateOptions, postgresSharedState } from "./stores/postgres-shared-state.ts";
export {
  type PostgresTransportOptions,
  postgresTransport,
  postgresTransportDefaults,
} from "./transports/postgres/transport.ts";
