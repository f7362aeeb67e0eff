import { isOfficeError } from "../../../domain/errors.ts";
import { offsetBehind } from "../batch-cursor.ts";
import { CommittedRecords } from "../committed-records.ts";
import {
  type CommittedOffset,
  type Fetched,
  type FetchOptions,
  type GroupSession,
  isFault,
  type Joined,
  type JoinRequest,
  type KafkaBrokerAddress,
  KafkaFault,
  type Membership,
  type Position,
  type Share,
  type TopicPartition,
} from "../driver.ts";
import { byTopic } from "./by-topic.ts";
import type { Cluster } from "./cluster.ts";
import { type Library, loadLibrary } from "./connections.ts";
import { decompressionOf, type FetchAnswer, fetchApi, type PartitionAnswer } from "./fetch-api.ts";

const readCommitted = 1;
const maxAnswerBytes = 33_554_432;

/** Another broker coordinates the group now, or will in a moment. */
const moved = ["NOT_COORDINATOR", "COORDINATOR_NOT_AVAILABLE", "COORDINATOR_LOAD_IN_PROGRESS"];

/** One member of a group, with connections of its own. */
export class Session implements GroupSession {
  readonly #cluster: Cluster;
  readonly #group: string;
  readonly #name: string;

  /** `name` tells its connections from those of other sessions. */
  constructor(cluster: Cluster, group: string, name: string) {
    this.#cluster = cluster;
    this.#group = group;
    this.#name = name;
  }

  async leaders<Partition extends TopicPartition>(partitions: readonly Partition[]): Promise<Share<Partition>[]> {
    const leaders = await this.#cluster.leaders(partitions);
    const shares = new Map<string, { readonly leader: KafkaBrokerAddress; readonly partitions: Partition[] }>();
    for (const [index, partition] of partitions.entries()) {
      const leader = leaders[index];
      if (leader === undefined) continue;
      const name = `${leader.host}:${leader.port}`;
      const share = shares.get(name) ?? { leader, partitions: [] };
      share.partitions.push(partition);
      shares.set(name, share);
    }
    return [...shares.values()];
  }

  async fetch(
    broker: KafkaBrokerAddress,
    positions: readonly Position[],
    { maxWaitMs, maxPartitionBytes, slot }: FetchOptions,
  ): Promise<Fetched[]> {
    const topics = byTopic(positions, ({ partition, offset }) => ({
      partition,
      currentLeaderEpoch: -1,
      fetchOffset: BigInt(offset),
      lastFetchedEpoch: -1,
      partitionMaxBytes: maxPartitionBytes,
    })).map(({ name, partitions }) => ({ topicId: name, partitions }));
    const purpose = `${this.#name}/fetch-${slot}`;
    try {
      const answer = await this.#cluster.ask(
        { purpose, broker, waitMs: maxWaitMs },
        fetchApi,
        ...([maxWaitMs, 1, maxAnswerBytes, readCommitted, 0, -1] as const),
        topics,
        [],
        "",
      );
      return this.#read(answer, positions, await loadLibrary());
    } catch (error) {
      // Others may lead them by now.
      for (const { name } of byTopic(positions, () => null)) this.#cluster.forgetLeaders(name);
      throw error;
    }
  }

  async join(request: JoinRequest): Promise<Joined> {
    const answer = await this.#join(request);
    const fault = nameOf(answer.errorCode, await loadLibrary());
    // A new member is told its id first, so that one who dies while it waits to join is not joined for ever.
    if (fault === "MEMBER_ID_REQUIRED") {
      request.named(answer.memberId);
      return this.join({ ...request, memberId: answer.memberId });
    }
    if (answer.errorCode !== 0) throw this.#noteMoved(new KafkaFault(fault));
    return { memberId: answer.memberId, generation: answer.generationId, members: answer.members };
  }

  async sync(
    { memberId, generation }: Membership,
    protocol: string,
    assignments: ReadonlyMap<string, Buffer>,
  ): Promise<Buffer> {
    const all = Array.from(assignments, ([id, assignment]) => ({ memberId: id, assignment }));
    const { assignment } = await this.#askCoordinator("join", this.#cluster.answerWithinMs, (route) =>
      this.#cluster.ask(
        route,
        ({ syncGroupV5 }) => syncGroupV5.api,
        ...([this.#group, generation, memberId, null, "consumer", protocol] as const),
        all,
      ),
    );
    return assignment;
  }

  async heartbeat({ memberId, generation }: Membership): Promise<void> {
    await this.#askCoordinator("heartbeat", 0, (route) =>
      this.#cluster.ask(route, ({ heartbeatV4 }) => heartbeatV4.api, this.#group, generation, memberId, null),
    );
  }

  async leave(memberId: string): Promise<void> {
    await this.#askCoordinator("heartbeat", 0, (route) =>
      this.#cluster.ask(route, ({ leaveGroupV4 }) => leaveGroupV4.api, this.#group, [{ memberId }]),
    );
  }

  async commit({ memberId, generation }: Membership, offsets: readonly CommittedOffset[]): Promise<void> {
    const topics = byTopic(offsets, ({ partition, offset, metadata }) => ({
      partitionIndex: partition,
      committedOffset: BigInt(offset),
      committedLeaderEpoch: -1,
      committedMetadata: metadata,
    }));
    await this.#askCoordinator("commit", 0, (route) =>
      this.#cluster.ask(
        route,
        ({ offsetCommitV8 }) => offsetCommitV8.api,
        ...([this.#group, generation, memberId, null] as const),
        topics,
      ),
    );
  }

  async committed(partitions: readonly TopicPartition[]): Promise<readonly CommittedOffset[]> {
    const topics = byTopic(partitions, ({ partition }) => partition).map((topic) => ({
      name: topic.name,
      partitionIndexes: topic.partitions,
    }));
    const answer = await this.#askCoordinator("commit", 0, (route) =>
      this.#cluster.ask(route, ({ offsetFetchV7 }) => offsetFetchV7.api, [{ groupId: this.#group, topics }], true),
    );
    return answer.topics.flatMap(({ name, partitions: found }) =>
      found
        .filter(({ committedOffset }) => committedOffset >= 0n)
        .map(({ partitionIndex, committedOffset, metadata }) => ({
          topic: name,
          partition: partitionIndex,
          offset: Number(committedOffset),
          metadata: metadata ?? "",
        })),
    );
  }

  async close(): Promise<void> {
    await this.#cluster.connections.close(`${this.#name}/`);
  }

  #join({ memberId, protocol, metadata, sessionTimeoutMs, rebalanceTimeoutMs }: JoinRequest) {
    return this.#askCoordinator("join", rebalanceTimeoutMs, (route) =>
      this.#cluster.askForParts(
        route,
        ({ joinGroupV7 }) => joinGroupV7.api,
        ...([this.#group, sessionTimeoutMs, rebalanceTimeoutMs, memberId, null, "consumer"] as const),
        [{ name: protocol, metadata }],
      ),
    );
  }

  async #askCoordinator<Answer>(
    purpose: string,
    waitMs: number,
    ask: (route: { purpose: string; broker: KafkaBrokerAddress; waitMs: number }) => Promise<Answer>,
  ): Promise<Answer> {
    const broker = await this.#cluster.coordinator(this.#group);
    try {
      return await ask({ purpose: `${this.#name}/${purpose}`, broker, waitMs });
    } catch (error) {
      throw this.#noteMoved(error);
    }
  }

  #noteMoved(error: unknown): unknown {
    const isGone = isFault(error, ...moved) || isOfficeError(error, "TRANSPORT_UNAVAILABLE");
    if (isGone) this.#cluster.forgetCoordinator(this.#group);
    return error;
  }

  #read(answer: FetchAnswer, positions: readonly Position[], library: Library): Fetched[] {
    if (answer.errorCode !== 0) throw new KafkaFault(nameOf(answer.errorCode, library));
    const asked = new Map(positions.map((position) => [`${position.topic}/${position.partition}`, position.offset]));
    return answer.partitions.map((part): Fetched => {
      const { topic, partition, errorCode } = part;
      const fault = nameOf(errorCode, library);
      if (fault === "OFFSET_OUT_OF_RANGE") return { topic, partition, kind: "out-of-range" };
      if (errorCode === 0) return readRecords(part, asked.get(`${topic}/${partition}`) ?? 0, library);
      this.#cluster.forgetLeaders(topic);
      return { topic, partition, kind: "failed", fault: new KafkaFault(fault, `${topic}/${partition}`) };
    });
  }
}

function nameOf(errorCode: number, { protocolErrorsCodesById }: Library): string {
  return protocolErrorsCodesById[errorCode] ?? "UNKNOWN_SERVER_ERROR";
}

function readRecords(
  { topic, partition, aborted, bytes }: PartitionAnswer,
  fromOffset: number,
  library: Library,
): Fetched {
  const records = new CommittedRecords({ bytes, aborted, fromOffset, decompress: decompressionOf(library) });
  return {
    ...{ topic, partition, kind: "records", records },
    ...{ bytes: bytes.length, nextOffset: offsetBehind(bytes, fromOffset) },
  };
}
