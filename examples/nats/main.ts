/**
 * Three orders: one is charged at once, one when the bank answers again, and one can never be charged: it ends in the
 * dead-letter queue. The warehouse reads the same subject in a group of its own, and gets each order once.
 */
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { createConsumer, makeMessage, Unprocessable } from "dead-letter-office";
import { natsTransport } from "dead-letter-office/nats";

interface Order {
  readonly id: number;
  readonly cents: number;
}

const orders: readonly Order[] = [
  { id: 1, cents: 250 },
  { id: 2, cents: 990 },
  { id: 3, cents: 0 },
];

const url = process.env.NATS_URL ?? "nats://127.0.0.1:4222";
const transport = natsTransport({ url });
const unsettled = { payments: orders.length, warehouse: orders.length };

const payments = createConsumer<Order>({
  transport,
  // A subject, and the group that reads it: retries and dead letters are this group's alone.
  queue: { name: "orders.paid", group: "payments" },
  // NATS keeps a message meanwhile, in a stream; nobody here waits for it.
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
  queue: { name: "orders.paid", group: "warehouse" },
  handler: async ({ payload: { id } }) => {
    console.log(`order ${id}: packed`);
    unsettled.warehouse -= 1;
    if (unsettled.warehouse === 0) void warehouse.stop();
  },
});

// Each group gets every message of a stream like this one. A stream that the transport makes by itself is for one group.
const client = await connect({ servers: url });
await (await jetstreamManager(client)).streams.add({ name: "ORDERS", subjects: ["orders.*"] });
await client.close();

// Each resolves when the stream has the message.
for (const order of orders) await transport.send({ name: "orders.paid" }, makeMessage({ body: JSON.stringify(order) }));
await Promise.all([payments.start(), warehouse.start()]); // until they are stopped
await transport.close();
