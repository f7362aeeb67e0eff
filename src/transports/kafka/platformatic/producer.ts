import type { produceV9 } from "@platformatic/kafka";
import { type Host, pause } from "../../../domain/clock.ts";
import { isOfficeError, OfficeError } from "../../../domain/errors.ts";
import { repeatDelayMs } from "../../repeat-delay.ts";
import { isFault, KafkaFault, type OutgoingRecord, type Produced, type TopicPartition } from "../driver.ts";
import type { Cluster } from "./cluster.ts";
import { loadLibrary } from "./connections.ts";

type ProduceResponse = produceV9.ProduceResponse;

/** Whom the broker knows a producer by. With a number for each batch it takes a repeated one for what it is. */
export interface Identity {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  /** The name its transactions go by; undefined for a producer without any. */
  readonly transactionalId?: string;
}

interface Waiting {
  readonly record: OutgoingRecord;
  readonly bytes: number;
  readonly resolve: (produced: Produced) => void;
  readonly reject: (error: unknown) => void;
}

const maxBatchBytes = 900_000;
const maxBatchRecords = 1_000;
const allReplicas = -1;

/** Nothing is wrong with what was asked: it has to be asked of somebody else, or later. */
const passing = [
  ...["NOT_LEADER_OR_FOLLOWER", "LEADER_NOT_AVAILABLE", "UNKNOWN_TOPIC_OR_PARTITION", "FENCED_LEADER_EPOCH"],
  ...["UNKNOWN_LEADER_EPOCH", "NOT_ENOUGH_REPLICAS", "NOT_ENOUGH_REPLICAS_AFTER_APPEND", "REQUEST_TIMED_OUT"],
  ...["KAFKA_STORAGE_ERROR", "NETWORK_EXCEPTION", "BROKER_NOT_AVAILABLE", "COORDINATOR_LOAD_IN_PROGRESS"],
];

/** The broker has lost count of this producer, or has another in its place. */
const estranged = [
  ...["OUT_OF_ORDER_SEQUENCE_NUMBER", "UNKNOWN_PRODUCER_ID", "INVALID_PRODUCER_EPOCH", "PRODUCER_FENCED"],
  ...["INVALID_PRODUCER_ID_MAPPING"],
];

/** Sends records so that each is there once, however often an answer is lost. */
export class Producer {
  readonly #cluster: Cluster;
  readonly #host: Host;
  readonly #senders = new Map<string, PartitionSender>();
  #identity: Promise<Identity> | null = null;
  /** What it resolved to; undefined while it has not. */
  #current: Identity | undefined = undefined;

  constructor(cluster: Cluster, host: Host) {
    this.#cluster = cluster;
    this.#host = host;
  }

  produce(to: TopicPartition, record: OutgoingRecord): Promise<Produced> {
    const name = `${to.topic}/${to.partition}`;
    const known = this.#senders.get(name);
    if (known !== undefined) return known.add(record);
    const made = new PartitionSender(to, {
      cluster: this.#cluster,
      host: this.#host,
      identify: (spent) => this.#identify(spent),
    });
    this.#senders.set(name, made);
    return made.add(record);
  }

  /** The identity all partitions share, unless it is `spent`: then a new one, which they come to share. */
  #identify(spent: Identity | null): Promise<Identity> {
    if (this.#identity === null || this.#current === spent) {
      this.#identity = this.#newIdentity().catch((error: unknown) => {
        this.#identity = null;
        throw error;
      });
    }
    return this.#identity;
  }

  async #newIdentity(): Promise<Identity> {
    this.#current = undefined;
    this.#current = await this.#cluster.askAny(({ initProducerIdV4 }) => initProducerIdV4.api, null, 0, -1n, -1);
    return this.#current;
  }
}

export interface SenderParts {
  readonly cluster: Pick<Cluster, "askForParts" | "leader" | "forgetLeaders" | "answerWithinMs">;
  readonly host: Host;
  /** May reject: then nothing more is sent. */
  readonly identify: (spent: Identity | null) => Promise<Identity>;
  /** Before each batch: makes the partition part of the transaction. @default there is none */
  readonly enter?: (to: TopicPartition) => Promise<void>;
}

/** The records of one partition, a batch at a time, each numbered. */
export class PartitionSender {
  readonly #to: TopicPartition;
  readonly #parts: SenderParts;
  #waiting: Waiting[] = [];
  #sending = false;
  #identity: Identity | null = null;
  /** The last one given up. Under it, a number used again would be taken for a repeated batch, and the batch be lost. */
  #spent: Identity | null = null;
  #sequence = 0;

  constructor(to: TopicPartition, parts: SenderParts) {
    this.#to = to;
    this.#parts = parts;
  }

  add(record: OutgoingRecord): Promise<Produced> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ record, bytes: bytesOf(record), resolve, reject });
      if (!this.#sending) void this.#sendAll();
    });
  }

  async #sendAll(): Promise<void> {
    this.#sending = true;
    // What is sent in the same moment goes in one batch.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#settle(this.#nextBatch());
    this.#sending = false;
  }

  #nextBatch(): Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((waiting, index) => {
      bytes += waiting.bytes;
      return index > 0 && (bytes > maxBatchBytes || index === maxBatchRecords);
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const { offset, appendedAt } = await this.#insist(batch);
      for (const [index, { resolve }] of batch.entries()) {
        resolve({ offset: offset < 0 ? offset : offset + index, appendedAt });
      }
    } catch (error) {
      // Together they may be too large where each is not.
      if (batch.length > 1 && isFault(error, "MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE")) {
        for (const one of batch) await this.#settle([one]);
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }

  /** Repeats under the same number until there is an answer, or the time for it is over. */
  async #insist(batch: readonly Waiting[]): Promise<Produced> {
    const { cluster, host } = this.#parts;
    const deadline = host.clock.now() + cluster.answerWithinMs;
    for (let tried = 1; ; tried++) {
      try {
        return await this.#send(batch);
      } catch (error) {
        const isStranger = isFault(error, ...estranged);
        const repeats = isStranger || isFault(error, ...passing) || isOfficeError(error, "TRANSPORT_UNAVAILABLE");
        if (!repeats) throw tried > 1 && isOfficeError(error, "TRANSPORT_CLOSED") ? cutOff(error) : error;
        cluster.forgetLeaders(this.#to.topic);
        const waitMs = repeatDelayMs(tried, host.random);
        const isOver = host.clock.now() + waitMs > deadline;
        // When it is over, nobody knows whether the broker has this batch: the next must not be taken for its successor.
        if (isStranger || isOver) this.#giveUpIdentity();
        if (isOver) throw error;
        await pause(host.clock, waitMs);
      }
    }
  }

  #giveUpIdentity(): void {
    this.#spent = this.#identity ?? this.#spent;
    this.#identity = null;
  }

  async #send(batch: readonly Waiting[]): Promise<Produced> {
    const { cluster, enter } = this.#parts;
    const { topic, partition } = this.#to;
    const identity = this.#identity ?? (await this.#begin());
    await enter?.(this.#to);
    const broker = await cluster.leader(this.#to);
    const { NumericMap } = await loadLibrary();
    const sequences = new NumericMap([[`${topic}:${partition}`, this.#sequence]]);
    const records = batch.map(({ record }) => this.#outgoing(record));
    const answer = await cluster.askForParts(
      { purpose: "produce", broker },
      (library) => library.produceV9.api,
      allReplicas,
      cluster.answerWithinMs,
      records,
      { ...identity, sequences },
    );
    const produced = await producedIn(answer);
    this.#sequence += batch.length;
    return produced;
  }

  /** A new identity counts from 0. */
  async #begin(): Promise<Identity> {
    this.#identity = await this.#parts.identify(this.#spent);
    this.#sequence = 0;
    return this.#identity;
  }

  #outgoing({ key, value, headers }: OutgoingRecord) {
    return {
      topic: this.#to.topic,
      partition: this.#to.partition,
      timestamp: BigInt(this.#parts.host.clock.now()),
      ...(key !== null && { key }),
      // The types know no tombstones and no empty headers; the encoding does. Keys of a map of buffers never clash.
      value: value as Buffer,
      headers: new Map(headers as [Buffer, Buffer][]),
    };
  }
}

/** A transport that is closed sends nothing, which is said of this very batch: but an earlier try of it may have arrived. */
function cutOff(cause: unknown): OfficeError {
  return new OfficeError("TRANSPORT_UNAVAILABLE", "The Kafka transport was closed before there was an answer.", {
    cause,
  });
}

async function producedIn(answer: boolean | ProduceResponse): Promise<Produced> {
  const { protocolErrorsCodesById } = await loadLibrary();
  const partition = typeof answer === "boolean" ? undefined : answer.responses[0]?.partitionResponses[0];
  if (partition === undefined) throw new KafkaFault("UNKNOWN_SERVER_ERROR", "the answer names no partition");
  const fault = protocolErrorsCodesById[partition.errorCode] ?? "UNKNOWN_SERVER_ERROR";
  if (fault === "DUPLICATE_SEQUENCE_NUMBER") return { offset: -1, appendedAt: null };
  if (partition.errorCode !== 0) throw new KafkaFault(fault, partition.errorMessage);
  const { baseOffset, logAppendTimeMs } = partition;
  return { offset: Number(baseOffset), appendedAt: logAppendTimeMs < 0n ? null : Number(logAppendTimeMs) };
}

function bytesOf({ key, value, headers }: OutgoingRecord): number {
  const headerBytes = headers.reduce((sum, [name, content]) => sum + name.length + (content?.length ?? 0) + 10, 0);
  return (key?.length ?? 0) + (value?.length ?? 0) + headerBytes + 30;
}
