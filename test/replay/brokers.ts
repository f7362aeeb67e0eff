import pg from "pg";
import { pgDatabase } from "../../src/databases/pg.ts";
import { showId } from "../../src/domain/ids.ts";
import type { Message } from "../../src/domain/message.ts";
import { done } from "../../src/domain/message.ts";
import { defaultSchema } from "../../src/schema/migrate.ts";
import { loggedLine } from "../../src/sources/logged-line.ts";
import { natsLine } from "../../src/sources/nats-line.ts";
import { natsView, placeOf } from "../../src/sources/nats-source.ts";
import { redisLine } from "../../src/sources/redis-source.ts";
import { markedLine, plainLine, type SendLine } from "../../src/sources/send-line.ts";
import { systemClock, systemHost } from "../../src/system/host.ts";
import type { KafkaDriver } from "../../src/transports/kafka/driver.ts";
import { PlatformaticDriver } from "../../src/transports/kafka/platformatic/driver.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { wordOf } from "../../src/transports/nats/names.ts";
import { natsTransport } from "../../src/transports/nats/transport.ts";
import { markedSends } from "../../src/transports/postgres/marked-sends.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { RedisConnection } from "../../src/transports/redis/connection.ts";
import { redisTransport } from "../../src/transports/redis/transport.ts";
import { sqsTransport } from "../../src/transports/sqs/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { sqsCredentials } from "../servers/elasticmq.ts";

/** Where letters are sent to. */
export type UsedBroker =
  | { readonly kind: "postgres" }
  | { readonly kind: "rabbitmq"; readonly url: string }
  | { readonly kind: "redis"; readonly url: string }
  | { readonly kind: "nats"; readonly url: string }
  | { readonly kind: "sqs"; readonly endpoint: string }
  | { readonly kind: "kafka"; readonly brokers: readonly string[] };

interface OpenedBroker {
  readonly transport: Transport;
  readonly line: (replay: Uint8Array) => SendLine;
  readonly close: () => Promise<void>;
}

/** On PostgreSQL the queues are in the database given. */
export async function openBroker(broker: UsedBroker, databaseUrl: string): Promise<OpenedBroker> {
  if (broker.kind === "postgres") {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    const database = pgDatabase(pool);
    const transport = postgresTransport({ database });
    const close = async () => {
      await transport.close();
      await pool.end();
    };
    const line = (replay: Uint8Array) =>
      markedLine(markedSends({ database, schema: defaultSchema, clock: systemClock, replay }));
    return { transport, line, close };
  }
  if (broker.kind === "kafka") return openKafka(broker.brokers);
  if (broker.kind === "redis") return openRedis(broker.url);
  if (broker.kind === "nats") return openNats(broker.url);
  const transport =
    broker.kind === "sqs"
      ? sqsTransport({ endpoint: broker.endpoint, credentials: sqsCredentials, waitMs: 1_000 })
      : rabbitmqTransport({ url: broker.url });
  const line = () => plainLine((name, message) => transport.send({ name }, message));
  return { transport, line, close: () => transport.close() };
}

/** The only ones who read there, and they are ours. */
const readers = "readers";

/** As the office has it to look at topics and to send letters back. */
export function kafkaDriver(brokers: readonly string[]): KafkaDriver {
  const addresses = brokers.map((broker) => {
    const [host = "", port] = broker.split(":");
    return { host, port: Number(port) };
  });
  const looking = { clientId: "test", answerWithinMs: 10_000, addressOf: <Same>(same: Same) => same };
  return new PlatformaticDriver({ ...looking, brokers: addresses, tls: undefined, sasl: undefined }, systemHost);
}

function openKafka(brokers: readonly string[]): OpenedBroker {
  const transport = kafkaTransport({ brokers, retryWaitsMs: [0, 1_000] });
  const driver = kafkaDriver(brokers);
  const plain = plainLine((name, message) => transport.send({ name }, message));
  const isOurs = async (queue: string) => queue.endsWith(`.${readers}`);
  return {
    transport,
    line: (replay) => loggedLine(driver, { replay, isOurs, plain, name: `dlo.${showId("replay", replay)}.test` }),
    async close() {
      await Promise.all([transport.close(), driver.close()]);
    },
  };
}

export function openRedis(url: string): OpenedBroker {
  const transport = redisTransport({ url });
  const way = { url, tls: null, name: "test", silenceMs: 10_000, random: systemHost.random };
  const connection = new RedisConnection(way);
  return {
    transport,
    line: (replay) => redisLine(connection, replay),
    async close() {
      await Promise.all([transport.close(), connection.close()]);
    },
  };
}

/** A stream for the queues of a test; the office makes none of a subject. */
export function openNats(url: string): OpenedBroker {
  const transport = natsTransport({ url });
  const view = natsView(url);
  const { connection } = view;
  const placed = async (queue: string) => {
    const place = await placeOf(view, queue).catch(() => null);
    if (place !== null) return place;
    await connection.manage((manager) => manager.streams.add({ name: wordOf(queue), subjects: [queue] }));
    return placeOf(view, queue);
  };
  return {
    transport,
    line: (replay) => natsLine(connection, { replay, clock: systemClock, placeOf: placed }),
    async close() {
      await Promise.all([transport.close(), connection.close()]);
    },
  };
}

/** All that is in a queue: read until nothing came for a while, by somebody who has time. */
export async function readAll(transport: Transport, queue: string, atLeast: number): Promise<readonly Message[]> {
  const found: Message[] = [];
  const stop = new AbortController();
  let lastAt = systemClock.now();
  const options = { concurrency: 50, prefetch: 50, order: "none", leaseMs: 30_000, returnDelayMs: 1_000 } as const;
  const from = transport.broker === "kafka" ? { name: queue, group: readers } : { name: queue };
  const reading = transport.consume(
    from,
    async ({ message }) => {
      found.push(message);
      lastAt = systemClock.now();
      return done;
    },
    { ...options, signal: stop.signal },
  );
  // Of a broker on a busy machine the first may come late.
  const patience = () => (found.length < atLeast ? 180_000 : 2_000);
  while (systemClock.now() - lastAt < patience()) await new Promise((resolve) => setTimeout(resolve, 100));
  stop.abort();
  await reading;
  return found;
}
