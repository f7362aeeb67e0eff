import type { Random } from "../../domain/clock.ts";
import { isOfficeError, OfficeError } from "../../domain/errors.ts";
import { type Address, type Message, queueName } from "../../domain/message.ts";
import { requireOption } from "../../domain/options.ts";
import type { BrokerTime } from "../broker-time.ts";
import { isFault, type KafkaDriver, type OutgoingRecord, type Position, type TopicPartition } from "./driver.ts";
import { partitionChooser } from "./partitioner.ts";
import { encodeRecord, withRest } from "./record-codec.ts";
import { firstWait, nextWait, retryTopic, type Wait } from "./retry-waits.ts";
import { notFound, type Topology } from "./topology.ts";

/** Sends messages to topics, and to the retry topics of queues. */
export class Sender {
  readonly #driver: KafkaDriver;
  readonly #topology: Topology;
  readonly #time: BrokerTime;
  readonly #partitionFor: ReturnType<typeof partitionChooser>;

  constructor(driver: KafkaDriver, topology: Topology, time: BrokerTime, random: Random) {
    this.#driver = driver;
    this.#topology = topology;
    this.#time = time;
    this.#partitionFor = partitionChooser(random);
  }

  async send(to: Address, message: Message, delayMs: number): Promise<void> {
    const record = encodeRecord(message);
    const partitions = await this.#topology.partitionsOf(to.name);
    const partition = this.#partitionFor(record.key, partitions);
    if (delayMs === 0) await this.#produce({ topic: to.name, partition }, record);
    else await this.delay(requireGroup(to), partition, record, delayMs);
  }

  /** Puts a record where the queue's group reads it again after `delayMs`; where that is, is what it resolves to. */
  delay(queue: Address, partition: number, record: OutgoingRecord, delayMs: number): Promise<Position> {
    return this.#wait(queue, partition, record, firstWait(delayMs, this.#topology.retryWaitsMs));
  }

  /** Puts a record where it waits for the rest of its delay. */
  delayOn(
    queue: Address,
    partition: number,
    record: OutgoingRecord,
    { restMs, slackMs }: Pick<Wait, "restMs" | "slackMs">,
  ): Promise<Position> {
    return this.#wait(queue, partition, record, nextWait(restMs, slackMs, this.#topology.retryWaitsMs));
  }

  async #wait(
    queue: Address,
    partition: number,
    record: OutgoingRecord,
    { waitMs, restMs, slackMs }: Wait,
  ): Promise<Position> {
    const topic = retryTopic(queueName(queue), waitMs);
    await this.#topology.retryPartitionsOf(queue, topic);
    const offset = await this.#produce({ topic, partition }, withRest(record, restMs, slackMs));
    return { topic, partition, offset };
  }

  async #produce(to: TopicPartition, record: OutgoingRecord): Promise<number> {
    try {
      const { offset, appendedAt } = await this.#driver.produce(to, record);
      if (appendedAt !== null) this.#time.observe(appendedAt);
      return offset;
    } catch (error) {
      this.#topology.forget(to.topic);
      throw refusal(error, to.topic);
    }
  }
}

/** On a log a queue is the log and the group that reads it; without the group nobody would read what waits. */
export function requireGroup(queue: Address): Address {
  const { name, group } = queue;
  const advice = `a topic and a group on Kafka: { name: ${JSON.stringify(name)}, group: "…" }`;
  requireOption(typeof group === "string" && group !== "", "queue", advice);
  return queue;
}

/** What the broker said, as the office says it. */
export function refusal(error: unknown, topic: string): unknown {
  if (isOfficeError(error)) return error;
  if (isFault(error, "UNKNOWN_TOPIC_OR_PARTITION")) return notFound([topic]);
  if (!isFault(error, "MESSAGE_TOO_LARGE", "RECORD_LIST_TOO_LARGE")) return error;
  const advice = `The message is larger than the topic ${topic} takes. Raise its max.message.bytes, or send less.`;
  return new OfficeError("MESSAGE_TOO_LARGE", advice, { details: { topic }, cause: error });
}
