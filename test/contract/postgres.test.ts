import pg from "pg";
import { afterAll, beforeAll, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres, type PostgresDatabase, postgresDatabase } from "../servers/postgres.ts";
import { postgresSubject } from "./postgres-subject.ts";

describeServer("transport: postgres", noPostgres, () => {
  let server: PostgresDatabase;
  let pool: pg.Pool;
  let database: Database;
  beforeAll(async () => {
    server = await postgresDatabase();
    pool = new pg.Pool({ connectionString: server.url });
    database = pgDatabase(pool);
  });
  afterAll(async () => {
    await pool.end();
    await server.close();
  });
  for (const { title, exempt, run } of transportContract(postgresSubject("postgres", () => database))) {
    it.skipIf(exempt).concurrent(title, run);
  }
});
