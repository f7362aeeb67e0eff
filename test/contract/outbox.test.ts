import type { PoolClient } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import { pgliteDatabase } from "../../src/databases/pglite.ts";
import { outbox } from "../../src/outbox/outbox.ts";
import { createOutboxRelay } from "../../src/outbox/relay.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { memoryTransport } from "../../src/transports/memory.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPgBouncer } from "../servers/pgbouncer.ts";
import { startPglite } from "../servers/pglite.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { outboxPromises } from "./outbox-promises.ts";
import { hasLooked, openOutbox, text } from "./outbox-subject.ts";

describeServer("outbox: PostgreSQL behind PgBouncer in transaction mode", noPostgres ?? noPgBouncer, () => {
  const postgres = usePostgres({ pooled: true });
  outboxPromises(() => postgres.database);
});

describe("outbox: PGlite", async () => {
  const pglite = await startPglite();
  afterAll(() => pglite.close());
  const database = pgliteDatabase(pglite);
  outboxPromises(() => database);

  it("is written in PGlite's own transaction, and wakes the relay with its commit", async () => {
    const bench = await openOutbox(database);
    const relay = bench.relay({ pollMs: 600_000 });
    void relay.start();
    await hasLooked(relay);
    const box = outbox({ schema: bench.schema, notify: true });
    await pglite.transaction((tx) => box.add(tx, { to: "orders", message: text("heard") }));
    await eventually(() => expect(bench.bodies()).toEqual(["heard"]));
    await bench.close();
  });
});

describeServer("outbox: PostgreSQL", noPostgres, () => {
  const postgres = usePostgres();
  outboxPromises(() => postgres.database);

  /** An open transaction on a connection of its own. */
  async function begin(isolation = "read committed"): Promise<PoolClient> {
    const client = await postgres.pool.connect();
    await client.query(`begin isolation level ${isolation}`);
    return client;
  }

  async function end(client: PoolClient, how: "commit" | "rollback" = "commit"): Promise<void> {
    await client.query(how);
    client.release();
  }

  /** Whether a connection of this database waits for a lock that another has. */
  async function someoneWaits(): Promise<boolean> {
    const { rows } = await postgres.pool.query("select from pg_locks where locktype = 'advisory' and not granted");
    return rows.length > 0;
  }

  it("sends nothing before the commit, and wakes the relay with it", async () => {
    const bench = await openOutbox(postgres.database);
    const relay = bench.relay({ pollMs: 600_000 });
    void relay.start();
    await hasLooked(relay);
    const box = outbox({ schema: bench.schema, notify: true });
    const client = await begin();
    await box.add(client, { to: "orders", message: text("a") });
    relay.wake();
    await relay.lag();
    expect(bench.bodies()).toEqual([]);
    await end(client);
    await eventually(() => expect(bench.bodies()).toEqual(["a"]));
    await bench.close();
  });

  it("sends a message with a lower number that is committed later, and does not wait for it", async () => {
    const bench = await openOutbox(postgres.database);
    void bench.relay().start();
    const early = await begin();
    await bench.box.add(early, { to: "orders", message: text("early", "a") });
    await bench.add(text("late", "b"), text("loose"));
    await eventually(() => expect(bench.bodies().toSorted()).toEqual(["late", "loose"]));
    await end(early);
    await eventually(() => expect(bench.bodies().at(-1)).toBe("early"));
    await bench.close();
  });

  it("orders a key by commits: whoever adds to it second waits for the first one's end", async () => {
    const bench = await openOutbox(postgres.database);
    const [first, second] = [await begin(), await begin()];
    await bench.box.add(first, { to: "orders", message: text("1", "k") });
    const adding = bench.box.add(second, { to: "orders", message: text("2", "k") });
    await eventually(someoneWaits);
    await bench.box.add(first, { to: "orders", message: text("1b", "k") });
    await end(first);
    await adding;
    await end(second);
    void bench.relay().start();
    await eventually(() => expect(bench.bodies()).toEqual(["1", "1b", "2"]));
    await bench.close();
  });

  it("lets nobody wait where no order is asked for, and skips nothing", async () => {
    const bench = await openOutbox(postgres.database);
    const box = outbox({ schema: bench.schema, order: "none" });
    void bench.relay().start();
    const [first, second] = [await begin(), await begin()];
    await box.add(first, { to: "orders", message: text("1", "k") });
    await box.add(second, { to: "orders", message: text("2", "k") });
    await end(second);
    await eventually(() => expect(bench.bodies()).toEqual(["2"]));
    await end(first);
    await eventually(() => expect(bench.bodies()).toEqual(["2", "1"]));
    await bench.close();
  });

  it.each(["repeatable read", "serializable"])(
    "keeps order and loses nothing of transactions that are %s",
    async (isolation) => {
      const bench = await openOutbox(postgres.database);
      await bench.add(text("0", "k"));
      const old = await begin(isolation);
      await old.query("select 1 from pg_class");
      void bench.relay().start();
      // The first is gone by now, but the old transaction sees it still.
      await eventually(() => expect(bench.bodies()).toEqual(["0"]));
      await bench.add(text("1", "k"));
      await bench.box.add(old, { to: "orders", message: text("2", "k") });
      await end(old);
      await eventually(() => expect(bench.bodies()).toEqual(["0", "1", "2"]));
      await bench.close();
    },
  );

  it("tells who comes before the tables are there what to do", async () => {
    const client = await begin();
    const added = outbox({ schema: "nowhere" }).add(client, { to: "orders", message: text("x") });
    await expect(added).rejects.toThrow("with: migrate(");
    await end(client, "rollback");
  });

  it("refuses a pool in the place of a client", async () => {
    const added = outbox().add(postgres.pool, { to: "orders", message: text("x") });
    await expect(added).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });

  it("ends if its transactions can never see what others commit", async () => {
    const bench = await openOutbox(postgres.database);
    const options = "-c default_transaction_isolation=serializable";
    const database = pgDatabase(postgres.otherPool({ options }), { listener: false });
    const relay = createOutboxRelay({ database, transport: memoryTransport(), schema: bench.schema });
    await expect(relay.start()).rejects.toThrow("read committed");
    await bench.close();
  });
});
