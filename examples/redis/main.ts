/**
 * Three orders: one is charged at once, one when the bank answers again, and one can never be charged: it ends in the
 * dead-letter stream. The warehouse reads the same stream in a group of its own, and gets each order once.
 */
import { createConsumer, makeMessage, Unprocessable } from "dead-letter-office";
import { redisTransport } from "dead-letter-office/redis";

interface Order {
  readonly id: number;
  readonly cents: number;
}

const orders: readonly Order[] = [
  { id: 1, cents: 250 },
  { id: 2, cents: 990 },
  { id: 3, cents: 0 },
];

const transport = redisTransport({ url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" });
const unsettled = { payments: orders.length, warehouse: orders.length };

const payments = createConsumer<Order>({
  transport,
  // A stream, and the group that reads it: retries and dead letters are this group's alone.
  queue: { name: "orders", group: "payments" },
  // Redis keeps a message meanwhile, in a sorted set; nobody here waits for it.
  retry: { maxAttempts: 5, backoff: { strategy: "exponential", initialMs: 200 } },
  handler: async ({ payload: { id, cents }, attempt }) => {
    if (cents <= 0) throw new Unprocessable("an order must cost something");
    if (id === 2 && attempt < 3) throw Object.assign(new Error("the bank is away"), { code: "ECONNREFUSED" });
    console.log(`order ${id}: charged ${cents} cents, attempt ${attempt}`);
  },
  observers: [
    {
      event(event) {
        if (event.type === "retried") console.log(`the bank is away: again in ${event.delayMs} ms`);
        if (event.type === "dead-lettered") console.log(`dead letter in ${event.to.name}: ${event.reason}`);
        if (event.type !== "attempt-succeeded" && event.type !== "dead-lettered") return;
        unsettled.payments -= 1;
        if (unsettled.payments === 0) void payments.stop();
      },
    },
  ],
});

const warehouse = createConsumer<Order>({
  transport,
  queue: { name: "orders", group: "warehouse" },
  handler: async ({ payload: { id } }) => {
    console.log(`order ${id}: packed`);
    unsettled.warehouse -= 1;
    if (unsettled.warehouse === 0) void warehouse.stop();
  },
});

// Each resolves when Redis has the message: on disk, with `appendonly yes` and `appendfsync always`.
for (const order of orders) await transport.send({ name: "orders" }, makeMessage({ body: JSON.stringify(order) }));
await Promise.all([payments.start(), warehouse.start()]); // until they are stopped
await transport.close();
