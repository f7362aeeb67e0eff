/** The door to PostgreSQL inside the process: `dead-letter-office/pglite`. Needs the package `@electric-sql/pglite`. */
export { pgliteDatabase } from "./databases/pglite.ts";
export type { Database, Queries, QueryResult, Transaction } from "./domain/database.ts";
export {
  type Outbox,
  type OutboxMessage,
  type OutboxOptions,
  type OutboxQuery,
  type OutboxTransaction,
  outbox,
  outboxDefaults,
} from "./outbox/outbox.ts";
export type { OutboxLag, SetAsideMessage } from "./outbox/outbox-table.ts";
export { createOutboxRelay, type OutboxRelay, type RelayHealth } from "./outbox/relay.ts";
export type { RelayEvent, RelayObserver } from "./outbox/relay-events.ts";
export { type OutboxRelayOptions, outboxRelayDefaults } from "./outbox/relay-options.ts";
export { type MigrateOptions, migrate } from "./schema/migrate.ts";
export { type PostgresBlockedKeysOptions, postgresBlockedKeys } from "./stores/postgres-blocked-keys.ts";
export { type PostgresInboxOptions, postgresInbox } from "./stores/postgres-inbox.ts";
export { type PostgresSharedStateOptions, postgresSharedState } from "./stores/postgres-shared-state.ts";
export {
  type PostgresTransportOptions,
  postgresTransport,
  postgresTransportDefaults,
} from "./transports/postgres/transport.ts";
