import { showId } from "../domain/ids.ts";
import { queueNames } from "../domain/wire.ts";
import { parseKafkaAddress } from "../inspectors/kafka/kafka-address.ts";
import { systemHost } from "../system/host.ts";
import { type KafkaDriver, KafkaFault, type Position } from "../transports/kafka/driver.ts";
import { PlatformaticDriver } from "../transports/kafka/platformatic/driver.ts";
import { kafkaTransport } from "../transports/kafka/transport.ts";
import { peekKafka } from "./kafka-peek.ts";
import { loggedLine } from "./logged-line.ts";
import type { OpenedSource, OpenParts } from "./opened-source.ts";
import type { QueueCondition } from "./queue-condition.ts";
import { plainLine } from "./send-line.ts";
import { addressOf, endsOf, groupsReading } from "./topic-readers.ts";

const officeGroup = "dlo-office";
const answerWithinMs = 10_000;

export async function openKafka({ url, source }: OpenParts): Promise<OpenedSource> {
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
  const plain = plainLine(async (queue, message) =>
    transport.send((await addressOf(driver, queue)) ?? { name: queue }, message),
  );
  return {
    transport,
    group: officeGroup,
    addressOf: (queue) => addressOf(driver, queue),
    line: (replay, isOurs) =>
      loggedLine(driver, { replay, isOurs, plain, name: `dlo.${showId("replay", replay)}.${source.name}` }),
    look: (queue) => look(driver, queue),
    async watch(queue) {
      const address = await addressOf(driver, queue);
      const ends = address === null ? [] : await endsOf(driver, address.name);
      return async () => {
        const group = address?.group;
        return group !== undefined && (await behind(driver, group, ends)) === 0;
      };
    },
    countBeside: (queue) => countBeside(driver, queue),
    peek: (queue, limits) => peekKafka(driver, queue, limits, officeGroup),
    keepsDrained: async () => true,
    async close() {
      await Promise.all([transport.close(), driver.close()]);
    },
  };
}

/** Whoever dead-letters on Kafka does so itself, as it did with the letter: where it went once it goes again. */
async function look(driver: KafkaDriver, queue: string): Promise<QueueCondition> {
  const address = await addressOf(driver, queue);
  if (address === null) return { address, keepsNextDeath: null, keepsOrder: null, otherGroups: [], lag: null };
  const { name, group } = address;
  const ends = await endsOf(driver, name);
  const groups = await groupsReading(driver, ends);
  return {
    address,
    keepsNextDeath: true,
    // Without a key any partition gets it.
    keepsOrder: "by_key",
    // A letter of a foreign consumer does not say which of them failed: with more than one, the others get it too.
    otherGroups: group === undefined ? (groups.length > 1 ? groups : []) : groups.filter((each) => each !== group),
    lag: group === undefined ? null : await behind(driver, group, ends),
  };
}

/** In the topics of its group alone: what that has not committed there. */
async function countBeside(driver: KafkaDriver, queue: string): Promise<number | null> {
  const group = (await addressOf(driver, queue))?.group;
  const isBeside = (topic: string) =>
    topic === queueNames.parked(queue) || topic.startsWith(queueNames.retry(queue, ""));
  const topics = [...(await driver.partitionCounts("all")).keys()].filter(isBeside);
  if (topics.length === 0) return 0;
  if (group === undefined) return null;
  const ends = await Promise.all(topics.map((topic) => endsOf(driver, topic)));
  return behind(driver, group, ends.flat());
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
