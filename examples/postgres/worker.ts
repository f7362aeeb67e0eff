/** A service as it is deployed: charges orders once each, tells how it is, and stops cleanly on SIGTERM. */
import { createServer } from "node:http";
import { createConsumer, Unprocessable } from "dead-letter-office";
import { pgDatabase, postgresInbox, postgresSharedState, postgresTransport } from "dead-letter-office/postgres";
import pg from "pg";
import { z } from "zod";

const concurrency = 10;
// One connection for each handler at work, and a few for the transport.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: concurrency + 5 });
await pool.query("create table if not exists payments (order_id integer, cents integer)");

const database = pgDatabase(pool);
const transport = postgresTransport({ database });

const consumer = createConsumer({
  transport,
  queue: "orders",
  service: "payments",
  version: "1.0.0",
  concurrency,
  schema: z.object({ id: z.number().int(), cents: z.number().int() }),
  inbox: { store: postgresInbox({ database }) },
  breaker: { name: "payments", store: postgresSharedState({ database }) },
  handler: async ({ payload: { id, cents }, tx, log }) => {
    if (cents <= 0) throw new Unprocessable("an order must cost something");
    await tx.query("insert into payments values ($1, $2)", [id, cents]);
    log.info("charged", { id });
  },
  observers: [
    {
      event(event) {
        if (event.type === "dead-lettered") console.error(`dead letter: ${event.reason}, in ${event.to.name}`);
        if (event.type === "incident") console.error(`${event.incident.kind}: ${String(event.incident.error)}`);
      },
    },
  ],
});

const health = createServer((_request, response) => {
  const { status, inHand } = consumer.health();
  response.statusCode = status === "stalled" || status === "stopped" ? 503 : 200;
  response.end(JSON.stringify({ status, inHand }));
}).listen(Number(process.env.PORT ?? 0), "127.0.0.1");

// The supervisor should allow more time than `drainMs`, which is 30 s.
process.once("SIGTERM", () => void consumer.stop());

console.log("working");
await consumer.start(); // until it is stopped
await transport.close();
await pool.end();
health.close();
console.log("stopped");
