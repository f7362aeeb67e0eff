import { PGlite, type Transaction } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, describe, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import { databaseContract } from "../../src/testing/database-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres, type PostgresDatabase, postgresDatabase } from "../servers/postgres.ts";

describeServer("database: pg", noPostgres, () => {
  let server: PostgresDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await postgresDatabase();
    pool = new pg.Pool({ connectionString: server.url });
  });
  afterAll(async () => {
    await pool.end();
    await server.close();
  });
  const contract = databaseContract<pg.PoolClient>({
    open: async () => pgDatabase(pool),
    async write(client, table, line) {
      await client.query(`insert into ${table} values ($1)`, [line]);
    },
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt).concurrent(title, run);
});

describe("database: PGlite", () => {
  let pglite: PGlite;
  beforeAll(async () => {
    pglite = await PGlite.create();
  });
  afterAll(() => pglite.close());
  const contract = databaseContract<Transaction>({
    open: async () => pgliteDatabase(pglite),
    async write(client, table, line) {
      await client.query(`insert into ${table} values ($1)`, [line]);
    },
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt)(title, run);
});
