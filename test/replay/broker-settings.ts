import { expect } from "vitest";
import { createConsumer, makeMessage } from "../../src/index.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { natsTransport } from "../../src/transports/nats/transport.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { redisTransport } from "../../src/transports/redis/transport.ts";
import { sqsTransport } from "../../src/transports/sqs/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { type FaultProxy, startFaultProxy } from "../faults/proxy.ts";
import { noSqs, sqsCredentials } from "../servers/elasticmq.ts";
import { noKafka } from "../servers/kafka.ts";
import { noNats } from "../servers/nats.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { noRedis } from "../servers/redis.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { useNats } from "../servers/use-nats.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { useRedis } from "../servers/use-redis.ts";
import { useSqs } from "../servers/use-sqs.ts";

/** Why not all of them can be had here, or undefined. */
export const noBroker = noPostgres ?? noRabbitmq ?? noKafka ?? noNats ?? noRedis ?? noSqs;

export const brokers: readonly string[] = ["rabbitmq", "kafka", "sqs", "nats", "redis", "postgres"];

/** A server of each broker, for all tests of a file. */
export function useBrokers(): Servers {
  const [postgres, rabbitmq, kafka] = [usePostgres(), useRabbitmq(), useKafka()];
  return { postgres, rabbitmq, kafka, nats: useNats(), redis: useRedis(), sqs: useSqs() };
}

/** A broker with the office behind a network that can break; its consumer is not. */
export interface Setting {
  readonly broker: string;
  readonly queue: { readonly name: string; readonly group?: string };
  readonly letters: string;
  /** What the configuration says, through the proxy. */
  readonly config: string;
  readonly proxies: readonly FaultProxy[];
  /** Whom nobody could ask. */
  readonly where: string;
  open(): Transport;
}

interface Servers {
  readonly rabbitmq: ReturnType<typeof useRabbitmq>;
  readonly kafka: ReturnType<typeof useKafka>;
  readonly sqs: ReturnType<typeof useSqs>;
  readonly nats: ReturnType<typeof useNats>;
  readonly redis: ReturnType<typeof useRedis>;
  readonly postgres: ReturnType<typeof usePostgres>;
}

const proxyTo = (url: string) => startFaultProxy({ port: Number(new URL(url).port) });

export async function makeSettings(name: string, servers: Servers): Promise<readonly Setting[]> {
  const { rabbitmq, kafka, sqs, nats, redis, postgres } = servers;
  const [ofRabbit, ofManagement] = [await proxyTo(rabbitmq.url), await proxyTo(rabbitmq.managementUrl)];
  const sqsUrl = new URL(sqs.endpoint);
  Object.assign(sqsUrl, { username: sqsCredentials.accessKeyId, password: sqsCredentials.secretAccessKey });
  const [bootstrap = ""] = kafka.brokers;
  const ofKafka = await proxyTo(`kafka://${bootstrap}`);
  const [ofRedis, ofNats] = [await proxyTo(redis.url), await proxyTo(nats.url)];
  const [ofSqs, ofPostgres] = [await proxyTo(sqs.endpoint), await proxyTo(postgres.url)];
  const ours = { name, group: "billing" };
  const at = (proxy: FaultProxy) => `127.0.0.1:${proxy.port}`;
  const of = (broker: string, proxy: FaultProxy, url: string) => ({
    ...{ broker, proxies: [proxy], where: at(proxy), config: `broker: ${broker}, url: "${url}"` },
  });
  return [
    {
      ...{ broker: "rabbitmq", queue: { name }, letters: `${name}.dlq`, proxies: [ofRabbit, ofManagement] },
      ...{ where: at(ofRabbit), open: () => rabbitmqTransport({ url: rabbitmq.url }) },
      config: `broker: rabbitmq, url: "${ofRabbit.through(rabbitmq.url)}", management: "${ofManagement.through(rabbitmq.managementUrl)}"`,
    },
    {
      ...of("kafka", ofKafka, `kafka://${at(ofKafka)}`),
      ...{ queue: ours, letters: `${name}.billing.dlq` },
      open: () => kafkaTransport({ brokers: kafka.brokers, retryWaitsMs: [0, 1_000] }),
    },
    {
      ...of("sqs", ofSqs, ofSqs.through(sqsUrl.href)),
      ...{ queue: { name }, letters: `${name}-dlq` },
      open: () => sqsTransport({ endpoint: sqs.endpoint, credentials: sqsCredentials, waitMs: 1_000 }),
    },
    {
      ...of("nats", ofNats, ofNats.through(nats.url)),
      ...{ queue: ours, letters: `${name}.billing.dlq`, open: () => natsTransport({ url: nats.url }) },
    },
    {
      ...of("redis", ofRedis, ofRedis.through(redis.url)),
      ...{ queue: ours, letters: `${name}.billing.dlq`, open: () => redisTransport({ url: redis.url }) },
    },
    {
      ...of("postgres", ofPostgres, ofPostgres.through(postgres.url)),
      ...{ queue: { name }, letters: `${name}.dlq` },
      open: () => postgresTransport({ database: postgres.database }),
    },
  ];
}

/** A letter of its queue that is dead and not drained yet. */
export async function failOne({ queue, open }: Setting): Promise<void> {
  const transport = open();
  let isDead = false;
  const consumer = createConsumer({
    ...{ transport, queue, retry: { maxAttempts: 1 }, breaker: false },
    observers: [{ event: ({ type }) => (isDead ||= type === "dead-lettered") }],
    handler: () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
  });
  void consumer.start();
  await transport.send(queue, makeMessage({ body: '{"order":"o-1"}' }));
  await eventually(() => expect(isDead).toBe(true), { withinMs: 60_000 });
  await consumer.stop();
  await transport.close();
}
