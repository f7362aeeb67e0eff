/**
 * A shop: an order and the message that tells of it are written in one transaction; a relay sends the message to
 * RabbitMQ; a consumer charges the order, once, in one transaction with the memory of having done so.
 */
import { createConsumer, makeMessage, Unprocessable } from "dead-letter-office";
import { createOutboxRelay, migrate, outbox, pgDatabase, postgresInbox } from "dead-letter-office/postgres";
import { rabbitmqTransport } from "dead-letter-office/rabbitmq";
import fastify from "fastify";
import pg from "pg";

interface Order {
  readonly id: number;
  readonly cents: number;
}

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const database = pgDatabase(pool);
const transport = rabbitmqTransport({ url: process.env.RABBITMQ_URL ?? "amqp://guest:guest@localhost" });
await migrate({ database });
await pool.query(
  "create table if not exists orders (id serial primary key, cents integer, state text not null default 'placed')",
);

const box = outbox();
const relay = createOutboxRelay({ database, transport });

const consumer = createConsumer({
  transport,
  queue: "orders",
  inbox: { store: postgresInbox({ database }) },
  retry: { backoff: { strategy: "exponential", initialMs: 200 } },
  handler: async ({ payload, attempt, tx }) => {
    const { id, cents } = payload as Order;
    if (cents <= 0) throw new Unprocessable("an order must cost something");
    // A bank that is away whenever it is asked for the first time.
    if (attempt === 1) throw Object.assign(new Error("the bank is away"), { code: "ECONNREFUSED" });
    await tx.query("update orders set state = 'charged' where id = $1", [id]);
  },
});

const app = fastify({ logger: { level: "warn" } });
const placing = {
  schema: { body: { type: "object", required: ["cents"], properties: { cents: { type: "integer" } } } },
};

app.post<{ Body: { readonly cents: number } }>("/orders", placing, async ({ body: { cents } }, reply) => {
  const order = await database.transaction(async (tx) => {
    const { rows } = await tx.query<Order>("insert into orders (cents) values ($1) returning id, cents", [cents]);
    await box.add(tx.client, { to: "orders", message: makeMessage({ body: JSON.stringify(rows[0]) }) });
    return rows[0];
  });
  return reply.code(202).send(order);
});

app.get<{ Params: { readonly id: number } }>("/orders/:id", async ({ params }, reply) => {
  const { rows } = await pool.query("select id, cents, state from orders where id = $1", [params.id]);
  return rows[0] ?? reply.code(404).send();
});

app.get("/health", async () => ({ consumer: consumer.health().status, relay: relay.health().status }));

app.addHook("onClose", async () => {
  await Promise.all([relay.stop(), consumer.stop()]);
  await transport.close();
  await pool.end();
});

const running = [relay.start(), consumer.start()];
// A consumer that ends for a reason no waiting cures takes the service along, for a supervisor to see.
Promise.all(running).catch((error: unknown) => {
  app.log.error(error);
  process.exitCode = 1;
  return app.close();
});
process.once("SIGTERM", () => void app.close()).once("SIGINT", () => void app.close());
console.log(`listening on ${await app.listen({ port: Number(process.env.PORT ?? 0), host: "127.0.0.1" })}`);
