import pg from "pg";
import { Unprocessable } from "../../src/domain/handler-errors.ts";
import type { Address } from "../../src/domain/message.ts";
import { createConsumer } from "../../src/index.ts";
import { kafkaTransport } from "../../src/kafka.ts";
import { pgDatabase, postgresBlockedKeys, postgresTransport } from "../../src/postgres.ts";
import { rabbitmqTransport } from "../../src/rabbitmq.ts";
import type { BlockedKeys } from "../../src/stores/blocked-keys.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { type Failpoint, pass } from "../chaos/failpoint.ts";

/** An ordered consumer, and where it dies: at that step, the time after so many. */
export interface OrderTask {
  readonly postgresUrl: string;
  readonly broker: OrderBroker;
  readonly queue: Address;
  readonly failpoint: Failpoint | null;
  readonly after: number;
}

/** Where the queue is. */
export type OrderBroker =
  | { readonly kind: "PostgreSQL" }
  | { readonly kind: "RabbitMQ"; readonly url: string }
  | { readonly kind: "Kafka"; readonly options: { brokers: readonly string[]; sessionTimeoutMs: number } };

/** What a message does to its handler. */
export interface Step {
  readonly key: string;
  /** Counts from 1 within a key. */
  readonly n: number;
  /** How often it fails before it succeeds. */
  readonly fails: number;
  readonly dies: boolean;
}

const task = JSON.parse(process.argv[2] ?? "{}") as OrderTask;
let passed = 0;

function dying<Answer>(step: string, run: () => Promise<Answer>): Promise<Answer> {
  if (step !== task.failpoint?.step) return run();
  passed += 1;
  return passed > task.after ? pass(step, task.failpoint, run) : run();
}

function dyingTransport(inner: Transport): Transport {
  return {
    broker: inner.broker,
    capabilities: inner.capabilities,
    send: (to, message, options) => dying("send", () => inner.send(to, message, options)),
    consume: (from, handle, options) => inner.consume(from, handle, options),
    close: () => inner.close(),
  };
}

/** Each question to the store is a step of its name. */
function dyingKeys(inner: BlockedKeys): BlockedKeys {
  return new Proxy(inner, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...of: unknown[]) => Promise<unknown>;
      return (...of: unknown[]) => dying(String(name), () => Reflect.apply(method, target, of));
    },
  });
}

function text(body: Uint8Array): string {
  return Buffer.from(body).toString();
}

function connect(broker: OrderBroker): Transport {
  if (broker.kind === "RabbitMQ") return rabbitmqTransport({ url: broker.url });
  if (broker.kind === "Kafka")
    return kafkaTransport({ ...broker.options, partitions: 2, retryWaitsMs: [0, 200, 1_000] });
  return postgresTransport({ database, pollMs: 50 });
}

const pool = new pg.Pool({ connectionString: task.postgresUrl });
const database = pgDatabase(pool);
const transport = dyingTransport(connect(task.broker));
const consumer = createConsumer<Step>({
  ...{ transport, queue: task.queue, order: "key", concurrency: 4, prefetch: 8, leaseMs: 1_000, breaker: false },
  blockedKeys: dyingKeys(postgresBlockedKeys({ database })),
  retry: { maxAttempts: 20, backoff: { strategy: "fixed", delayMs: 200 }, budget: false },
  // A process that dies at every other message makes suspects of them all.
  poison: { crashes: 20, sameFailures: 20 },
  deadLetter: { returnDelayMs: 200 },
  observers: [{ event: (event) => console.log(event.type, "message" in event ? text(event.message.body) : "") }],
  async handler({ payload: { key, n, fails, dies } }) {
    if (dies) throw new Unprocessable("It never works");
    const { rows } = await pool.query<{ failed: number }>(
      "insert into failures values ($1, $2, 1) on conflict (key, n) do update set failed = failures.failed + 1 returning failed",
      [key, n],
    );
    if ((rows[0]?.failed ?? 0) <= fails)
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    await pool.query("insert into effects (key, n) values ($1, $2)", [key, n]);
  },
});
await consumer.start();
