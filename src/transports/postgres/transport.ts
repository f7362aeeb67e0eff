import type { Host } from "../../domain/clock.ts";
import type { Database } from "../../domain/database.ts";
import { requireNumber, requireOption, withDefaults } from "../../domain/options.ts";
import { defaultSchema, requireSchemaName } from "../../schema/migrate.ts";
import { ordinaryReplies } from "../ordinary-replies.ts";
import { pullTransport, pullTransportDefaults } from "../pull-transport.ts";
import type { Capabilities, Transport } from "../transport.ts";
import { PostgresLink } from "./link.ts";

export interface PostgresTransportOptions {
  /** Made by `pgDatabase` or `pgliteDatabase`. Closing the transport leaves it open. */
  readonly database: Database;
  /** Where the tables are; they are made on first use, or by `migrate`. @default "dlo" */
  readonly schema?: string;
  /**
   * How often an empty queue is asked again, in milliseconds, where neither a notification nor a due time comes
   * earlier. Lower finds messages sooner where notifications do not arrive (behind a pooler), and costs a query each time.
   * @default 1_000
   */
  readonly pollMs?: number;
  /**
   * How long the database may take to answer, in milliseconds; after that the answer is unknown and the question is
   * repeated. Too short, and a busy database does everything twice. Null: for ever, as on PGlite, where everything waits
   * for handlers' transactions and nothing gets lost on the way. @default 10_000, on PGlite null
   */
  readonly answerWithinMs?: number | null;
  /**
   * The largest message it takes from senders: body, headers, key and properties together, in bytes; the
   * headers that retries and dead letters add come on top. @default 67_108_864
   */
  readonly maxMessageBytes?: number;
  /** Clock, dice and ids. Leases and due times go by the database's own clock all the same. @default the host's */
  readonly host?: Host;
}

type Settings = Omit<PostgresTransportOptions, "database">;

export const postgresTransportDefaults: Required<Settings> = {
  schema: defaultSchema,
  pollMs: pullTransportDefaults.pollMs,
  answerWithinMs: pullTransportDefaults.answerWithinMs,
  maxMessageBytes: 67_108_864,
  host: pullTransportDefaults.host,
};

export const postgresCapabilities: Capabilities = {
  atomicOnward: true,
  order: true,
  holdsBack: true,
  deliveryCount: true,
  lease: true,
  typedHeaders: true,
  repeatedHeaders: true,
  replyAddresses: false,
};

/** 256 MB do not fit a parameter once it is text. Our own headers, which come on top of a message, fit in the rest. */
const mostMessageBytes = 251_658_240;

/**
 * Queues in PostgreSQL, in a schema of their own: no extension, no superuser, nothing kept in sessions, so that it also
 * works behind PgBouncer in transaction mode.
 */
export function postgresTransport({ database, ...options }: PostgresTransportOptions): Transport {
  requireOption(typeof database?.query === "function", "database", "what pgDatabase or pgliteDatabase makes");
  const defaults = database.serial ? { ...postgresTransportDefaults, answerWithinMs: null } : postgresTransportDefaults;
  const settings = withDefaults<Settings>(defaults, options);
  const { schema, pollMs, answerWithinMs, maxMessageBytes, host } = settings;
  requireSchemaName(schema);
  requireNumber("maxMessageBytes", maxMessageBytes, { min: 1, max: mostMessageBytes, integer: true });
  const link = new PostgresLink({ database, schema, clock: host.clock, answerWithinMs, maxMessageBytes });
  const asPostgres = { broker: "postgres", capabilities: postgresCapabilities, shortcomings: ordinaryReplies };
  return pullTransport(link, { ...asPostgres, pollMs, answerWithinMs, host });
}
