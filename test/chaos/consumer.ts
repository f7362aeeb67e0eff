import type { PoolClient } from "pg";
import { createConsumer } from "../../src/runtime/consumer.ts";
import type { ConsumerOptions } from "../../src/runtime/consumer-options.ts";
import { postgresInbox } from "../../src/stores/postgres-inbox.ts";
import { armedDatabase } from "./armed-database.ts";
import { type Books, openBooks } from "./books.ts";
import type { BrokerDriver } from "./broker-driver.ts";
import type { BrokerName } from "./brokers.ts";
import type { ConsumerSettings } from "./consumer-process.ts";
import { type Note, noteOf } from "./note.ts";
import type { Order } from "./order.ts";
import { orderHandler } from "./order-handler.ts";

/** One consumer as a process of its own: settings in, a line of JSON out for each event, SIGTERM to stop. */

/** Each alone: processes are killed by the hundred, and all clients together take twice as long to load as one. */
const drivers: Readonly<Record<BrokerName, () => Promise<BrokerDriver>>> = {
  postgres: async () => (await import("./postgres-driver.ts")).postgresDriver,
  rabbitmq: async () => (await import("./rabbitmq-driver.ts")).rabbitmqDriver,
  kafka: async () => (await import("./kafka-driver.ts")).kafkaDriver,
  nats: async () => (await import("./nats-driver.ts")).natsDriver,
  redis: async () => (await import("./redis-driver.ts")).redisDriver,
  sqs: async () => (await import("./sqs-driver.ts")).sqsDriver,
};

// Written by ConsumerProcess.
const settings = JSON.parse(process.argv[2] ?? "{}") as ConsumerSettings;
const driver = await drivers[settings.broker]();
const books = openBooks(settings.booksUrl, settings.concurrency + 2);
const connection = await driver.connect(settings.url, settings.failpoint);
const consumer = createConsumer<Order, PoolClient | undefined>({
  transport: connection.transport,
  queue: driver.queue(settings.queue),
  handler: orderHandler(settings.queue, books),
  ...optionsOf(settings),
  ...(settings.inbox && { inbox: { store: inboxIn(books) } }),
});

process.once("SIGTERM", () => void stop());
// Whoever started us is gone: nobody will ever stop us.
process.stdin.once("end", () => process.exit(1)).resume();
await consumer.start();

async function stop(): Promise<void> {
  await consumer.stop();
  await connection.close();
  await books.close();
  process.stdin.destroy();
}

function optionsOf({ leaseMs, timeLimitMs, concurrency, prefetch }: ConsumerSettings) {
  return {
    ...{ leaseMs, timeLimitMs, concurrency, prefetch },
    drainMs: 5_000,
    // Whether a retry fits the budget is a question of load, and would only blur what kills do.
    retry: { backoff: { strategy: "exponential", initialMs: 50, maxMs: 500 }, budget: false },
    // Short, or the last failing orders would be tried one by one for minutes.
    breaker: { recoveryMs: 100 },
    deadLetter: { returnDelayMs: 500 },
    observers: [{ event: (event) => tell(noteOf(event)) }],
  } satisfies Partial<ConsumerOptions>;
}

/** Writing to a pipe waits until it is written: what was told before a kill has been told. */
function tell(note: Omit<Note, "atMs"> | undefined): void {
  const atMs = Math.round(performance.now());
  if (note) process.stdout.write(`${JSON.stringify({ ...note, atMs })}\n`);
}

/** Its steps are those of an inbox, whatever the statements: begin, remember, and the transaction's commit. */
function inboxIn({ database }: Books) {
  const stepOf = (sql: string) => {
    if (sql.includes("begin_inbox_turn")) return "begin-turn";
    return sql.includes("inbox as known") ? "remember" : undefined;
  };
  return postgresInbox({ database: armedDatabase(database, settings.failpoint, stepOf) });
}
