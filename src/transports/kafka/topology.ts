import { type Clock, pause } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { type Address, queueName } from "../../domain/message.ts";
import { requireOption } from "../../domain/options.ts";
import type { KafkaDriver, NewTopic } from "./driver.ts";
import { retryTopic, waitOfTopic } from "./retry-waits.ts";

export interface TopologySettings {
  readonly topology: "make" | "check";
  readonly partitions: number;
  readonly replicas: number;
  readonly maxMessageBytes: number;
  readonly retryWaitsMs: readonly number[];
}

/** How long the number of a topic's partitions is believed: whoever adds some changes which one a key goes to. */
const rememberedMs = 60_000;

/** The topics there are, and those we make. */
export class Topology {
  readonly #driver: KafkaDriver;
  readonly #clock: Clock;
  readonly #settings: TopologySettings;
  readonly #known = new Map<string, { readonly count: Promise<number>; readonly until: number }>();

  constructor(driver: KafkaDriver, settings: TopologySettings, clock: Clock) {
    this.#clock = clock;
    this.#driver = driver;
    this.#settings = settings;
  }

  get retryWaitsMs(): readonly number[] {
    return this.#settings.retryWaitsMs;
  }

  /** How many partitions a topic has; one that is missing is made, or refused. */
  partitionsOf(topic: string): Promise<number> {
    return this.#remember(topic, () => this.#find([topic], () => this.#newTopic(topic)));
  }

  /** Of a retry topic, which has as many partitions as the topic of its queue. */
  retryPartitionsOf(queue: Address, topic: string): Promise<number> {
    return this.#remember(topic, async () => {
      const partitions = await this.partitionsOf(queue.name);
      return this.#find([topic], () => this.#newRetryTopic(topic, partitions));
    });
  }

  /** Asks again next time: the topic was not where it should be. */
  forget(topic: string): void {
    this.#known.delete(topic);
  }

  /**
   * The topics a consumer of this queue reads: its own and all its retry topics, also those of waits that are no longer
   * in use, in which messages may still wait.
   */
  async prepareQueue(queue: Address): Promise<readonly string[]> {
    const partitions = await this.partitionsOf(queue.name);
    const wanted = this.#settings.retryWaitsMs.map((waitMs) => retryTopic(queueName(queue), waitMs));
    const counts = await this.#driver.partitionCounts("all");
    const existing = [...counts.keys()].filter((topic) => waitOfTopic(topic, queueName(queue)) !== undefined);
    const missing = wanted.filter((topic) => !counts.has(topic));
    if (missing.length > 0) await this.#find(missing, (topic) => this.#newRetryTopic(topic, partitions));
    return [queue.name, ...new Set([...wanted, ...existing])];
  }

  /**
   * How many partitions the topics of a queue have. A lane needs its partition of every retry topic, so that these are
   * widened when the queue's own topic was.
   */
  async countPartitions(queue: string, topics: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const counts = new Map(await this.#driver.partitionCounts(topics));
    const needed = counts.get(queue) ?? 0;
    const narrow = [...counts].filter(([, count]) => count < needed).map(([topic]) => topic);
    if (this.#settings.topology === "check") return counts;
    for (const topic of narrow) {
      await this.#driver.addPartitions(topic, needed);
      counts.set(topic, needed);
    }
    return counts;
  }

  #remember(topic: string, find: () => Promise<number>): Promise<number> {
    const known = this.#known.get(topic);
    const now = this.#clock.now();
    if (known !== undefined && now < known.until) return known.count;
    const count = find();
    this.#known.set(topic, { count, until: now + rememberedMs });
    count.catch(() => this.forget(topic));
    return count;
  }

  /** How many partitions the first of these topics has. */
  async #find(topics: readonly string[], made: (topic: string) => NewTopic): Promise<number> {
    for (const topic of topics) requireTopicName(topic);
    const counts = await this.#driver.partitionCounts(topics);
    const missing = topics.filter((topic) => !counts.has(topic));
    if (missing.length === 0) return counts.get(topics[0] ?? "") ?? 0;
    if (this.#settings.topology === "check") throw notFound(missing);
    await this.#driver.makeTopics(missing.map(made));
    return this.#await(topics);
  }

  /** Brokers know of a new topic a moment after it was made; whoever produces repeats until then. */
  async #await(topics: readonly string[]): Promise<number> {
    for (let tries = 0; tries < 100; tries++) {
      const counts = await this.#driver.partitionCounts(topics);
      if (topics.every((topic) => counts.has(topic))) return counts.get(topics[0] ?? "") ?? 0;
      await pause(this.#clock, 50);
    }
    throw new OfficeError("TRANSPORT_UNAVAILABLE", `Kafka made ${topics.join(", ")} and still does not know of it.`);
  }

  #newTopic(name: string): NewTopic {
    const { partitions, replicas, maxMessageBytes } = this.#settings;
    const configuration = {
      "cleanup.policy": "delete",
      // A message is kept until somebody has dealt with it, however long that takes.
      "retention.ms": "-1",
      "max.message.bytes": String(maxMessageBytes),
    };
    return { name, partitions, replicas, configuration };
  }

  #newRetryTopic(name: string, partitions: number): NewTopic {
    const { configuration, ...topic } = this.#newTopic(name);
    // Due times rise within a partition, whatever the clocks of producers say.
    return {
      ...topic,
      partitions,
      configuration: { ...configuration, "message.timestamp.type": "LogAppendTime" },
    };
  }
}

export function notFound(topics: readonly string[]): OfficeError {
  return new OfficeError(
    "QUEUE_NOT_FOUND",
    `Kafka has no topic ${topics.join(", ")}. Make it, or let the transport do so with topology: "make".`,
    { details: { topics } },
  );
}

function requireTopicName(topic: string): void {
  const isName = /^[A-Za-z0-9._-]{1,249}$/.test(topic) && topic !== "." && topic !== "..";
  requireOption(isName, "queue", "at most 249 letters, digits, dots, dashes and underscores on Kafka", topic);
}
