/**
 * Three orders: one is charged at once, one when the bank answers again, and one can never be charged: it ends in the
 * dead-letter queue, with everything that is known about it.
 */
import { createConsumer, makeMessage, Unprocessable } from "dead-letter-office";
import { rabbitmqTransport } from "dead-letter-office/rabbitmq";

interface Order {
  readonly id: number;
  readonly cents: number;
}

const orders: readonly Order[] = [
  { id: 1, cents: 250 },
  { id: 2, cents: 990 },
  { id: 3, cents: 0 },
];

const transport = rabbitmqTransport({ url: process.env.RABBITMQ_URL ?? "amqp://guest:guest@localhost" });
let settled = 0;

const consumer = createConsumer<Order>({
  transport,
  queue: "orders",
  // RabbitMQ keeps a message meanwhile, in a queue for that delay; nobody here waits for it.
  retry: { maxAttempts: 5, backoff: { strategy: "exponential", initialMs: 200 } },
  handler: async ({ payload: { id, cents }, attempt }) => {
    if (cents <= 0) throw new Unprocessable("an order must cost something");
    if (id === 2 && attempt < 3) throw Object.assign(new Error("the bank is away"), { code: "ECONNREFUSED" });
    console.log(`order ${id}: charged ${cents} cents, attempt ${attempt}`);
  },
  observers: [
    {
      event(event) {
        if (event.type === "retried") console.log(`the bank is away: again in about ${event.delayMs} ms`);
        if (event.type === "dead-lettered") console.log(`dead letter in ${event.to.name}: ${event.reason}`);
        if (event.type !== "attempt-succeeded" && event.type !== "dead-lettered") return;
        settled += 1;
        if (settled === orders.length) void consumer.stop();
      },
    },
  ],
});

// Each resolves when RabbitMQ has the message on disk.
for (const order of orders) await transport.send({ name: "orders" }, makeMessage({ body: JSON.stringify(order) }));
await consumer.start(); // until it is stopped
await transport.close();
