import type { fetchV12 } from "@platformatic/kafka";
import { isOfficeError } from "../../../domain/errors.ts";
import { committedRecords, offsetBehind } from "../committed-records.ts";
import {
  type CommittedOffset,
  type Fetched,
  type FetchOptions,
  type GroupSession,
  isFault,
  type Joined,
  type JoinRequest,
  KafkaFault,
  type Membership,
  type Position,
  type TopicPartition,
} from "../driver.ts";
import { byTopic } from "./by-topic.ts";
import type { Cluster } from "./cluster.ts";
import { type BrokerAddress, loadLibrary } from "./connections.ts";

type FetchAnswer = fetchV12.FetchResponse;

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

  async fetch(positions: readonly Position[], options: FetchOptions): Promise<readonly Fetched[]> {
    const leaders = await Promise.all(positions.map((position) => this.#cluster.leader(position)));
    const shares = new Map<string, { readonly broker: BrokerAddress; readonly positions: Position[] }>();
    for (const [index, position] of positions.entries()) {
      const broker = leaders[index] as BrokerAddress;
      const name = `${broker.host}:${broker.port}`;
      const share = shares.get(name) ?? { broker, positions: [] };
      share.positions.push(position);
      shares.set(name, share);
    }
    const answers = await Promise.all(
      Array.from(shares.values(), (share) => this.#fetchFrom(share.broker, share.positions, options)),
    );
    return answers.flat();
  }

  async join(request: JoinRequest): Promise<Joined> {
    const answer = await this.#join(request);
    const { protocolErrorsCodesById } = await loadLibrary();
    const fault = protocolErrorsCodesById[answer.errorCode];
    // A new member is told its id first, so that one who dies while it waits to join is not joined for ever.
    if (fault === "MEMBER_ID_REQUIRED") {
      request.named(answer.memberId);
      return this.join({ ...request, memberId: answer.memberId });
    }
    if (answer.errorCode !== 0) throw this.#noteMoved(new KafkaFault(fault ?? "UNKNOWN_SERVER_ERROR"));
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
    ask: (route: { purpose: string; broker: BrokerAddress; waitMs: number }) => Promise<Answer>,
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

  async #fetchFrom(
    broker: BrokerAddress,
    positions: readonly Position[],
    { maxWaitMs, maxPartitionBytes }: FetchOptions,
  ): Promise<Fetched[]> {
    const topics = byTopic(positions, ({ partition, offset }) => ({
      partition,
      currentLeaderEpoch: -1,
      fetchOffset: BigInt(offset),
      lastFetchedEpoch: -1,
      partitionMaxBytes: maxPartitionBytes,
    })).map(({ name, partitions }) => ({ topicId: name, partitions }));
    const answer = await this.#cluster.askForParts(
      { purpose: `${this.#name}/fetch`, broker, waitMs: maxWaitMs },
      ({ fetchV12 }) => fetchV12.api,
      ...([maxWaitMs, 1, maxAnswerBytes, readCommitted, 0, -1] as const),
      topics,
      [],
      "",
    );
    return this.#read(answer, positions);
  }

  async #read({ responses }: FetchAnswer, positions: readonly Position[]): Promise<Fetched[]> {
    const { protocolErrorsCodesById } = await loadLibrary();
    const asked = new Map(positions.map((position) => [`${position.topic}/${position.partition}`, position.offset]));
    return responses.flatMap(({ topicId: topic, partitions }) =>
      partitions.map((answer): Fetched => {
        const partition = answer.partitionIndex;
        const fault = protocolErrorsCodesById[answer.errorCode] ?? "UNKNOWN_SERVER_ERROR";
        if (fault === "OFFSET_OUT_OF_RANGE") return { topic, partition, kind: "out-of-range" };
        if (answer.errorCode !== 0) {
          this.#cluster.forgetLeaders(topic);
          throw new KafkaFault(fault, `${topic}/${partition}`);
        }
        const from = asked.get(`${topic}/${partition}`) ?? 0;
        const batches = answer.records ?? [];
        return {
          ...{ topic, partition, kind: "records" },
          records: committedRecords(batches, answer.abortedTransactions ?? [], from),
          nextOffset: offsetBehind(batches, from),
          endOffset: Number(answer.lastStableOffset),
        };
      }),
    );
  }
}
