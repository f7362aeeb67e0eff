import { askOnce } from "../../../domain/ask-once.ts";
import { type Host, pause } from "../../../domain/clock.ts";
import { isOfficeError, OfficeError } from "../../../domain/errors.ts";
import { repeatDelayMs } from "../../repeat-delay.ts";
import { isFault, type NamedProducer, type OutgoingRecord, type Produced, type TopicPartition } from "../driver.ts";
import type { Cluster, Route } from "./cluster.ts";
import { type Identity, PartitionSender } from "./producer.ts";

/** After that the broker gives up a transaction that nobody ends, and readers of what is behind it go on. */
const transactionMs = 60_000;

/** The one before is being ended, or another broker coordinates now. */
const passing = [
  ...["CONCURRENT_TRANSACTIONS", "NOT_COORDINATOR", "COORDINATOR_NOT_AVAILABLE", "COORDINATOR_LOAD_IN_PROGRESS"],
  ...["UNKNOWN_TOPIC_OR_PARTITION", "REQUEST_TIMED_OUT", "NOT_ENOUGH_REPLICAS", "NETWORK_EXCEPTION"],
];

/** Produces under a name, in transactions. Once anything failed for good it sends nothing until it is fenced again. */
export class TransactionalProducer implements NamedProducer {
  readonly #cluster: Cluster;
  readonly #host: Host;
  readonly #name: string;
  #identity: Identity | null = null;
  #senders = new Map<string, PartitionSender>();
  /** Partitions that are part of the open transaction, or are becoming so. */
  #entered = new Map<string, Promise<void>>();

  constructor(cluster: Cluster, host: Host, name: string) {
    this.#cluster = cluster;
    this.#host = host;
    this.#name = name;
  }

  async fence(): Promise<void> {
    this.#identity = null;
    this.#senders = new Map();
    this.#entered = new Map();
    const { producerId, producerEpoch } = await this.#insist((route) =>
      this.#cluster.ask(route, ({ initProducerIdV4 }) => initProducerIdV4.api, this.#name, transactionMs, -1n, -1),
    );
    this.#identity = { producerId, producerEpoch, transactionalId: this.#name };
  }

  async produce(to: TopicPartition, record: OutgoingRecord): Promise<Produced> {
    const name = `${to.topic}/${to.partition}`;
    const sender = this.#senders.get(name) ?? this.#newSender(to);
    this.#senders.set(name, sender);
    return sender.add(record);
  }

  async commit(): Promise<void> {
    if (this.#entered.size === 0) return;
    const { producerId, producerEpoch } = this.#known();
    try {
      await this.#insist((route) =>
        this.#cluster.ask(route, ({ endTxnV3 }) => endTxnV3.api, this.#name, producerId, producerEpoch, true),
      );
      this.#entered = new Map();
    } catch (error) {
      this.#identity = null;
      throw error;
    }
  }

  #newSender(to: TopicPartition): PartitionSender {
    return new PartitionSender(to, {
      ...{ cluster: this.#cluster, host: this.#host },
      // A number that was given up is in the transaction, or not: only a fence makes that certain.
      identify: async (spent) => {
        if (spent !== null) this.#identity = null;
        return this.#known();
      },
      enter: (each) => this.#enter(each),
    });
  }

  #known(): Identity {
    if (this.#identity !== null) return this.#identity;
    throw new OfficeError("DELIVERY_LOST", `Another process produces as ${this.#name} now, or an answer was lost.`);
  }

  #enter({ topic, partition }: TopicPartition): Promise<void> {
    return askOnce(this.#entered, `${topic}/${partition}`, () => this.#add({ topic, partition }));
  }

  async #add({ topic, partition }: TopicPartition): Promise<void> {
    const { producerId, producerEpoch } = this.#known();
    const transaction = { transactionalId: this.#name, producerId, producerEpoch, verifyOnly: false };
    await this.#insist((route) =>
      this.#cluster.ask(route, ({ addPartitionsToTxnV3 }) => addPartitionsToTxnV3.api, [
        { ...transaction, topics: [{ name: topic, partitions: [partition] }] },
      ]),
    );
  }

  /** Asks the coordinator until there is an answer, or the time for it is over. What is asked may be asked twice. */
  async #insist<Answer>(ask: (route: Route) => Promise<Answer>): Promise<Answer> {
    const { clock, random } = this.#host;
    const deadline = clock.now() + this.#cluster.answerWithinMs;
    for (let tried = 1; ; tried++) {
      try {
        const broker = await this.#cluster.coordinator(this.#name, "transaction");
        return await ask({ purpose: "transactions", broker });
      } catch (error) {
        if (!isFault(error, ...passing) && !isOfficeError(error, "TRANSPORT_UNAVAILABLE")) throw error;
        if (!isFault(error, "CONCURRENT_TRANSACTIONS")) this.#cluster.forgetCoordinator(this.#name, "transaction");
        const waitMs = repeatDelayMs(tried, random);
        if (clock.now() + waitMs > deadline) throw error;
        await pause(clock, waitMs);
      }
    }
  }
}
