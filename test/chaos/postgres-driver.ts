import pg from "pg";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { decodeHeaders } from "../../src/domain/header-codec.ts";
import type { Address } from "../../src/domain/message.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { statements } from "../../src/transports/postgres/statements.ts";
import { postgresCapabilities, postgresTransport } from "../../src/transports/postgres/transport.ts";
import { noPostgresServer, startPostgres } from "../servers/postgres.ts";
import { armedDatabase } from "./armed-database.ts";
import type { BrokerDriver, Resting } from "./broker-driver.ts";
import { failpointsOf } from "./failpoint.ts";

const steps = new Map(Object.entries(statements("dlo")).map(([step, sql]) => [sql, step]));

export const postgresDriver: BrokerDriver = {
  label: "PostgreSQL",
  missing: noPostgresServer,
  capabilities: postgresCapabilities,
  queue: (name) => ({ name }),

  /** Steps are the transport's statements. */
  failpoints: failpointsOf({
    take: ["during", "after"],
    extend: ["before", "after"],
    charge: ["before", "during", "after"],
    acknowledge: ["before", "during", "after"],
    replace: ["before", "during", "after"],
    move: ["before", "during", "after"],
  }),

  async connect(url, failpoint) {
    const pool = new pg.Pool({ connectionString: url, max: 5 });
    const database = armedDatabase(pgDatabase(pool), failpoint, (sql) => steps.get(sql));
    const transport = postgresTransport({ database });
    return {
      transport,
      async close() {
        await transport.close();
        await pool.end();
      },
    };
  },

  async start() {
    const server = await startPostgres();
    const pool = new pg.Pool({ connectionString: server.url(), max: 2 });
    const database = pgDatabase(pool, { listener: false });
    await migrate({ database });
    return {
      url: server.url(),
      booksUrl: server.url(),
      kill: () => server.kill(),
      start: () => server.start(),
      prepare: async () => {},
      depth: (queue) => depthOf(database, queue),
      resting: (queue) => restingIn(database, queue),
      async close() {
        await pool.end();
        await server.close();
      },
    };
  },
};

async function depthOf(database: Database, { name }: Address): Promise<number> {
  const sql = "select count(*)::integer as depth from dlo.messages where queue = $1";
  const { rows } = await database.query<{ depth: number }>(sql, [name]);
  return rows[0]?.depth ?? 0;
}

interface Row {
  readonly queue: string;
  readonly key: Uint8Array | null;
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  readonly body: Uint8Array;
}

async function restingIn(database: Database, { name }: Address): Promise<readonly Resting[]> {
  const sql = `select queue, key, headers, properties, body from dlo.messages
    where queue = $1 or starts_with(queue, $1 || '.') order by id`;
  const { rows } = await database.query<Row>(sql, [name]);
  return rows.map(({ queue, key, headers, properties, body }) => ({
    queue,
    message: { key, headers: decodeHeaders(headers), properties: decodeHeaders(properties), body },
  }));
}
