import type { Transaction } from "@electric-sql/pglite";
import { afterAll, expect, it } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { type ConsumerEvent, createConsumer } from "../../src/index.ts";
import { pgliteDatabase, postgresInbox, postgresTransport } from "../../src/pglite.ts";
import { eventually } from "../../src/testing.ts";
import { startPglite } from "../servers/pglite.ts";

const pglite = await startPglite();
afterAll(() => pglite.close());
await pglite.exec("create table charges (order_id int)");

const database = pgliteDatabase(pglite);

async function charges(): Promise<number[]> {
  const { rows } = await pglite.query<{ order_id: number }>("select order_id from charges order by order_id");
  return rows.map((row) => row.order_id);
}

/** Longer than one connection takes for all that wait for it, on a busy machine too. */
const patientMs = 20_000;

/** A consumer whose queue, inbox and business tables are all in one PGlite. */
function consume(
  queue: string,
  handler: (id: number, attempt: number, tx: Transaction) => Promise<void>,
  timeLimitMs = patientMs,
) {
  const events: ConsumerEvent[] = [];
  const transport = postgresTransport({ database });
  const consumer = createConsumer<{ id: number }, Transaction>({
    transport,
    queue,
    inbox: { store: postgresInbox({ database }) },
    handler: ({ payload, attempt, tx }) => handler(payload.id, attempt, tx),
    leaseMs: 1.5 * timeLimitMs,
    timeLimitMs,
    retry: { backoff: { strategy: "fixed", delayMs: 50, jitter: "none" } },
    observers: [{ event: (event) => events.push(event) }],
  });
  void consumer.start();
  const send = (id: number) =>
    transport.send(
      { name: queue },
      makeMessage({ body: JSON.stringify({ id }), headers: { "idempotency-key": `${queue}-${id}` } }),
    );
  const close = async () => {
    await consumer.stop();
    await transport.close();
  };
  return { send, close, events };
}

it("commits the handler's writes with the inbox, once for each key", async () => {
  const { send, close } = consume(
    "once",
    async (id, _attempt, tx) => void (await tx.query("insert into charges values ($1)", [id])),
  );
  for (const id of [1, 2, 2, 3, 3, 3]) await send(id);
  await eventually(async () => expect(await charges()).toEqual([1, 2, 3]));
  await close();
  expect(await charges()).toEqual([1, 2, 3]);
});

it("is not hung by a handler deaf to its limit, and keeps nothing of what that one writes later", async () => {
  const deaf: Transaction[] = [];
  const handler = async (id: number, attempt: number, tx: Transaction) => {
    await tx.query("insert into charges values ($1)", [id]);
    if (attempt > 1) return;
    deaf.push(tx);
    await new Promise(() => {});
  };
  const { send, close } = consume("deaf", handler, 1_000);
  await send(11);
  await send(12);
  await eventually(async () => expect(await charges()).toEqual([1, 2, 3, 11, 12]));
  await expect(async () => deaf[0]?.query("insert into charges values (99)")).rejects.toThrow("has ended");
  await close();
});

it("runs a suspect, charged first, although broker and inbox share the one connection", async () => {
  const died = new AbortController();
  const transport = postgresTransport({ database });
  const options = { concurrency: 1, prefetch: 1, order: "none", leaseMs: 200, returnDelayMs: 50 } as const;
  const dying = transport.consume({ name: "suspect" }, () => fall(died), { ...options, signal: died.signal });
  await transport.send({ name: "suspect" }, makeMessage({ body: '{"id":21}', headers: { "idempotency-key": "s-21" } }));
  await dying;
  await transport.close();

  const heir = consume(
    "suspect",
    async (id, _attempt, tx) => void (await tx.query("insert into charges values ($1)", [id])),
  );
  await eventually(async () => expect(await charges()).toContain(21));
  expect(heir.events).toContainEqual(expect.objectContaining({ type: "attempt-started", suspect: true, attempt: 1 }));
  await heir.close();
});

/** A consumer that dies with a message in its hands: nobody hears what became of it. */
function fall(died: AbortController): Promise<never> {
  died.abort();
  return Promise.reject(new Error("died"));
}
