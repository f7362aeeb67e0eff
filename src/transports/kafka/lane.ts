import { type Host, pause } from "../../domain/clock.ts";
import { type Address, queueName } from "../../domain/message.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import { type GroupSession, type KafkaDriver, KafkaFault, type TopicPartition } from "./driver.ts";
import { KeyOrder } from "./key-order.ts";
import { type Entry, entryId, laneOf, PartitionWork } from "./partition-work.ts";
import { waitOfTopic } from "./retry-waits.ts";

export interface LaneParts {
  readonly driver: KafkaDriver;
  readonly session: GroupSession;
  readonly host: Host;
  readonly watch: ConnectionWatch;
  readonly from: Address;
  readonly order: "none" | "key";
  readonly startFrom: "earliest" | "latest";
  /** Its partitions may be read and worked on. */
  readonly opened: () => void;
}

const scanBytes = 1_048_576;

/** A partition of the queue's topic, with the partitions of that number of its retry topics. */
export class Lane {
  readonly number: number;
  readonly #parts: LaneParts;
  readonly #keys: KeyOrder<Entry> | null;
  readonly #closed = new AbortController();
  #works: readonly PartitionWork[] = [];
  #opening: Promise<void> = Promise.resolve();
  #isDraining = false;

  constructor(number: number, parts: LaneParts) {
    this.number = number;
    this.#parts = parts;
    this.#keys = parts.order === "key" ? new KeyOrder((entry) => entry.work.release(entry)) : null;
  }

  /** Empty until it is known where to begin. */
  get works(): readonly PartitionWork[] {
    return this.#works;
  }

  /** Nothing was left to read when it was last asked for. */
  get isAtEnd(): boolean {
    return this.#works.length > 0 && this.#works.every(({ isAtEnd }) => isAtEnd);
  }

  get isBusy(): boolean {
    return this.#works.some(({ inHand }) => inHand > 0);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  get isClosed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Begins to work on those of these partitions that it has not yet, as soon as the broker says where. */
  open(partitions: readonly TopicPartition[]): void {
    this.#opening = this.#opening.then(() => this.#open(partitions));
  }

  /** Whether nothing new of it is taken, since it is to be given up. */
  drain(isDraining: boolean): void {
    this.#isDraining = isDraining;
  }

  close(): void {
    this.#closed.abort();
  }

  async #open(partitions: readonly TopicPartition[]): Promise<void> {
    const { host, watch, opened } = this.#parts;
    const isNew = ({ topic }: TopicPartition) => !this.#works.some((work) => work.topic === topic);
    for (let tried = 1; !this.isClosed; tried++) {
      try {
        const works = await this.#begin(partitions.filter(isNew));
        if (this.isClosed) break;
        this.#works = [...this.#works, ...works];
        opened();
        break;
      } catch (error) {
        const waitMs = repeatDelayMs(tried, host.random);
        watch.failed(`lane ${this.number}`, error, waitMs);
        await pause(host.clock, waitMs, this.#closed.signal);
      }
    }
    watch.works(`lane ${this.number}`);
  }

  async #begin(partitions: readonly TopicPartition[]): Promise<PartitionWork[]> {
    const { session } = this.#parts;
    if (partitions.length === 0) return [];
    const committed = new Map((await session.committed(partitions)).map((found) => [found.topic, found]));
    const works = partitions.map(async ({ topic, partition }) => {
      const waitMs = waitOfTopic(topic, queueName(this.#parts.from)) ?? null;
      const { offset, metadata } = committed.get(topic) ?? (await this.#start({ topic, partition }, waitMs));
      return new PartitionWork({ topic, partition, waitMs, offset, metadata, keys: this.#keys });
    });
    const begun = await Promise.all(works);
    if (this.#keys !== null) for (const work of begun) if (work.waitMs !== null) await this.#scan(work, this.#keys);
    return begun;
  }

  /** Where there is no commit yet. What waits for a retry is never passed over. */
  async #start(partition: TopicPartition, waitMs: number | null): Promise<{ offset: number; metadata: string }> {
    const { driver, startFrom } = this.#parts;
    return { offset: await driver.edgeOffset(partition, waitMs === null ? startFrom : "earliest"), metadata: "" };
  }

  /** Finds the keys that are blocked since a message of theirs waits for a retry, before any other of theirs runs. */
  async #scan(work: PartitionWork, keys: KeyOrder<Entry>): Promise<void> {
    const { driver } = this.#parts;
    const end = await driver.edgeOffset(work, "latest");
    for (let offset = work.fetchOffset; offset < end; ) {
      const answer = await this.#look(work, offset);
      if (answer === null || answer.nextOffset === offset) return;
      for (let record = answer.records.next(); record !== null; record = answer.records.next()) {
        const isFinished = work.progress.fateOf(record.offset) === "finished";
        if (!isFinished) keys.block(laneOf(record), entryId(work, record.offset));
      }
      offset = answer.nextOffset;
    }
  }

  /** What lies at an offset of a partition; null if the log has no such offset any more. */
  async #look({ topic, partition }: TopicPartition, offset: number) {
    const { session } = this.#parts;
    const [share] = await session.leaders([{ topic, partition }]);
    if (share === undefined) throw new KafkaFault("LEADER_NOT_AVAILABLE");
    const options = { maxWaitMs: 0, maxPartitionBytes: scanBytes, slot: 0 };
    const [answer] = await session.fetch(share.leader, [{ topic, partition, offset }], options);
    if (answer?.kind === "failed") throw answer.fault;
    return answer?.kind === "records" ? answer : null;
  }
}
