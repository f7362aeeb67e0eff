import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { decodeHeaders } from "../../src/domain/header-codec.ts";
import { headerText, makeMessage } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import { outbox } from "../../src/outbox/outbox.ts";
import { createOutboxRelay } from "../../src/outbox/relay.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { type UsedPostgres, usePostgres } from "../servers/use-postgres.ts";
import { type FaultProxy, type Faults, startFaultProxy } from "./proxy.ts";

const keys = ["a", "b", "c"];
const ofKey = (key: string, names: readonly string[]) => names.filter((name) => name.startsWith(`${key}/`));

interface Trouble {
  readonly faults: Partial<Faults>;
  /** Ends open connections as well. */
  readonly reset?: boolean;
}

const troubles: readonly Trouble[] = [
  { faults: { latencyMs: 20, bytesPerSecond: 50_000 } },
  { faults: { cut: { way: "requests", afterBytes: 700 } } },
  { faults: { cut: { way: "replies", afterBytes: 0 } } },
  { faults: { cut: { way: "replies", afterBytes: 150 } } },
  { faults: { swallowed: ["replies"] } },
  { faults: { swallowed: ["requests", "replies"] } },
  { faults: { accept: "silence" }, reset: true },
  { faults: { accept: "reset" }, reset: true },
];

/** Grows with everything a proxy does that cannot be made good. */
const harmOf = ({ lostBytes, endedConnections }: FaultProxy) => lostBytes + endedConnections;

describeServer("outbox through a bad network", noPostgres, () => {
  const postgres = usePostgres();
  const network = useNetwork(postgres);

  it.each(["outbox", "queue"] as const)(
    "loses nothing and keeps each key's order with trouble before the %s",
    async (where) => {
      const proxy = network.before(where);
      const service = await startService(postgres, network);
      for (const { faults, reset } of troubles) {
        const harm = harmOf(proxy);
        proxy.break(faults);
        if (reset) proxy.reset();
        for (let round = 0; round < 5; round++) await service.add();
        await eventually(() => harmOf(proxy) > harm || faults.latencyMs !== undefined);
        proxy.heal();
        await eventually(async () => expect(await service.unsent()).toBe(0), { withinMs: 120_000 });
      }
      await service.stop();
      const arrived = [...new Set(await service.queued())];
      expect(arrived.toSorted()).toEqual(service.added.toSorted());
      for (const key of keys) expect(ofKey(key, arrived)).toEqual(ofKey(key, service.added));
    },
  );

  it("sends again, under the same identity, what was queued while the answer vanished", async () => {
    const { add, added, unsent, queued, stop, openMany } = await startService(postgres, network);
    await add();
    await eventually(async () => expect(await unsent()).toBe(0));
    await openMany();
    network.before("queue").break({ swallowed: ["replies"] });
    await add();
    await eventually(async () => expect((await queued()).length).toBeGreaterThan(added.length));
    network.before("queue").heal();
    await eventually(async () => expect(await unsent()).toBe(0), { withinMs: 120_000 });
    await stop();
    expect([...new Set(await queued())].toSorted()).toEqual(added.toSorted());
  });
});

interface Network {
  before(what: "outbox" | "queue"): FaultProxy;
  /** The database, by a way of its own through the proxy before `what`. */
  database(what: "outbox" | "queue"): Database;
}

/** Two bad ways to one server: to the outbox, and to the queues. */
function useNetwork(postgres: UsedPostgres): Network {
  const proxies = new Map<string, FaultProxy>();
  const pools: pg.Pool[] = [];
  const before = (what: string) => proxies.get(what) as FaultProxy;
  beforeAll(async () => {
    const port = Number(new URL(postgres.url).port);
    for (const what of ["outbox", "queue"]) proxies.set(what, await startFaultProxy({ port }));
  });
  afterAll(async () => {
    // First, since a pool waits for connections that will never be heard of again.
    for (const proxy of proxies.values()) await proxy.close();
    for (const pool of pools) await pool.end();
  });
  return {
    before,
    database(what) {
      const connectionString = before(what).through(postgres.url);
      const pool = new pg.Pool({ connectionString, connectionTimeoutMillis: 300 });
      pools.push(pool);
      return pgDatabase(pool, { listener: false });
    },
  };
}

const times = { pollMs: 10, leaseMs: 1_000, sendWithinMs: 400, answerWithinMs: 300, firstRetryMs: 10, maxRetryMs: 50 };

/** Two relays whose outbox and whose queue are both behind a bad network, and the truth about both. */
async function startService({ database, pool }: UsedPostgres, network: Network) {
  const schema = `faults_${crypto.randomUUID().slice(0, 8)}`;
  await migrate({ database, schema });
  const box = outbox({ schema });
  const queueDatabase = network.database("queue");
  const transport = postgresTransport({ database: queueDatabase, schema, answerWithinMs: 300 });
  const relays = [1, 2].map(() =>
    createOutboxRelay({ ...times, schema, transport, database: network.database("outbox"), lagEveryMs: 0, batch: 20 }),
  );
  const started = relays.map((relay) => relay.start());
  const added: string[] = [];
  return {
    added,
    /** One message for each key. */
    async add() {
      const names = keys.map((key) => `${key}/${added.length / keys.length}`);
      await database.transaction(async (tx) => {
        for (const name of names) {
          const message = makeMessage({ body: name, key: name.slice(0, 1) });
          await box.add(tx, { to: "orders", message, idempotencyKey: name });
        }
      });
      added.push(...names);
    },
    /** Opens more connections than are needed: while answers vanish no new one can be opened. */
    async openMany() {
      const open = () => Promise.all(Array.from({ length: 10 }, () => queueDatabase.query("select pg_sleep(0.2)")));
      // A busy machine may be too slow for the time that each has to connect.
      await eventually(open, { withinMs: 120_000 });
    },
    async unsent() {
      return (await pool.query(`select id from ${schema}.outbox`)).rows.length;
    },
    /** The idempotency keys of what is in the queue, in order. */
    async queued() {
      const { rows } = await pool.query<{ headers: Buffer }>(`select headers from ${schema}.messages order by id`);
      return rows.map(({ headers }) => headerText(decodeHeaders(headers), wire.key) ?? "");
    },
    async stop() {
      await Promise.all([...relays.map((relay) => relay.stop()), ...started]);
      await transport.close();
    },
  };
}
