import type { Host } from "../../../domain/clock.ts";
import {
  type GroupSession,
  isFault,
  type KafkaDriver,
  type LoggedBatch,
  type NamedProducer,
  type NewTopic,
  type OutgoingRecord,
  type Position,
  type Produced,
  type TopicPartition,
} from "../driver.ts";
import { Cluster, type ClusterSettings } from "./cluster.ts";
import { Producer } from "./producer.ts";
import { scanLog } from "./scan-log.ts";
import { Session } from "./session.ts";
import { TransactionalProducer } from "./transactional-producer.ts";

const isolations = { uncommitted: 0, committed: 1 } as const;
const edges = {
  earliest: { timestamp: -2n, isolation: isolations.committed },
  latest: { timestamp: -1n, isolation: isolations.committed },
  written: { timestamp: -1n, isolation: isolations.uncommitted },
} as const;
const consumerReplica = -1;

/**
 * Kafka by the calls of its protocol, as @platformatic/kafka encodes them. Its own consumer is not used: it loses
 * committed records behind aborted ones, pauses only whole streams, and commits no metadata.
 */
export class PlatformaticDriver implements KafkaDriver {
  readonly #cluster: Cluster;
  readonly #host: Host;
  readonly #producer: Producer;
  #sessions = 0;

  constructor(settings: ClusterSettings, host: Host) {
    this.#cluster = new Cluster(settings);
    this.#host = host;
    this.#producer = new Producer(this.#cluster, host);
  }

  partitionCounts(topics: readonly string[] | "all"): Promise<ReadonlyMap<string, number>> {
    return this.#cluster.describe(topics === "all" ? null : topics);
  }

  async makeTopics(topics: readonly NewTopic[]): Promise<void> {
    const wanted = topics.map(({ name, partitions, replicas, configuration }) => ({
      name,
      numPartitions: partitions,
      replicationFactor: replicas,
      assignments: [],
      configs: Object.entries(configuration).map(([key, value]) => ({ name: key, value })),
    }));
    try {
      await this.#cluster.askAny(
        ({ createTopicsV5 }) => createTopicsV5.api,
        wanted,
        this.#cluster.answerWithinMs,
        false,
      );
    } catch (error) {
      // Others make the same topics at the same time. Who made them does not matter.
      if (!isFault(error, "TOPIC_ALREADY_EXISTS")) throw error;
    }
  }

  async addPartitions(topic: string, count: number): Promise<void> {
    try {
      await this.#cluster.askAny(
        ({ createPartitionsV3 }) => createPartitionsV3.api,
        [{ name: topic, count, assignments: null }],
        this.#cluster.answerWithinMs,
        false,
      );
    } catch (error) {
      if (!isFault(error, "INVALID_PARTITIONS")) throw error;
    }
  }

  produce(to: TopicPartition, record: OutgoingRecord): Promise<Produced> {
    return this.#producer.produce(to, record);
  }

  namedProducer(name: string): NamedProducer {
    return new TransactionalProducer(this.#cluster, this.#host, name);
  }

  scan(from: Position, until: number): AsyncIterable<LoggedBatch> {
    return scanLog(this.#cluster, from, until);
  }

  async edgeOffset(of: TopicPartition, edge: keyof typeof edges): Promise<number> {
    const { timestamp, isolation } = edges[edge];
    const partition = { partitionIndex: of.partition, currentLeaderEpoch: -1, timestamp };
    const { topics } = await this.#cluster.askLeader(
      of,
      ({ listOffsetsV6 }) => listOffsetsV6.api,
      ...([consumerReplica, isolation] as const),
      [{ name: of.topic, partitions: [partition] }],
    );
    return Number(topics[0]?.partitions[0]?.offset ?? 0n);
  }

  async groups(): Promise<readonly string[]> {
    const answers = await this.#cluster.askAll(({ listGroupsV4 }) => listGroupsV4.api, [], []);
    return [...new Set(answers.flatMap(({ groups }) => groups.map(({ groupId }) => groupId)))];
  }

  async trim(to: Position): Promise<void> {
    const partition = { partitionIndex: to.partition, offset: BigInt(to.offset) };
    await this.#cluster.askLeader(
      to,
      ({ deleteRecordsV2 }) => deleteRecordsV2.api,
      [{ name: to.topic, partitions: [partition] }],
      this.#cluster.answerWithinMs,
    );
  }

  session(group: string): GroupSession {
    this.#sessions += 1;
    return new Session(this.#cluster, group, `session-${this.#sessions}`);
  }

  async close(): Promise<void> {
    await this.#cluster.connections.close();
  }
}
