/**
 * Orders in a queue that outlives the program, each charged once. The database is PostgreSQL inside the process, in the
 * folder given as the first argument.
 */
import { PGlite } from "@electric-sql/pglite";
import { createConsumer, makeMessage } from "dead-letter-office";
import { pgliteDatabase, postgresInbox, postgresTransport } from "dead-letter-office/pglite";
import { eventually } from "dead-letter-office/testing";

interface Order {
  readonly id: number;
  readonly cents: number;
}

const pglite = new PGlite(process.argv[2] ?? "./example-data");
await pglite.exec("create table if not exists payments (order_id integer, cents integer)");

const database = pgliteDatabase(pglite);
const transport = postgresTransport({ database });

const consumer = createConsumer({
  transport,
  queue: "orders",
  concurrency: 1, // there is one connection, and the inbox's transaction has it
  inbox: { store: postgresInbox({ database }) },
  retry: { backoff: { strategy: "immediate" } },
  handler: async ({ payload, attempt, tx }) => {
    const { id, cents } = payload as Order;
    await tx.query("insert into payments values ($1, $2)", [id, cents]);
    // Thrown after the write: the write is rolled back, and the next attempt makes it again.
    if (id === 2 && attempt === 1) throw new Error("the connection to the bank was lost");
  },
  observers: [{ event: (event) => event.type === "duplicate" && console.log(`came before: ${event.key}`) }],
});
const running = consumer.start();

// The first order is sent twice, as by a client that saw no answer.
for (const id of [1, 2, 1]) {
  const body = JSON.stringify({ id, cents: 250 });
  await transport.send({ name: "orders" }, makeMessage({ body, headers: { "idempotency-key": `order-${id}` } }));
}

await eventually(async () => (await pglite.query("select from dlo.messages")).rows.length === 0);
await consumer.stop();
await running;
await transport.close();

const { rows } = await pglite.query<Order>("select order_id as id, cents from payments order by 1");
for (const { id, cents } of rows) console.log(`order ${id}: ${cents} cents`);
await pglite.close();
