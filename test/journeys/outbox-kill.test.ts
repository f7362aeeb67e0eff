import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { decodeHeaders } from "../../src/domain/header-codec.ts";
import { headerText } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import { createConsumer } from "../../src/index.ts";
import { migrate, postgresBlockedKeys, postgresInbox, postgresTransport } from "../../src/postgres.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { type UsedPostgres, usePostgres } from "../servers/use-postgres.ts";
import type { OutboxStep, OutboxTask } from "./outbox-process.ts";

const script = fileURLToPath(import.meta.resolve("./outbox-process.ts"));

describeServer("an outbox whose processes are killed", noPostgres, () => {
  const postgres = usePostgres();
  const children = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
  });
  beforeAll(async () => {
    await migrate({ database: postgres.database });
    await postgres.pool.query("create table orders (id serial primary key, key text); create table effects (id int)");
  });

  function start(role: OutboxTask["role"], step: OutboxStep | null = null, after = 0): ChildProcess {
    const task: OutboxTask = { role, step, after, url: postgres.url };
    const child = spawn(process.execPath, [script, JSON.stringify(task)], { stdio: ["ignore", "ignore", "inherit"] });
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  }

  describe("at a step of its own", () => {
    it.each([
      ["producer", "before commit"],
      ["producer", "while committing"],
      ["producer", "after commit"],
      ["relay", "before send"],
      ["relay", "after send"],
      ["relay", "before delete"],
      ["relay", "after delete"],
    ] as const)("sends what was committed and nothing else: the %s, %s", async (role, step) => {
      const dying = start(role, step, 7);
      const other = start(role === "relay" ? "producer" : "relay");
      await killed(dying);
      await kill(other);
      await settleAll(postgres, start);
    });
  });

  it("sends what was committed and nothing else, whoever is killed whenever", async () => {
    for (let round = 0; round < 6; round++) {
      const running = [start("producer"), start("relay"), start("relay")];
      const known = await count(postgres, "orders");
      await eventually(async () => expect(await count(postgres, "orders")).toBeGreaterThan(known + 5), {
        withinMs: 120_000,
      });
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
      await Promise.all(running.map(kill));
    }
    await settleAll(postgres, start);
  });

  it("has an effect once for each order, with an inbox", async () => {
    const transport = postgresTransport({ database: postgres.database });
    const consumer = createConsumer({
      transport,
      queue: "orders",
      order: "key",
      blockedKeys: postgresBlockedKeys({ database: postgres.database }),
      inbox: { store: postgresInbox({ database: postgres.database }) },
      handler: async ({ payload, tx }) => void (await tx.query("insert into effects values ($1)", [payload])),
    });
    void consumer.start();
    await eventually(async () => expect(await count(postgres, "dlo.messages")).toBe(0), { withinMs: 120_000 });
    await consumer.stop();
    await transport.close();
    const { rows } = await postgres.pool.query<{ id: number }>("select id from effects order by id");
    expect(rows.map(({ id }) => String(id))).toEqual((await committed(postgres)).map(({ id }) => id));
  });
});

/** Lets a relay send what is left, and compares what is in the queue with what was committed. */
async function settleAll(postgres: UsedPostgres, start: (role: "relay") => ChildProcess): Promise<void> {
  const last = start("relay");
  await eventually(async () => expect(await count(postgres, "dlo.outbox")).toBe(0), { withinMs: 120_000 });
  await kill(last);
  const arrived = [...new Set(await queued(postgres))];
  const wanted = await committed(postgres);
  expect(arrived.toSorted(byNumber)).toEqual(wanted.map(({ id }) => id));
  // One producer at a time: numbers grow in the order of commits.
  const keyOf = new Map(wanted.map(({ id, key }) => [id, key]));
  for (const key of new Set(keyOf.values())) {
    const ofKey = arrived.filter((id) => keyOf.get(id) === key);
    expect(ofKey).toEqual(ofKey.toSorted(byNumber));
  }
}

async function committed({ pool }: UsedPostgres): Promise<{ readonly id: string; readonly key: string }[]> {
  return (await pool.query<{ id: string; key: string }>("select id::text, key from orders order by orders.id")).rows;
}

/** The idempotency keys of what is in the queue, in order. */
async function queued({ pool }: UsedPostgres): Promise<string[]> {
  const { rows } = await pool.query<{ headers: Buffer }>("select headers from dlo.messages order by id");
  return rows.map(({ headers }) => headerText(decodeHeaders(headers), wire.key) ?? "");
}

async function count({ pool }: UsedPostgres, table: string): Promise<number> {
  return Number((await pool.query<{ count: string }>(`select count(*) from ${table}`)).rows[0]?.count);
}

const byNumber = (a: string, b: string) => Number(a) - Number(b);

/** Resolves when it has killed itself. */
async function killed(child: ChildProcess): Promise<void> {
  const signal = await new Promise((resolve) => child.once("exit", (_code, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const dead = killed(child);
  child.kill("SIGKILL");
  await dead;
}
