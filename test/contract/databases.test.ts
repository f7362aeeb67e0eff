import type { PGlite, Transaction } from "@electric-sql/pglite";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import { databaseContract } from "../../src/testing/database-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { startPglite } from "../servers/pglite.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

/** A binary copy of no rows: its head and its end. */
const nothingToCopy = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0\xff\xff", "latin1");

describeServer("database: pg", noPostgres, () => {
  const postgres = usePostgres();
  const contract = databaseContract<PoolClient>({
    open: async () => postgres.database,
    async write(client, table, line) {
      await client.query(`insert into ${table} values ($1)`, [line]);
    },
  });
  for (const { title, exempt, run } of contract) it.skipIf(exempt).concurrent(title, run);

  it.each([true, false])(
    "does not wait for a statement that somebody left running (discarded: %s)",
    async (discarded) => {
      let running: Promise<unknown> | undefined;
      const work = postgres.database.transaction(async ({ client, discard }) => {
        running = client.query("select pg_sleep(60)").catch((error: unknown) => error);
        if (discarded) discard();
        throw new Error("out of time");
      });
      await expect(work).rejects.toThrow("out of time");
      expect(await running).toBeInstanceOf(Error);
    },
  );

  it("leaves no stopwatch behind when a copy is done within its time", async () => {
    const pool = postgres.otherPool({ query_timeout: 2_000 });
    const database = pgDatabase(pool, { listener: false });
    await postgres.database.query("create table timed (line text)", []);
    await database.transaction(({ copyIn }) => copyIn({ target: "timed (line)", rows: nothingToCopy }));
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    expect((await database.query("select from timed", [])).count).toBe(0);
    expect(pool.totalCount).toBe(1);
  });

  it("gives up a connection on which a rollback is not answered", async () => {
    const work = postgres.database.transaction(async ({ client }) => {
      // With a callback nobody can tell whether it is still running.
      client.query("select pg_sleep(60)", [], () => {});
      throw new Error("out of time");
    });
    await expect(work).rejects.toThrow("out of time");
  });
});

describe("database: PGlite", () => {
  let pglite: PGlite;
  beforeAll(async () => {
    pglite = await startPglite();
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
