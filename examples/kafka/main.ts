/**
 * Orders of two customers, in order for each of them. The bank is away when Ada's first order comes: it waits for a
 * retry, her second waits behind it, and Bob's goes on. His second can never be charged: it ends in the dead-letter
 * topic, with everything that is known about it.
 */
import { createConsumer, makeMessage, memoryBlockedKeys, Unprocessable } from "dead-letter-office";
import { kafkaTransport } from "dead-letter-office/kafka";

interface Order {
  readonly id: string;
  readonly customer: string;
  readonly cents: number;
}

const orders: readonly Order[] = [
  { id: "Ada's first", customer: "ada", cents: 250 },
  { id: "Ada's second", customer: "ada", cents: 990 },
  { id: "Bob's first", customer: "bob", cents: 100 },
  { id: "Bob's second", customer: "bob", cents: 0 },
];

const transport = kafkaTransport({ brokers: (process.env.KAFKA_BROKERS ?? "127.0.0.1:9092").split(",") });
let settled = 0;

const consumer = createConsumer<Order>({
  transport,
  // A topic, and the group that reads it: retries and dead letters are this group's alone.
  queue: { name: "orders", group: "payments" },
  order: "key",
  // In a service of several processes: postgresBlockedKeys.
  blockedKeys: memoryBlockedKeys(),
  concurrency: 10,
  prefetch: 100,
  // Kafka keeps a message meanwhile, in a topic for that wait; nobody here waits for it.
  retry: { maxAttempts: 5, backoff: { strategy: "fixed", delayMs: 1_000 } },
  handler: async ({ payload: { id, cents }, attempt }) => {
    if (cents <= 0) throw new Unprocessable("an order must cost something");
    if (id === "Ada's first" && attempt < 3) throw Object.assign(new Error("no answer"), { code: "ECONNREFUSED" });
    console.log(`${id}: charged ${cents} cents, attempt ${attempt}`);
  },
  observers: [
    {
      event(event) {
        if (event.type === "retried") console.log(`the bank is away: again in ${event.delayMs} ms`);
        if (event.type === "dead-lettered") console.log(`dead letter in ${event.to.name}: ${event.reason}`);
        if (event.type !== "attempt-succeeded" && event.type !== "dead-lettered") return;
        settled += 1;
        if (settled === orders.length) void consumer.stop();
      },
    },
  ],
});

// Each resolves when all replicas in sync have the message. Messages of one key go to one partition.
for (const order of orders) {
  await transport.send({ name: "orders" }, makeMessage({ key: order.customer, body: JSON.stringify(order) }));
}
await consumer.start(); // until it is stopped
await transport.close();
