/** Sends as many orders as the first argument says, each with an idempotency key; every tenth costs nothing. */
import { makeMessage } from "dead-letter-office";
import { pgDatabase, postgresTransport } from "dead-letter-office/postgres";
import pg from "pg";

const count = Number(process.argv[2] ?? 10);
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
const transport = postgresTransport({ database: pgDatabase(pool, { listener: false }) });

const orders = Array.from({ length: count }, (_, index) => ({ id: index + 1, cents: index % 10 === 9 ? 0 : 250 }));
// Sends made at once go to the database together. Each resolves when its message is durable.
await Promise.all(
  orders.map((order) =>
    transport.send(
      { name: "orders" },
      makeMessage({ body: JSON.stringify(order), headers: { "idempotency-key": `order-${order.id}` } }),
    ),
  ),
);
console.log(`sent ${count} orders`);
await transport.close();
await pool.end();
