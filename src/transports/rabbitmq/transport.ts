import { type Address, type Message, queueName } from "../../domain/message.ts";
import { requireNumber } from "../../domain/options.ts";
import { requireConsumeOptions } from "../consume-options.ts";
import type { Capabilities, ConsumeOptions, Handle, SendOptions, Shortcomings, Transport } from "../transport.ts";
import { TransportLife } from "../transport-life.ts";
import { closeQuietly } from "./close-quietly.ts";
import { Connection } from "./connection.ts";
import { RabbitmqConsumer } from "./consumer.ts";
import { type DelayRules, delayBucket, longestDelay } from "./delay-buckets.ts";
import { encodeMessage, encodeOnward, encodeReturned } from "./message-codec.ts";
import { type RabbitmqSettings, type RabbitmqTransportOptions, readRabbitmqOptions } from "./options.ts";
import { Publisher } from "./publisher.ts";
import { requireNoWait } from "./reply-addresses.ts";
import { SilentQueues } from "./silent-queues.ts";
import { type Route, requireQueueName, Topology } from "./topology.ts";

export const rabbitmqCapabilities: Capabilities = {
  atomicOnward: false,
  order: true,
  holdsBack: false,
  deliveryCount: true,
  lease: false,
  typedHeaders: true,
  repeatedHeaders: false,
  replyAddresses: true,
};

export const rabbitmqShortcomings: Shortcomings = {
  atomicOnward: "its transactions are no unit across queues: confirmed first, then acknowledged",
  holdsBack: "a retry waits in a queue of its own, out of its place",
  lease: "a delivery belongs to its channel for as long as that lives",
  repeatedHeaders: "AMQP has each header once",
};

/** RabbitMQ counts it in sixteen bits. */
const mostPrefetch = 65_535;

/**
 * RabbitMQ 3.10 and later, through amqplib: quorum queues, confirmed sending, retries in delay queues on the broker.
 *
 * @example
 * const transport = rabbitmqTransport({ url: "amqp://guest:guest@localhost" });
 */
export function rabbitmqTransport(options: RabbitmqTransportOptions): Transport {
  return new RabbitmqTransport(readRabbitmqOptions(options), queueTimes);
}

/** A transport that can send by an exchange too, as somebody else's message first came. */
export interface RoutingTransport extends Transport {
  /**
   * Sends a message that was received before on by an exchange. Resolves once a queue has it durably; rejects with
   * QUEUE_NOT_FOUND where no queue takes it.
   */
  sendVia(route: Route, message: Message, options?: Pick<SendOptions, "sendId">): Promise<void>;
  /** Sends a dead letter to the queue it was taken from, with the deaths that its broker had noted on it. */
  sendBack(to: Address, message: Message): Promise<void>;
  /** Resolves once the broker answers, by opening a channel that carries nothing; rejects with TRANSPORT_UNAVAILABLE. */
  findBroker(): Promise<void>;
}

/** For the office alone, which sends messages of other people's consumers back. */
export function routingRabbitmqTransport(options: RabbitmqTransportOptions): RoutingTransport {
  return new RabbitmqTransport(readRabbitmqOptions(options), queueTimes);
}

/** When queues come and go, in milliseconds. */
interface QueueTimes {
  /** How long a delay queue stays after its delay, if nobody uses it. */
  readonly bucketIdleMs: number;
  /** How old a queue has to be before anything is entrusted to it. */
  readonly settlingMs: number;
}

const queueTimes: QueueTimes = { bucketIdleMs: 86_400_000, settlingMs: 1_500 };

/** The same with other times, for tests that cannot wait for a day, or for every queue they make. */
export function hastyRabbitmqTransport(options: RabbitmqTransportOptions, times: Partial<QueueTimes> = {}): Transport {
  return new RabbitmqTransport(readRabbitmqOptions(options), { ...queueTimes, settlingMs: 0, ...times });
}

class RabbitmqTransport implements RoutingTransport {
  readonly broker = "rabbitmq";
  readonly capabilities = rabbitmqCapabilities;
  readonly shortcomings = rabbitmqShortcomings;
  readonly #settings: RabbitmqSettings;
  readonly #delays: DelayRules;
  readonly #sending: Connection;
  readonly #receiving: Connection;
  readonly #topology: Topology;
  readonly #publisher: Publisher;
  readonly #life: TransportLife;
  #receives = false;

  constructor(settings: RabbitmqSettings, { bucketIdleMs, settlingMs }: QueueTimes) {
    const { host, name, topology: mode, delaysMs } = settings;
    const { clock } = host;
    const silent = new SilentQueues(clock);
    const shared = { ...settings, mode, clock, settlingMs, silent };
    this.#delays = { delaysMs, idleMs: bucketIdleMs, clock, isSilent: (queue) => silent.has(queue) };
    this.#settings = settings;
    this.#sending = new Connection({ ...shared, name: `${name} (sending)` });
    this.#receiving = new Connection({ ...shared, name: `${name} (receiving)` });
    // Asked of the broker on the connection it always reads, where there is one. Both share what they know: a queue that
    // is being made is there for some questions, and for others not yet.
    const connection = () => (this.#receives ? this.#receiving : this.#sending);
    this.#topology = new Topology({ ...shared, connection });
    this.#publisher = new Publisher({ ...shared, connection: this.#sending, topology: this.#topology });
    this.#life = new TransportLife(this.broker, async () => {
      await Promise.all([this.#sending.close(), this.#receiving.close()]);
    });
  }

  async send(
    to: Address,
    message: Message,
    { delayMs = 0, onward = false, sendId = null }: SendOptions = {},
  ): Promise<void> {
    const { delaysMs, user } = this.#settings;
    const longestMs = longestDelay(delaysMs);
    const waitMs = onward ? Math.min(delayMs, longestMs) : delayMs;
    requireNumber("delayMs", waitMs, { min: 0, max: longestMs });
    const name = queueName(to);
    requireNoWait(name, waitMs);
    const bucket = waitMs > 0 ? delayBucket(name, waitMs, this.#delays) : null;
    // Whoever sends may use his buffer again at once, and we may have to wait for the broker.
    const copy = { ...message, body: Buffer.from(message.body) };
    const own = this.#sendId(sendId);
    const parcel = onward
      ? encodeOnward(copy, user, own)
      : encodeMessage(copy, { user, delayed: bucket !== null, sendId: own });
    const target = bucket === null ? { name } : { name: bucket.name, bucket };
    await this.#life.send(() => this.#publisher.publish(target, parcel));
  }

  async sendVia(route: Route, message: Message, { sendId = null }: Pick<SendOptions, "sendId"> = {}): Promise<void> {
    const copy = { ...message, body: Buffer.from(message.body) };
    const parcel = encodeOnward(copy, this.#settings.user, this.#sendId(sendId));
    await this.#life.send(() => this.#publisher.publishVia(route, parcel));
  }

  async sendBack(to: Address, message: Message): Promise<void> {
    const copy = { ...message, body: Buffer.from(message.body) };
    const parcel = encodeReturned(copy, this.#settings.user);
    await this.#life.send(() => this.#publisher.publish({ name: queueName(to) }, parcel));
  }

  async findBroker(): Promise<void> {
    await this.#life.send(async () => closeQuietly(await (await this.#sending.open()).openChannel()));
  }

  depth(of: Address): Promise<number> {
    return this.#life.ask(() => this.#topology.countMessages(queueName(of)));
  }

  async consume(from: Address, handle: Handle, options: ConsumeOptions): Promise<void> {
    const { host, user, answerWithinMs, acknowledge } = this.#settings;
    await this.#life.consume(() => {
      requireConsumeOptions(options);
      requireNumber("prefetch", options.prefetch, { min: 1, max: mostPrefetch });
      requireQueueName(queueName(from));
      this.#receives = true;
      return new RabbitmqConsumer({
        receiving: this.#receiving,
        sending: this.#sending,
        topology: this.#topology,
        publisher: this.#publisher,
        coalesce: acknowledge === "coalesced",
        delays: this.#delays,
        ...{ user, answerWithinMs, host, from, handle, options },
      });
    });
  }

  #sendId(given: string | null): string {
    return given ?? this.#settings.host.newId();
  }

  close(): Promise<void> {
    return this.#life.close();
  }
}
