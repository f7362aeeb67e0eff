import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { migrate } from "../../src/schema/migrate.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { dlo, exitCodeOf } from "../cli/dlo.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { clientOf, enrol, minuteMs, useOffices } from "./up-process.ts";

const { folder, up } = useOffices();

/** A later version's, which adds, and can be told to take away again. */
function laterMigrations() {
  const copy = mkdtempSync(join(tmpdir(), "dlo-later-"));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  cpSync(new URL("../../migrations/", import.meta.url), copy, { recursive: true });
  const write = (name: string, sql: string) => writeFileSync(join(copy, name), sql);
  write("9001_nick.sql", "alter table letters add column nick text; create index letters_by_nick on letters (nick);");
  return { folder: pathToFileURL(`${copy}/`), write };
}

describeServer("a ledger that is migrated", noPostgres, () => {
  const postgres = usePostgres();

  it("is made by dlo migrate, which says what it does and what it would", { timeout: 3 * minuteMs }, async () => {
    const env = { DLO_DATA: join(folder, "none"), DATABASE_URL: postgres.url };
    const planned = await dlo(["migrate", "--dry-run"], env);
    expect(planned.code).toBe(8);
    expect(planned.stdout).toContain("0001_messages.sql\n");
    const made = await dlo(["migrate", "--json"], env);
    const { migrations } = JSON.parse(made.stdout) as { readonly migrations: readonly string[] };
    expect([made.code, `${migrations.join("\n")}\n`]).toEqual([0, planned.stdout]);
    const again = await dlo(["migrate", "--dry-run"], env);
    expect([again.code, again.stdout]).toEqual([0, ""]);
    expect(again.stderr).toContain("The ledger is up to date");
  });

  it("goes on under load while one is added, and is not cut under an older office", {
    timeout: 8 * minuteMs,
  }, async () => {
    const data = join(folder, "migrated");
    const env = { DLO_DATA: data, DATABASE_URL: postgres.url };
    const queues = 'queues: [{ match: "*.dlq", mode: drain }]';
    const config = `version: 1\nsources: [{ name: pg, broker: postgres, url: "\${DATABASE_URL}", ${queues} }]\n`;
    const { url, child } = await up(env, config);
    const ask = clientOf(url, await enrol(url, data));
    const transport = postgresTransport({ database: postgres.database });
    onTestFinished(() => transport.close());

    const over = new AbortController();
    let sent = 0;
    let answers = 0;
    const sending = (async () => {
      while (!over.signal.aborted) {
        await transport.send({ name: "bills.dlq" }, makeMessage({ body: `bill ${sent}` }));
        sent += 1;
        // A few hundred a second: what came can be counted in the end.
        await pause(2);
      }
    })();
    const asking = (async () => {
      while (!over.signal.aborted) {
        await ask("inbox.list", {});
        await ask("letters.list", { q: "queue:bills" });
        answers += 1;
      }
    })();
    const held = async () => (await postgres.pool.query("select from dlo.letters")).rowCount ?? 0;
    await eventually(async () => expect(await held()).toBeGreaterThan(100), { withinMs: minuteMs });
    const later = laterMigrations();
    const before = answers;
    expect(await migrate({ database: postgres.database }, later.folder)).toEqual(["9001_nick.sql"]);
    const atOnce = await held();
    await eventually(
      async () => {
        expect(answers).toBeGreaterThan(before + 3);
        expect(await held()).toBeGreaterThan(atOnce + 50);
      },
      { withinMs: minuteMs },
    );
    over.abort();
    // Not one was refused.
    await Promise.all([sending, asking]);
    await eventually(async () => expect(await held()).toBe(sent), { withinMs: minuteMs });

    later.write("9002_no_nick.sql", "-- Contracts: nobody used it.\nalter table letters drop column nick;");
    await expect(migrate({ database: postgres.database }, later.folder)).rejects.toMatchObject({
      code: "LEDGER_IN_USE",
    });
    child.kill("SIGTERM");
    expect(await exitCodeOf(child)).toBe(0);
    expect(await migrate({ database: postgres.database }, later.folder)).toEqual(["9002_no_nick.sql"]);
    const older = await dlo(["up", "--listen", "127.0.0.1:1", "--json"], env);
    expect([older.code, JSON.parse(older.stdout)]).toMatchObject([6, { error: { code: "store.schema_mismatch" } }]);
  });
});

/** On a ledger of its own: the one above has been cut by then. */
describeServer("a ledger that was cut", noPostgres, () => {
  const postgres = usePostgres();

  it("is not written to by an office that slept through a cut: it says so and ends", {
    timeout: 6 * minuteMs,
  }, async () => {
    const data = join(folder, "slept");
    const env = { DLO_DATA: data, DATABASE_URL: postgres.url };
    const queues = 'queues: [{ match: "*.dlq", mode: drain }]';
    const config = `version: 1\nsources: [{ name: pg, broker: postgres, url: "\${DATABASE_URL}", ${queues} }]\n`;
    const { url, child, said } = await up(env, config);
    const ask = clientOf(url, await enrol(url, data));
    const transport = postgresTransport({ database: postgres.database });
    onTestFinished(() => transport.close());
    const send = () => transport.send({ name: "bills.dlq" }, makeMessage({ body: "bill" }));
    await send();
    await eventually(async () => expect((await ask("letters.count", { q: "" })).n).toBe(1), { withinMs: minuteMs });

    child.kill("SIGSTOP");
    const lapsed = "select from dlo.processes where lives_until < clock_timestamp()";
    await eventually(async () => expect((await postgres.pool.query(lapsed)).rowCount).toBe(1), { withinMs: minuteMs });
    const later = laterMigrations();
    later.write("9002_cut.sql", `-- Contracts: ${noteEveryWrite}`);
    expect(await migrate({ database: postgres.database }, later.folder)).toContain("9002_cut.sql");
    await send();
    // Somebody waits for an answer by then, so that it is not its heartbeat alone that wakes up with something to do.
    const asked = ask("views.save", { name: "mine", q: "queue:bills" }).catch((error: unknown) => error);
    child.kill("SIGCONT");

    expect(await exitCodeOf(child)).toBe(6);
    expect(said()).toContain("stood still for longer than others wait for it");
    expect(said()).toContain("9002_cut.sql");
    expect(await asked).toBeInstanceOf(Error);
    expect((await postgres.pool.query("select * from dlo.written")).rows).toEqual([]);
  });
});

/** Every row that is written afterwards, by whom, but for messages: those are a broker's. */
const noteEveryWrite = `nobody is to write any more.
create table written (relation text, op text);
create function note_written() returns trigger language plpgsql as $$
begin
  insert into dlo.written values (tg_table_name, tg_op);
  return null;
end $$;
do $$
declare
  each text;
begin
  for each in
    select c.relname from pg_class c
    where c.relnamespace = 'dlo'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('written', 'messages', 'migrations', 'message_wakes')
  loop
    execute format('create trigger note_written after insert or update or delete on dlo.%I for each row execute function note_written()', each);
  end loop;
end $$;`;
