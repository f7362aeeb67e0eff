import { type Address, type Message, queueName } from "../../src/domain/message.ts";
import { queueNames } from "../../src/domain/wire.ts";
import { systemHost } from "../../src/system/host.ts";
import type {
  GroupSession,
  KafkaBrokerAddress,
  KafkaDriver,
  TopicPartition,
} from "../../src/transports/kafka/driver.ts";
import { PlatformaticDriver } from "../../src/transports/kafka/platformatic/driver.ts";
import { Progress } from "../../src/transports/kafka/progress.ts";
import { decodeRecord } from "../../src/transports/kafka/record-codec.ts";
import { kafkaCapabilities, kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { noKafkaServer, startKafka } from "../servers/kafka.ts";
import { noPostgres } from "../servers/postgres.ts";
import { makeTopic, withAdmin } from "../transports/kafka/oracle.ts";
import { armedKafka, kafkaFailpoints } from "./armed-kafka.ts";
import type { BrokerDriver, Connection, Resting } from "./broker-driver.ts";

const partitions = 4;

export const kafkaDriver: BrokerDriver = {
  label: "Kafka",
  missing: noKafkaServer ?? noPostgres,
  capabilities: kafkaCapabilities,
  queue: addressOf,
  failpoints: kafkaFailpoints,

  async connect(url, failpoint) {
    if (failpoint === undefined) return connectTo(url);
    const armed = await armedKafka(parseAddress(url), failpoint);
    const { transport, close } = connectTo(url, () => armed.address);
    return {
      transport,
      async close() {
        await close();
        armed.close();
      },
    };
  },

  async start() {
    const server = await startKafka();
    return {
      url: server.brokers.join(","),
      booksUrl: undefined,
      kill: () => server.kill(),
      start: () => server.start(),
      prepare: (queue) => prepare(server.brokers, queue),
      depth: (queue) => depthOf(server.brokers, queue),
      resting: (queue) => restingIn(server.brokers, queue),
      close: () => server.close(),
    };
  },
};

/** What queues are called whose names Kafka does not take as they are. */
const spelt = new Map<string, string>();

function addressOf(name: string): Address {
  const topic = name.replaceAll(/[^\w.-]/g, "_");
  spelt.set(topic, name);
  return { name: topic, group: "shop" };
}

/** Impatient: that a process was killed, or that nobody answers any more, should show within a test. */
function connectTo(url: string, addressOf?: () => KafkaBrokerAddress): Connection {
  const patience = { sessionTimeoutMs: 2_000, answerWithinMs: 3_000 };
  const retryWaitsMs = [0, 250, 1_000, 4_000];
  const ways = addressOf === undefined ? {} : { addressOf };
  const transport = kafkaTransport({ brokers: url.split(","), partitions, retryWaitsMs, ...patience, ...ways });
  return { transport, close: () => transport.close() };
}

/** Its own topic and those of dead letters; the retry topics are made by the first consumer. */
async function prepare(brokers: readonly string[], queue: Address): Promise<void> {
  const around = [queueNames.deadLetters(queueName(queue)), queueNames.quarantine(queueName(queue), "poison")];
  const configuration = { "retention.ms": "-1", "max.message.bytes": "10485760" };
  for (const topic of [queue.name, ...around]) await makeTopic(brokers, topic, { partitions, configuration });
}

/** A partition, as another client knows it, and how far the group has worked it off. */
interface Standing extends TopicPartition {
  readonly end: number;
  readonly progress: Progress<never>;
}

async function depthOf(brokers: readonly string[], queue: Address): Promise<number> {
  const retries = queueNames.retry(queueName(queue), "");
  const isWork = (topic: string) => topic === queue.name || topic.startsWith(retries);
  const standings = await standingsOf(brokers, queue, isWork);
  return standings.reduce((sum, one) => sum + [...unfinishedIn(one)].length, 0);
}

/**
 * Of its own topic and those around it, as far as they are wanted. Commits are read before ends: what was finished since
 * it went on to another topic is there by then, and is never missed in both.
 */
function standingsOf(
  brokers: readonly string[],
  queue: Address,
  isWanted: (topic: string) => boolean = () => true,
): Promise<Standing[]> {
  return withAdmin(brokers, async (admin) => {
    const around = (topic: string) => topic === queue.name || topic.startsWith(`${queueName(queue)}.`);
    const topics = (await admin.listTopics()).filter((topic) => around(topic) && isWanted(topic));
    const commits = await admin.fetchOffsets({ groupId: queue.group ?? "", topics });
    const found = topics.map(async (topic) => {
      const ends = await admin.fetchTopicOffsets(topic);
      const committed = commits.find((one) => one.topic === topic)?.partitions ?? [];
      return ends.map((end) => standing(topic, end, committed));
    });
    return (await Promise.all(found)).flat();
  });
}

function standing(
  topic: string,
  { partition, low, high }: { partition: number; low: string; high: string },
  committed: readonly { partition: number; offset: string; metadata: string | null }[],
): Standing {
  const commit = committed.find((one) => one.partition === partition);
  const offset = Math.max(Number(low), Number(commit?.offset ?? -1));
  return { topic, partition, end: Number(high), progress: new Progress<never>(offset, commit?.metadata ?? "") };
}

function* unfinishedIn({ end, progress }: Standing): Generator<number> {
  for (let offset = progress.position; offset < end; offset++) if (progress.fateOf(offset) !== "finished") yield offset;
}

function parseAddress(broker: string): KafkaBrokerAddress {
  const [host = "", port] = broker.split(":");
  return { host, port: Number(port) };
}

/** What nobody is done with. Dead letters are nobody's: all of them count. */
async function restingIn(brokers: readonly string[], queue: Address): Promise<readonly Resting[]> {
  const addresses = brokers.map(parseAddress);
  const settings = { clientId: "oracle", tls: undefined, sasl: undefined, addressOf: <T>(broker: T) => broker };
  const driver = new PlatformaticDriver({ ...settings, brokers: addresses, answerWithinMs: 10_000 }, systemHost);
  const standings = await standingsOf(brokers, queue);
  const resting: Resting[] = [];
  for (const one of standings) {
    const named = queueOf(one.topic, queue);
    for (const message of await readUnfinished(driver, one)) resting.push({ queue: named, message });
  }
  await driver.close();
  return resting;
}

/** As the oracle knows it, which knows of no groups: what waits for a retry is in the queue itself. */
function queueOf(topic: string, queue: Address): string {
  const name = spelt.get(queue.name) ?? queue.name;
  if (topic === queue.name || topic.startsWith(queueNames.retry(queueName(queue), ""))) return name;
  return topic.replace(queueName(queue), name);
}

async function readUnfinished(driver: KafkaDriver, of: Standing): Promise<Message[]> {
  const wanted = new Set(unfinishedIn(of));
  const session = driver.session("oracle");
  const found: Message[] = [];
  let offset = of.progress.position;
  while (offset < of.end) offset = await readOn(session, of, offset, wanted, found);
  await session.close();
  return found;
}

async function readOn(
  session: GroupSession,
  { topic, partition }: Standing,
  offset: number,
  wanted: ReadonlySet<number>,
  found: Message[],
): Promise<number> {
  const [share] = await session.leaders([{ topic, partition }]);
  if (share === undefined) throw new Error(`Nobody leads ${topic}/${partition}.`);
  const options = { maxWaitMs: 100, maxPartitionBytes: 1_048_576, slot: 0 };
  const [answer] = await session.fetch(share.leader, [{ topic, partition, offset }], options);
  if (answer?.kind !== "records") throw new Error(`${topic}/${partition} cannot be read at ${offset}.`);
  for (let record = answer.records.next(); record !== null; record = answer.records.next()) {
    if (wanted.has(record.offset)) found.push(decodeRecord(record));
  }
  return answer.nextOffset;
}
