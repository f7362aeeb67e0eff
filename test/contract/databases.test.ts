import { PGlite, type Transaction } from "@electric-sql/pglite";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, it } from "vitest";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import { databaseContract } from "../../src/testing/database-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

describeServer("database: pg", noPostgres, () => {
  const postgres = usePostgres();
  const contract = databaseContract<PoolClient>({
    open: async () => postgres.database,
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
