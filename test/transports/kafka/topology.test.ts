import { expect, it } from "vitest";
import { isOfficeError } from "../../../src/domain/errors.ts";
import { done, makeMessage } from "../../../src/domain/message.ts";
import { queueNames } from "../../../src/domain/wire.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noKafka } from "../../servers/kafka.ts";
import { useKafka } from "../../servers/use-kafka.ts";
import { consume, open, ownQueue } from "./bench.ts";
import { withAdmin } from "./oracle.ts";

const soon = { withinMs: 120_000 };

describeServer("Kafka topics", noKafka, () => {
  const kafka = useKafka();

  it("refuses a topic that does not exist where it may not make it", async () => {
    const queue = ownQueue();
    const transport = open({ ...kafka, topology: "check" });
    const isRefused = (error: unknown) => isOfficeError(error, "QUEUE_NOT_FOUND");
    await expect(transport.send(queue, makeMessage({}))).rejects.toSatisfy(isRefused);
    const consuming = transport.consume(queue, async () => done, {
      ...{ concurrency: 1, prefetch: 1, order: "none", leaseMs: 1_000, returnDelayMs: 100 },
      signal: new AbortController().signal,
    });
    await expect(consuming).rejects.toSatisfy(isRefused);
  });

  it("refuses a queue without a group, where nobody would read what waits", async () => {
    const { name } = ownQueue();
    const transport = open(kafka);
    const isRefused = (error: unknown) => isOfficeError(error, "INVALID_OPTION");
    await expect(transport.send({ name }, makeMessage({}), { delayMs: 5 })).rejects.toSatisfy(isRefused);
    await expect(consume(transport, { name }).stop()).rejects.toSatisfy(isRefused);
  });

  it("makes topics that keep everything, and retry topics that go by the broker's clock and match their queue", async () => {
    const queue = ownQueue();
    const transport = open({ ...kafka, partitions: 3 });
    const received = consume(transport, queue, async ({ message }) => ({
      ...{ kind: "dead-letter", message },
      to: { name: queueNames.deadLetters(`${queue.name}.${queue.group}`) },
    }));
    await transport.send(queue, makeMessage({ body: "x" }));
    await received.until(1);
    const topics = [`${queue.name}.${queue.group}.dlq`, `${queue.name}.${queue.group}.retry.60s`];
    const [letters, retries] = await configurations(kafka.brokers, topics);
    expect(letters).toMatchObject({ "retention.ms": "-1", "cleanup.policy": "delete" });
    expect(retries).toMatchObject({ "retention.ms": "-1", "message.timestamp.type": "LogAppendTime" });
    const counts = await withAdmin(kafka.brokers, (admin) => admin.fetchTopicMetadata({ topics }));
    expect(counts.topics.find(({ name }) => name === topics[1])?.partitions.length).toBe(3);
  });

  it("widens its retry topics when its topic has got more partitions", async () => {
    const queue = ownQueue();
    const first = consume(open({ ...kafka, partitions: 1 }), queue);
    await eventually(
      async () => (await partitionsOf(kafka.brokers, `${queue.name}.${queue.group}.retry.0s`)) === 1,
      soon,
    );
    await first.stop();
    await withAdmin(kafka.brokers, (admin) =>
      admin.createPartitions({ topicPartitions: [{ topic: queue.name, count: 2 }] }),
    );
    await eventually(async () => (await partitionsOf(kafka.brokers, queue.name)) === 2, soon);
    consume(open({ ...kafka, partitions: 1 }), queue);
    await eventually(
      async () => (await partitionsOf(kafka.brokers, `${queue.name}.${queue.group}.retry.0s`)) === 2,
      soon,
    );
  });
});

async function partitionsOf(brokers: readonly string[], topic: string): Promise<number> {
  const { topics } = await withAdmin(brokers, (admin) => admin.fetchTopicMetadata({ topics: [topic] }));
  return topics[0]?.partitions.length ?? 0;
}

/** How topics are configured, once they are there. */
async function configurations(brokers: readonly string[], topics: readonly string[]) {
  let described: Record<string, string>[] = [];
  await eventually(async () => {
    const resources = topics.map((name) => ({ type: 2, name }));
    const answer = await withAdmin(brokers, (admin) => admin.describeConfigs({ resources, includeSynonyms: false }));
    described = answer.resources.map(({ configEntries }) =>
      Object.fromEntries(configEntries.map(({ configName, configValue }) => [configName, configValue])),
    );
  }, soon);
  return described;
}
