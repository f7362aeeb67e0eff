import pg from "pg";
import { pause } from "../../src/domain/clock.ts";
import type { Database } from "../../src/domain/database.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { createOutboxRelay, outbox, pgDatabase, postgresTransport } from "../../src/postgres.ts";
import { systemClock } from "../../src/system/host.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { dyingAt } from "../chaos/failpoint.ts";

/** What this process does, and where it dies: at that step, the time after so many. */
export interface OutboxTask {
  readonly role: "producer" | "relay";
  readonly url: string;
  readonly step: OutboxStep | null;
  readonly after: number;
}

export type OutboxStep =
  | "before commit"
  | "while committing"
  | "after commit"
  | "before send"
  | "after send"
  | "before delete"
  | "after delete";

const keys = ["a", "b", "c"];
const task = JSON.parse(process.argv[2] ?? "{}") as OutboxTask;
const pass = dyingAt<OutboxStep>(task);

/** Places orders, each with its message in one transaction; every fourth is rolled back. */
async function produce(pool: pg.Pool): Promise<void> {
  const box = outbox();
  const client = await pool.connect();
  for (let round = 0; ; round++) {
    await client.query("begin");
    const { rows } = await client.query<{ id: number }>("insert into orders (key) values ($1) returning id", [
      keys[round % keys.length],
    ]);
    const id = String(rows[0]?.id);
    const message = makeMessage({ body: id, key: keys[round % keys.length] ?? "" });
    await box.add(client, { to: "orders", message, idempotencyKey: id });
    if (round % 4 === 3) {
      await client.query("rollback");
      continue;
    }
    pass("before commit");
    const committed = client.query("commit");
    // Whether the server hears of it is for chance to decide.
    if (task.step === "while committing") setImmediate(() => pass("while committing"));
    await committed;
    pass("after commit");
    // Slower than relays are: it is their deaths that are looked for, not a backlog.
    await pause(systemClock, 2);
  }
}

async function relay(pool: pg.Pool): Promise<void> {
  const database = pgDatabase(pool);
  const transport = dyingTransport(postgresTransport({ database }));
  const times = { pollMs: 5, leaseMs: 400, sendWithinMs: 200, firstRetryMs: 10, maxRetryMs: 50 };
  await createOutboxRelay({ database: dyingDatabase(database), transport, batch: 10, lagEveryMs: 0, ...times }).start();
}

function dyingTransport(inner: Transport): Transport {
  return {
    broker: inner.broker,
    capabilities: inner.capabilities,
    consume: (from, handle, options) => inner.consume(from, handle, options),
    close: () => inner.close(),
    async send(to, message) {
      pass("before send");
      await inner.send(to, message);
      pass("after send");
    },
  };
}

function dyingDatabase(inner: Database): Database {
  return {
    ...inner,
    async query<Row>(text: string, values?: readonly unknown[]) {
      const settles = text.includes("settle_outbox");
      if (settles) pass("before delete");
      const answer = await inner.query<Row>(text, values);
      if (settles) pass("after delete");
      return answer;
    },
  };
}

const pool = new pg.Pool({ connectionString: task.url });
await (task.role === "producer" ? produce(pool) : relay(pool));
