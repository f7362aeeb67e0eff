import { KafkaFault, type Position, type TopicPartition } from "../../transports/kafka/driver.ts";
import type { Cluster } from "../../transports/kafka/platformatic/cluster.ts";
import { Session } from "../../transports/kafka/platformatic/session.ts";

/** What Kafka tells of a topic. */
export interface TopicFacts {
  readonly name: string;
  /** Settings by name; null: they may not be seen. */
  readonly settings: ReadonlyMap<string, string> | null;
  /** Records in it, as the offsets have it; null: nobody asked. */
  readonly records: number | null;
  /** When its first record was written, in milliseconds since 1970; null where there is none. */
  readonly firstAt: number | null;
}

/** Reads all topics; how full they are only of those for which `counts` says so, which takes a request for each partition. */
export async function readTopics(cluster: Cluster, counts: (topic: string) => boolean): Promise<TopicFacts[]> {
  const partitions = await cluster.describe(null);
  const names = [...partitions.keys()];
  const settings = await readSettings(cluster, names);
  const session = new Session(cluster, "dlo-doctor", "look");
  const facts: TopicFacts[] = [];
  for (const name of names) {
    const counted = counts(name) ? await tryFilling(cluster, session, name, partitions.get(name) ?? 0) : unknown;
    facts.push({ name, settings: settings.get(name) ?? null, ...counted });
  }
  return facts;
}

const unknown = { records: null, firstAt: null };
const topicResource = 2 as const;
const settingNames = ["cleanup.policy", "retention.ms", "retention.bytes"];
/** Asked for at once; an answer holds some hundred bytes of each. */
const topicsAtOnce = 500;

async function readSettings(cluster: Cluster, topics: readonly string[]) {
  const settings = new Map<string, ReadonlyMap<string, string>>();
  for (let from = 0; from < topics.length; from += topicsAtOnce) {
    const some = topics.slice(from, from + topicsAtOnce);
    const broker = await cluster.leader({ topic: some[0] ?? "", partition: 0 });
    const { results } = await cluster.askForParts(
      { purpose: "ask", broker },
      ({ describeConfigsV4 }) => describeConfigsV4.api,
      some.map((resourceName) => ({ resourceType: topicResource, resourceName, configurationKeys: settingNames })),
    );
    for (const { resourceName, errorCode, configs } of results) {
      if (errorCode === 0) settings.set(resourceName, new Map(configs.map(({ name, value }) => [name, value ?? ""])));
    }
  }
  return settings;
}

/** A partition without a leader, or one that may not be read, must not hide all the others. */
async function tryFilling(cluster: Cluster, session: Session, topic: string, count: number) {
  try {
    return await readFilling(cluster, session, topic, count);
  } catch (error) {
    if (error instanceof KafkaFault) return unknown;
    throw error;
  }
}

async function readFilling(cluster: Cluster, session: Session, topic: string, count: number) {
  let records = 0;
  let firstAt: number | null = null;
  for (let partition = 0; partition < count; partition++) {
    const first = await edgeOf(cluster, { topic, partition }, earliest);
    const held = (await edgeOf(cluster, { topic, partition }, latest)) - first;
    records += held;
    const writtenAt = held > 0 ? await timeAt(session, { topic, partition, offset: first }) : null;
    if (writtenAt !== null) firstAt = Math.min(firstAt ?? writtenAt, writtenAt);
  }
  return { records, firstAt };
}

const [latest, earliest] = [-1n, -2n];
const consumerReplica = -1;
const readCommitted = 1;

async function edgeOf(cluster: Cluster, { topic, partition }: TopicPartition, timestamp: bigint): Promise<number> {
  const broker = await cluster.leader({ topic, partition });
  const { topics } = await cluster.ask(
    { purpose: "ask", broker },
    ({ listOffsetsV6 }) => listOffsetsV6.api,
    ...([consumerReplica, readCommitted] as const),
    [{ name: topic, partitions: [{ partitionIndex: partition, currentLeaderEpoch: -1, timestamp }] }],
  );
  return Number(topics[0]?.partitions[0]?.offset ?? 0n);
}

const fetching = { maxWaitMs: 200, maxPartitionBytes: 1, slot: 0 };

/** Reads without a group: nothing is committed, and nobody is disturbed. */
async function timeAt(session: Session, position: Position): Promise<number | null> {
  const [share] = await session.leaders([position]);
  if (share === undefined) return null;
  const [fetched] = await session.fetch(share.leader, [position], fetching);
  return fetched?.kind === "records" ? (fetched.records.next()?.timestamp ?? null) : null;
}
