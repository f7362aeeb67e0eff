import pg from "pg";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Message } from "../../src/domain/message.ts";
import { done } from "../../src/domain/message.ts";
import { systemClock } from "../../src/system/host.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";

/** Where letters are sent to. */
export type UsedBroker =
  | { readonly kind: "postgres" }
  | { readonly kind: "rabbitmq"; readonly url: string }
  | { readonly kind: "kafka"; readonly brokers: readonly string[] };

/** On PostgreSQL the queues are in the database given. */
export async function openBroker(broker: UsedBroker, databaseUrl: string) {
  if (broker.kind === "postgres") {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    const transport = postgresTransport({ database: pgDatabase(pool) });
    const close = async () => {
      await transport.close();
      await pool.end();
    };
    return { transport, close };
  }
  const transport: Transport =
    broker.kind === "rabbitmq"
      ? rabbitmqTransport({ url: broker.url })
      : kafkaTransport({ brokers: broker.brokers, retryWaitsMs: [0, 1_000] });
  return { transport, close: () => transport.close() };
}

/** All that is in a queue: read until nothing came for a while, by somebody who has time. */
export async function readAll(transport: Transport, queue: string, atLeast: number): Promise<readonly Message[]> {
  const found: Message[] = [];
  const stop = new AbortController();
  let lastAt = systemClock.now();
  const options = { concurrency: 50, prefetch: 50, order: "none", leaseMs: 30_000, returnDelayMs: 1_000 } as const;
  const from = transport.broker === "kafka" ? { name: queue, group: "readers" } : { name: queue };
  const reading = transport.consume(
    from,
    async ({ message }) => {
      found.push(message);
      lastAt = systemClock.now();
      return done;
    },
    { ...options, signal: stop.signal },
  );
  const patience = () => (found.length < atLeast ? 30_000 : 3_000);
  while (systemClock.now() - lastAt < patience()) await new Promise((resolve) => setTimeout(resolve, 100));
  stop.abort();
  await reading;
  return found;
}
