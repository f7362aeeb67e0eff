/**
 * Three orders: one is charged at once, one when the bank answers again, and one can never be charged: it ends in the
 * dead-letter queue, which another consumer empties here to show what is in it.
 */
import { createConsumer, headerText, makeMessage, Unprocessable } from "dead-letter-office";
import { sqsTransport } from "dead-letter-office/sqs";

interface Order {
  readonly id: number;
  readonly cents: number;
}

const orders: readonly Order[] = [
  { id: 1, cents: 250 },
  { id: 2, cents: 990 },
  { id: 3, cents: 0 },
];

// Without an endpoint it is Amazon's own SQS, in the region and with the credentials of the environment.
const endpoint = process.env.SQS_ENDPOINT ?? null;
const transport = sqsTransport({ endpoint, waitMs: 1_000 });
let unsettled = orders.length;

const payments = createConsumer<Order>({
  transport,
  queue: "orders",
  // SQS keeps a message meanwhile; its delays are whole seconds.
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
        unsettled -= 1;
        if (unsettled === 0) void payments.stop();
      },
    },
  ],
});

// Each resolves when SQS has the message. Messages sent together go ten with a request.
await Promise.all(
  orders.map((order) => transport.send({ name: "orders" }, makeMessage({ body: JSON.stringify(order) }))),
);
await payments.start(); // until it is stopped

const letters = createConsumer<Order>({
  transport,
  queue: "orders.dlq", // `orders-dlq` at SQS, which knows no dots
  handler: async ({ payload: { id }, message }) => {
    console.log(`order ${id} died of ${headerText(message.headers, "dlo-category")}`);
    void letters.stop();
  },
});
await letters.start();
await transport.close();
