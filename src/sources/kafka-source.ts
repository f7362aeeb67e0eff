import type { Address } from "../domain/message.ts";
import { parseKafkaAddress } from "../inspectors/kafka/kafka-address.ts";
import { systemHost } from "../system/host.ts";
import { type KafkaDriver, KafkaFault, type Position } from "../transports/kafka/driver.ts";
import { PlatformaticDriver } from "../transports/kafka/platformatic/driver.ts";
import { kafkaTransport } from "../transports/kafka/transport.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";
import type { QueueCondition } from "./queue-condition.ts";

const officeGroup = "dlo-office";
const answerWithinMs = 10_000;

export async function openKafka({ url }: OpenParts): Promise<OpenedSource> {
  const { brokers, tls, sasl } = parseKafkaAddress(url);
  // The office sends nothing back to wait, but a consumer of ours needs its retry topics: as few as there can be.
  const transport = kafkaTransport({
    brokers: brokers.map(({ host, port }) => `${host}:${port}`),
    ...(tls === undefined ? {} : { tls }),
    ...(sasl === undefined ? {} : { sasl }),
    retryWaitsMs: [0, 1_000],
  });
  const looking = { clientId: "dlo-office", addressOf: <Same>(broker: Same) => broker, answerWithinMs };
  const driver = new PlatformaticDriver({ ...looking, brokers, tls, sasl }, systemHost);
  return {
    transport,
    group: officeGroup,
    addressOf: (queue) => addressOf(driver, queue),
    look: (queue) => look(driver, queue),
    async watch(queue) {
      const address = await addressOf(driver, queue);
      const ends = address === null ? [] : await endsOf(driver, address.name);
      return async () => {
        const group = address?.group;
        return group !== undefined && (await behind(driver, group, ends)) === 0;
      };
    },
    async close() {
      await Promise.all([transport.close(), driver.close()]);
    },
  };
}

/** A queue of ours is a topic and its group, `orders.billing`: the longest beginning that is a topic is the topic. */
async function addressOf(driver: KafkaDriver, queue: string): Promise<Address | null> {
  const names = [...queue.matchAll(/\./gu)].map(({ index }) => queue.slice(0, index));
  const topics = await driver.partitionCounts([...names, queue]);
  const name = [queue, ...names.reverse()].find((each) => topics.has(each));
  if (name === undefined) return null;
  return name === queue ? { name } : { name, group: queue.slice(name.length + 1) };
}

/** Whoever dead-letters on Kafka does so itself, as it did with the letter: where it went once it goes again. */
async function look(driver: KafkaDriver, queue: string): Promise<QueueCondition> {
  const address = await addressOf(driver, queue);
  if (address === null) return { address, keepsNextDeath: null, otherGroups: [], lag: null };
  const { name, group } = address;
  const ends = await endsOf(driver, name);
  const groups = await groupsReading(driver, ends);
  return {
    address,
    keepsNextDeath: true,
    // A letter of a foreign consumer does not say which of them failed: with more than one, the others get it too.
    otherGroups: group === undefined ? (groups.length > 1 ? groups : []) : groups.filter((each) => each !== group),
    lag: group === undefined ? null : await behind(driver, group, ends),
  };
}

async function endsOf(driver: KafkaDriver, topic: string): Promise<readonly Position[]> {
  const count = (await driver.partitionCounts([topic])).get(topic) ?? 0;
  const partitions = Array.from({ length: count }, (_, partition) => ({ topic, partition }));
  return Promise.all(partitions.map(async (at) => ({ ...at, offset: await driver.edgeOffset(at, "latest") })));
}

/** Groups that have ever committed anything there. */
async function groupsReading(driver: KafkaDriver, ends: readonly Position[]): Promise<readonly string[]> {
  const reading: string[] = [];
  for (const group of await driver.groups()) {
    const session = driver.session(group);
    try {
      if ((await session.committed(ends)).length > 0) reading.push(group);
    } finally {
      await session.close();
    }
  }
  return reading;
}

/** Records before these positions that the group has not committed. */
async function behind(driver: KafkaDriver, group: string, ends: readonly Position[]): Promise<number> {
  const session = driver.session(group);
  try {
    const committed = await session.committed(ends);
    const at = new Map(committed.map(({ partition, offset }) => [partition, offset]));
    const starts = await Promise.all(
      ends.map(async (end) => at.get(end.partition) ?? (await driver.edgeOffset(end, "earliest"))),
    );
    return ends.reduce((sum, { offset }, index) => sum + Math.max(0, offset - (starts[index] ?? 0)), 0);
  } catch (error) {
    if (error instanceof KafkaFault) return Number.POSITIVE_INFINITY;
    throw error;
  } finally {
    await session.close();
  }
}
