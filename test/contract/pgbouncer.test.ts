import pg from "pg";
import { afterAll, beforeAll, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPgBouncer, startPgBouncer } from "../servers/pgbouncer.ts";
import { noPostgres, type PostgresDatabase, postgresDatabase } from "../servers/postgres.ts";
import { postgresSubject } from "./postgres-subject.ts";

describeServer("transport: postgres, behind PgBouncer in transaction mode", noPostgres ?? noPgBouncer, () => {
  let server: PostgresDatabase;
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>;
  let pool: pg.Pool;
  let database: Database;
  beforeAll(async () => {
    server = await postgresDatabase();
    bouncer = await startPgBouncer(server.url);
    pool = new pg.Pool({ connectionString: bouncer.url });
    database = pgDatabase(pool);
  });
  afterAll(async () => {
    await pool.end();
    await bouncer.close();
    await server.close();
  });
  for (const { title, exempt, run } of transportContract(postgresSubject("pgbouncer", () => database))) {
    it.skipIf(exempt).concurrent(title, run);
  }
});
