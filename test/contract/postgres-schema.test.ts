import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { openPg } from "../../src/databases/open-pg.ts";
import { pgDatabase } from "../../src/databases/pg.ts";
import { type Database, quoteName } from "../../src/domain/database.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { Presence } from "../../src/office/presence.ts";
import { statusOf } from "../../src/office/standing-work.ts";
import { createOutboxRelay } from "../../src/outbox/relay.ts";
import { createConsumer } from "../../src/runtime/consumer.ts";
import type { ConsumerEvent } from "../../src/runtime/events.ts";
import { bringUpToDate } from "../../src/schema/bring-up-to-date.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { postgresInbox } from "../../src/stores/postgres-inbox.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";

const migrations = new URL("../../migrations/", import.meta.url);

describeServer("the schema", noPostgres, () => {
  const postgres = usePostgres();
  const newName = () => `schema_${crypto.randomUUID().slice(0, 8)}`;

  async function applied(schema: string): Promise<string[]> {
    const sql = `select name from ${quoteName(schema)}.migrations order by number`;
    return (await postgres.pool.query<{ name: string }>(sql)).rows.map(({ name }) => name);
  }

  it("is made once, whoever begins with it at the same time", async () => {
    const schema = newName();
    const databases = Array.from({ length: 8 }, () => pgDatabase(postgres.otherPool(), { listener: false }));
    await Promise.all(databases.map((database) => migrate({ database, schema })));
    await migrate({ database: postgres.database, schema });
    expect(await applied(schema)).toEqual(readdirSync(migrations).sort());
  });

  it("may have any name", async () => {
    const schema = `Odd "name" ${newName()}; --`;
    const transport = postgresTransport({ database: postgres.database, schema });
    await transport.send({ name: "q" }, makeMessage({ body: "x" }));
    await transport.close();
    const inbox = postgresInbox({ database: postgres.database, schema });
    expect(await inbox.once({ scope: "s", key: "k", windowMs: 1_000, leaseMs: 1_000 }, async () => {})).toBe("ran");
  });

  it.each(["", "nul\0", "x".repeat(64)])("must have a name PostgreSQL takes: %j", (schema) => {
    expect(() => postgresTransport({ database: postgres.database, schema })).toThrow("`schema` must be");
  });

  it("can be made by hand with psql, and is then used as it is", async () => {
    const schema = newName();
    await migrate({ database: postgres.database, schema: `${schema}_model` });
    const files = readdirSync(migrations).sort();
    const client = await postgres.pool.connect();
    try {
      await client.query(`begin; create schema ${schema}; set local search_path to ${schema}, pg_temp`);
      for (const file of files) await client.query(readFileSync(new URL(file, migrations), "utf8"));
      await client.query(`create table migrations as table ${schema}_model.migrations; commit`);
    } finally {
      client.release();
    }
    const transport = postgresTransport({ database: postgres.database, schema });
    await transport.send({ name: "q" }, makeMessage({ body: "x", key: "k" }));
    await transport.close();
    expect((await postgres.pool.query(`select from ${schema}.messages`)).rowCount).toBe(1);
  });

  it("needs no right to create anything once it is there", async () => {
    const schema = newName();
    const role = `${schema}_user`;
    await migrate({ database: postgres.database, schema });
    await postgres.pool.query(`create role ${role} login; grant usage on schema ${schema} to ${role};
      grant select, insert, update, delete on all tables in schema ${schema} to ${role};
      grant usage on all sequences in schema ${schema} to ${role}`);
    const database = pgDatabase(postgres.otherPool({ user: role, ...userOf(postgres.url, role) }), { listener: false });
    const transport = postgresTransport({ database, schema });
    await transport.send({ name: "q" }, makeMessage({ body: "x", key: "k" }));
    await transport.close();
    const inbox = postgresInbox({ database, schema });
    expect(await inbox.once({ scope: "s", key: "k", windowMs: 1_000, leaseMs: 1_000 }, async () => {})).toBe("ran");
  });

  it("is refused for good when another version made it otherwise, by all that would use it", async () => {
    const schema = newName();
    const other = pgDatabase(postgres.otherPool(), { listener: false });
    await migrate({ database: other, schema });
    await postgres.pool.query(`update ${schema}.migrations set checksum = 'other' where number = 1`);
    const refused = {
      code: "SCHEMA_MISMATCH",
      message: `The schema "${schema}" was made by another 0001_messages.sql than this version has. Use another schema, or the version that made it.`,
      details: { schema, migration: "0001_messages.sql" },
    };
    const { database } = postgres;
    await expect(migrate({ database, schema })).rejects.toMatchObject(refused);
    const transport = postgresTransport({ database, schema });
    onTestFinished(() => transport.close());
    await expect(transport.send({ name: "q" }, makeMessage({ body: "x" }))).rejects.toMatchObject(refused);
    const events: ConsumerEvent["type"][] = [];
    const observers = [{ event: ({ type }: ConsumerEvent) => events.push(type) }];
    const consumer = createConsumer({ transport, queue: "q", handler: async () => {}, observers });
    await expect(consumer.start()).rejects.toMatchObject(refused);
    expect(events).not.toContain("incident");
    await expect(createOutboxRelay({ database, schema, transport }).start()).rejects.toMatchObject(refused);
  });

  it("is left alone when a newer version went further", async () => {
    const schema = newName();
    await migrate({ database: postgres.database, schema });
    await postgres.pool.query(`insert into ${schema}.migrations values (9999, '9999_later.sql', 'later')`);
    await migrate({ database: postgres.database, schema });
    expect(await applied(schema)).toContain("9999_later.sql");
  });

  it("is not cut while an office lives that may need it whole, and lets none start that does", async () => {
    const schema = newName();
    const { database } = postgres;
    const folder = copyOfMigrations();
    const ledger = await openLedger({ database, schema });
    const living = new Presence(systemClock);
    const process = { id: crypto.randomUUID(), version: "1", duties: ["http"], host: "here" } as const;
    await living.begin(ledger, process, () => ({ work: statusOf(null), followers: 0 }));
    writeFileSync(new URL("9001_add.sql", folder), "alter table people add column nick text;");
    await migrate({ database, schema }, folder);
    writeFileSync(
      new URL("9002_cut.sql", folder),
      "-- Contracts: nobody uses it.\nalter table people drop column nick;",
    );
    await expect(migrate({ database, schema }, folder)).rejects.toMatchObject({ code: "LEDGER_IN_USE" });
    expect((await applied(schema)).at(-1)).toBe("9001_add.sql");

    await migrate({ database, schema });
    await living.close();
    await migrate({ database, schema }, folder);
    expect((await applied(schema)).at(-1)).toBe("9002_cut.sql");
    await expect(migrate({ database, schema })).rejects.toMatchObject({
      code: "SCHEMA_MISMATCH",
      details: { schema, migration: "9002_cut.sql" },
    });
  });

  it("holds up nobody while somebody has a table that it has to change", { timeout: 60_000 }, async () => {
    const schema = newName();
    const { database } = postgres;
    const folder = copyOfMigrations();
    await migrate({ database, schema });
    writeFileSync(new URL("9001_add.sql", folder), "alter table letters add column nick text;");
    const reader = await postgres.pool.connect();
    onTestFinished(() => reader.release(true));
    // As a backup does.
    await reader.query(`begin; select from ${schema}.letters`);
    const migrating = migrate({ database, schema }, folder);
    const isWaiting = async () =>
      (await postgres.pool.query("select from pg_locks where not granted and mode = 'AccessExclusiveLock'")).rowCount;
    await eventually(async () => expect(await isWaiting()).toBe(1), { withinMs: 30_000 });
    const others = pgDatabase(postgres.otherPool({ query_timeout: 15_000 }), { listener: false });
    expect((await others.query(`select from ${schema}.letters`)).count).toBe(0);
    await reader.query("commit");
    expect(await migrating).toEqual(["9001_add.sql"]);
  });

  it("may take longer than any other statement", async () => {
    const slow = "select pg_sleep(1)";
    const [hasty, patient] = await Promise.all([
      openPg(postgres.url, { limitMs: 300 }),
      openPg(postgres.url, { limitMs: 300, isPatient: true }),
    ]);
    onTestFinished(async () => void (await Promise.all([hasty.close(), patient.close()])));
    await expect(hasty.database.query(slow)).rejects.toThrow("timeout");
    expect((await patient.database.query(slow)).count).toBe(1);
    // Asked whether there is anything to do as all others are; what there is goes the patient way.
    await bringUpToDate({
      database: { ...postgres.database, transaction: () => Promise.reject(new Error("too hasty")) },
      patiently: (work) => work(postgres.database),
    });
    await bringUpToDate({ database: postgres.database, patiently: () => Promise.reject(new Error("nothing to do")) });
  });

  it("is asked for again when the database was away at first", async () => {
    const schema = newName();
    let away = true;
    const database: Database = {
      ...postgres.database,
      query: (...asked) => (away ? Promise.reject(new Error("away")) : postgres.database.query(...asked)),
    };
    const transport = postgresTransport({ database, schema });
    await expect(transport.send({ name: "q" }, makeMessage({ body: "x" }))).rejects.toThrow("away");
    away = false;
    await transport.send({ name: "q" }, makeMessage({ body: "x" }));
    await transport.close();
  });

  it("forgets what the inbox need not remember any more, a little at each success", async () => {
    const schema = newName();
    const inbox = postgresInbox({ database: postgres.database, schema });
    const once = (key: string, windowMs: number) =>
      inbox.once({ scope: "s", key, windowMs, leaseMs: 1_000 }, async () => {});
    for (let key = 0; key < 10; key++) await once(`past ${key}`, 60_000);
    await postgres.pool.query(`update ${schema}.inbox set expires_at = now() - interval '1 s'`);
    const remembered = async () => (await postgres.pool.query(`select from ${schema}.inbox`)).rowCount;
    for (let key = 0; key < 5; key++) await once(`new ${key}`, 60_000);
    expect(await remembered()).toBe(5);
  });
});

function copyOfMigrations(): URL {
  const folder = mkdtempSync(join(tmpdir(), "dlo-migrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(migrations, folder, { recursive: true });
  return pathToFileURL(`${folder}/`);
}

function userOf(url: string, user: string): { readonly connectionString: string } {
  const own = new URL(url);
  own.username = user;
  return { connectionString: own.href };
}
