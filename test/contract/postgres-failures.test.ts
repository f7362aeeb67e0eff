import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { done, makeMessage } from "../../src/domain/message.ts";
import { postgresInbox } from "../../src/stores/postgres-inbox.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import type { Handle, Incident, Transport } from "../../src/transports/transport.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgresServer, type PostgresServer, startPostgres } from "../servers/postgres.ts";

const queue = { name: "orders" };
const entry = { scope: "orders", windowMs: 60_000, leaseMs: 5_000 };

async function startServer(settings?: Record<string, string>): Promise<PostgresServer> {
  const server = await startPostgres(settings);
  onTestFinished(() => server.close());
  return server;
}

/** Everything is closed when the test is over, in the opposite order. */
function openPool(server: { readonly port: number }, config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ host: "127.0.0.1", port: server.port, user: "dlo", database: "postgres", ...config });
  onTestFinished(() => pool.end());
  return pool;
}

function openTransport(database: Database, options: { pollMs?: number; answerWithinMs?: number } = {}): Transport {
  const transport = postgresTransport({ database, pollMs: 50, ...options });
  onTestFinished(() => transport.close());
  return transport;
}

/** With a short lease, what was in hand when the server died comes again soon; a long one outlasts any stall of ours. */
const leases = { soonOver: 1_000, long: 60_000 } as const;

function consume(transport: Transport, handle: Handle, leaseMs: number = leases.soonOver) {
  const incidents: Incident[] = [];
  const stop = new AbortController();
  const over = transport.consume(queue, handle, {
    ...{ concurrency: 10, prefetch: 50, order: "none", leaseMs, returnDelayMs: 100 },
    signal: stop.signal,
    report: (incident) => incidents.push(incident),
  });
  return {
    incidents,
    kinds: () => new Set(incidents.map(({ kind }) => kind)),
    stop: () => {
      stop.abort();
      return over;
    },
  };
}

/** Sends until it is known to have arrived, as a careful producer does. */
async function insist(transport: Transport, body: string): Promise<void> {
  await eventually(() => transport.send(queue, makeMessage({ body })), { withinMs: 120_000 });
}

/** Ends all other connections of the database, as an administrator would. */
async function terminateOthers(client: pg.Client): Promise<void> {
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'",
  );
}

async function openAdmin(server: PostgresServer): Promise<pg.Client> {
  const admin = new pg.Client({ connectionString: server.url(), application_name: "admin" });
  admin.on("error", () => {});
  await admin.connect();
  onTestFinished(() => admin.end());
  return admin;
}

describeServer("when PostgreSQL fails", noPostgresServer, () => {
  it("loses nothing of what was sent, and goes on, when the server is killed while it consumes", async () => {
    const server = await startServer();
    const transport = openTransport(pgDatabase(openPool(server)));
    const seen = new Set<string>();
    const consuming = consume(transport, async ({ message }) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.add(Buffer.from(message.body).toString());
      return done;
    });
    const sent: string[] = [];
    let sending = true;
    const producing = (async () => {
      while (sending) {
        const burst = Array.from({ length: 20 }, (_, index) => `${sent.length + index}`);
        await Promise.all(burst.map((body) => insist(transport, body)));
        sent.push(...burst);
      }
    })();
    for (let kills = 1; kills <= 3; kills++) {
      await eventually(() => seen.size > kills * 200, { withinMs: 120_000 });
      await server.kill();
      await server.start();
    }
    sending = false;
    await producing;
    await eventually(() => expect(sent.filter((body) => !seen.has(body))).toEqual([]), { withinMs: 120_000 });
    expect(consuming.kinds()).toContain("connection-lost");
    expect(consuming.kinds()).toContain("connection-restored");
    await consuming.stop();
  });

  it("has every effect once, with the inbox, while connections are ended under it", async () => {
    const server = await startServer();
    const admin = await openAdmin(server);
    await admin.query("create table effects (key text)");
    const database = pgDatabase(openPool(server));
    const transport = openTransport(database);
    const inbox = postgresInbox({ database });
    const total = 150;
    for (let key = 0; key < total; key++) await insist(transport, String(key));
    let ends = 0;
    const terminator = (async () => {
      for (; ends < 15; ends++) {
        await new Promise((resolve) => setTimeout(resolve, 40));
        await terminateOthers(admin);
      }
    })();
    const consuming = consume(transport, async ({ message }) => {
      const key = Buffer.from(message.body).toString();
      try {
        const outcome = await inbox.once({ ...entry, key }, async ({ tx }) => {
          await tx.query("insert into effects values ($1)", [key]);
          await tx.query("select pg_sleep(0.01)");
        });
        return outcome === "busy" ? { kind: "retry", delayMs: 20, message } : done;
      } catch {
        return { kind: "retry", delayMs: 20, message };
      }
    });
    await terminator;
    const effects = async () => (await admin.query("select key from effects")).rows.length;
    await eventually(async () => (await effects()) >= total, { withinMs: 120_000 });
    await eventually(async () => (await admin.query("select from dlo.messages")).rowCount === 0, { withinMs: 120_000 });
    await consuming.stop();
    expect(await effects()).toBe(total);
    expect((await admin.query("select distinct key from effects")).rowCount).toBe(total);
  });

  it("rejects a turn whose connection was ended, and keeps nothing of it", async () => {
    const server = await startServer();
    const admin = await openAdmin(server);
    await admin.query("create table effects (key text)");
    const inbox = postgresInbox({ database: pgDatabase(openPool(server)) });
    const turn = inbox.once({ ...entry, key: "k" }, async ({ tx }) => {
      await tx.query("insert into effects values ('gone')");
      await terminateOthers(admin);
    });
    await expect(turn).rejects.toThrow();
    expect((await admin.query("select from effects")).rowCount).toBe(0);
    expect(await inbox.once({ ...entry, key: "k" }, async () => {})).toBe("ran");
  });

  it("finds out about a commit whose answer was lost when the message comes again", async () => {
    const server = await startServer();
    const proxy = await startFaultProxy({ port: server.port });
    onTestFinished(() => proxy.close());
    const pool = openPool(proxy);
    await pool.query("create table effects (key text)");
    const inbox = postgresInbox({ database: pgDatabase(pool) });
    const work = async ({ tx }: { readonly tx: pg.PoolClient }) => {
      await tx.query("insert into effects values ('once')");
      proxy.break({ loseReplyTo: "commit" });
    };
    await expect(inbox.once({ ...entry, key: "k" }, work)).rejects.toThrow();
    expect(await inbox.once({ ...entry, key: "k" }, work)).toBe("duplicate");
    expect((await pool.query("select from effects")).rowCount).toBe(1);
  });

  it("rejects a turn that lost against a serializable stranger, and lets the next try run", async () => {
    const server = await startServer();
    const options = "-c default_transaction_isolation=serializable";
    const pool = openPool(server, { options });
    await pool.query("create table accounts as select 1 as balance");
    const inbox = postgresInbox({ database: pgDatabase(pool) });
    const charge = async ({ tx }: { readonly tx: pg.PoolClient }) => {
      await tx.query("select balance from accounts");
      await pool.query("update accounts set balance = balance + 1");
      await tx.query("update accounts set balance = balance + 10");
    };
    await expect(inbox.once({ ...entry, key: "k" }, charge)).rejects.toMatchObject({ code: "40001" });
    const run = inbox.once({ ...entry, key: "k" }, async ({ tx }) => {
      await tx.query("update accounts set balance = balance + 10");
    });
    expect(await run).toBe("ran");
    expect((await pool.query("select balance from accounts")).rows).toEqual([{ balance: 12 }]);
  });

  it("acknowledges again what it got no answer for, and handles it once", async () => {
    const server = await startServer();
    const proxy = await startFaultProxy({ port: server.port });
    onTestFinished(() => proxy.close());
    const transport = openTransport(pgDatabase(openPool(proxy), { listener: false }));
    await transport.send(queue, makeMessage({ body: "x" }));
    proxy.break({ loseReplyTo: "acknowledge_messages" });
    let handled = 0;
    const handle = async () => {
      handled += 1;
      return done;
    };
    const consuming = consume(transport, handle, leases.long);
    await eventually(() => consuming.kinds().has("settle-failed"));
    const admin = await openAdmin(server);
    await eventually(async () => (await admin.query("select from dlo.messages")).rowCount === 0);
    await consuming.stop();
    expect(handled).toBe(1);
  });

  it("does not wait for ever for a connection that fell silent", async () => {
    const server = await startServer();
    const proxy = await startFaultProxy({ port: server.port });
    onTestFinished(() => proxy.close());
    const database = pgDatabase(openPool(proxy), { listener: false });
    const transport = openTransport(database, { answerWithinMs: 2_000 });
    await insist(transport, "before");
    proxy.break({ swallowed: ["requests", "replies"] });
    await expect(transport.send(queue, makeMessage({ body: "lost" }))).rejects.toMatchObject({
      code: "TRANSPORT_UNAVAILABLE",
    });
    proxy.heal();
    await insist(transport, "after");
  });

  it("waits for connections when the server has none left, and goes on when it has", async () => {
    const server = await startServer({ max_connections: "10", superuser_reserved_connections: "0" });
    const transport = openTransport(pgDatabase(openPool(server), { listener: false }));
    await transport.send(queue, makeMessage({ body: "x" }));
    await terminateOthers(await openAdmin(server));
    const greedy = await occupyAll(server);
    await expect(transport.send(queue, makeMessage({ body: "refused" }))).rejects.toMatchObject({ code: "53300" });
    let handled = 0;
    const handle = async () => {
      handled += 1;
      return done;
    };
    const consuming = consume(transport, handle, leases.long);
    await eventually(() => consuming.kinds().has("connection-lost"));
    for (const client of greedy) await client.end();
    await eventually(() => handled === 1);
    await consuming.stop();
  });

  it("listens again after the connection that listens was ended", async () => {
    const server = await startServer();
    const admin = await openAdmin(server);
    const transport = openTransport(pgDatabase(openPool(server)), { pollMs: 3_600_000 });
    let handled = 0;
    const consuming = consume(transport, async () => {
      handled += 1;
      return done;
    });
    // From another process, so that nothing but a notification can wake the consumer.
    const other = openTransport(pgDatabase(openPool(server), { listener: false }));
    await eventually(async () => {
      await other.send(queue, makeMessage({ body: "x" }));
      return handled > 0;
    });
    const listeners = "select pid from pg_stat_activity where query ilike 'listen%'";
    await admin.query(`select pg_terminate_backend(pid) from (${listeners}) as l`);
    await eventually(async () => (await admin.query(listeners)).rowCount === 1, { withinMs: 120_000 });
    const before = handled;
    await eventually(async () => {
      await other.send(queue, makeMessage({ body: "x" }));
      return handled > before;
    });
    await consuming.stop();
  });
});

async function occupyAll(server: PostgresServer): Promise<pg.Client[]> {
  const clients: pg.Client[] = [];
  for (;;) {
    const client = new pg.Client({ connectionString: server.url() });
    client.on("error", () => {});
    try {
      await client.connect();
      clients.push(client);
    } catch {
      return clients;
    }
  }
}
