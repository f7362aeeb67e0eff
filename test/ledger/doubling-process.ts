import pg from "pg";
import { createConsumer } from "../../src/index.ts";
import { pgDatabase, postgresBlockedKeys } from "../../src/postgres.ts";
import { rabbitmqTransport } from "../../src/rabbitmq.ts";
import { armedAmqp } from "../chaos/armed-amqp.ts";
import type { Failpoint } from "../chaos/failpoint.ts";

/** A consumer on RabbitMQ whose handler always fails, and where it dies. */
export interface DoublingTask {
  readonly url: string;
  /** Where its blocked keys are; null: it keeps no order. */
  readonly keysUrl: string | null;
  readonly queue: string;
  readonly maxAttempts: number;
  readonly failpoint: Failpoint | null;
}

const task = JSON.parse(process.argv[2] ?? "{}") as DoublingTask;
const { keysUrl, queue, maxAttempts, failpoint } = task;
const url = failpoint === null ? task.url : (await armedAmqp(task.url, failpoint)).url;
const transport = rabbitmqTransport({ url, acknowledge: "each", ...(keysUrl !== null && { orderedQueues: "all" }) });
const how = { concurrency: 1, prefetch: 1, breaker: false, deadLetter: { returnDelayMs: 200 } } as const;
const consumer = createConsumer({
  ...{ transport, queue, ...how, poison: { crashes: 20, sameFailures: 20 } },
  ...(keysUrl !== null && { order: "key", blockedKeys: postgresBlockedKeys({ database: databaseAt(keysUrl) }) }),
  retry: { maxAttempts, backoff: { strategy: "fixed", delayMs: 300 }, budget: false },
  async handler() {
    throw Object.assign(new Error("connect ECONNREFUSED payments:443"), { code: "ECONNREFUSED" });
  },
});
await consumer.start();

function databaseAt(connectionString: string) {
  return pgDatabase(new pg.Pool({ connectionString }));
}
