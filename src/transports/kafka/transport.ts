import type { ConnectionOptions } from "node:tls";
import type { Host } from "../../domain/clock.ts";
import type { Address, Message } from "../../domain/message.ts";
import { requireNumber, requireOneOf, requireOption, withDefaults } from "../../domain/options.ts";
import { systemHost } from "../../system/host.ts";
import { BrokerTime } from "../broker-time.ts";
import { requireConsumeOptions } from "../consume-options.ts";
import { ordinaryReplies } from "../ordinary-replies.ts";
import type { Capabilities, ConsumeOptions, Handle, SendOptions, Shortcomings, Transport } from "../transport.ts";
import { TransportLife } from "../transport-life.ts";
import { KafkaConsumer } from "./consumer.ts";
import type { KafkaBrokerAddress, KafkaDriver } from "./driver.ts";
import { PlatformaticDriver } from "./platformatic/driver.ts";
import { defaultRetryWaitsMs } from "./retry-waits.ts";
import { requireGroup, Sender } from "./sender.ts";
import { Topology } from "./topology.ts";

/** How to prove who one is. */
export interface KafkaSasl {
  readonly mechanism: "PLAIN" | "SCRAM-SHA-256" | "SCRAM-SHA-512" | "OAUTHBEARER";
  readonly username?: string;
  readonly password?: string;
  /** For OAUTHBEARER; asked for anew at each connection. */
  readonly token?: string | (() => string | Promise<string>);
}

export interface KafkaTransportOptions {
  /** Some brokers to begin with, as "host:port"; they know the others. */
  readonly brokers: readonly string[];
  /** What brokers call this client in their logs and quotas. @default "dead-letter-office" */
  readonly clientId?: string;
  /** Options of node:tls; null for none. @default null */
  readonly tls?: ConnectionOptions | null;
  /** Null for none. @default null */
  readonly sasl?: KafkaSasl | null;
  /**
   * Where a broker is reached that says it is at this address, as behind a tunnel or a forwarded port.
   * @default where it says
   */
  readonly addressOf?: (broker: KafkaBrokerAddress) => KafkaBrokerAddress;
  /** "make" makes topics that are missing; "check" refuses to work without them. @default "make" */
  readonly topology?: "make" | "check";
  /** Partitions of the topics it makes, except retry topics, which have as many as their queue's. -1: the broker's own default. @default -1 */
  readonly partitions?: number;
  /** Replicas of the topics it makes. -1: the broker's own default. @default -1 */
  readonly replicas?: number;
  /**
   * The largest message the topics it makes take, in bytes. It must be more than the queue's own topic takes: a dead letter
   * carries headers that the message had not. @default 10_485_760
   */
  readonly maxMessageBytes?: number;
  /**
   * The waits there is a retry topic for, in milliseconds, rising, the first of them 0. A delay is made of one or more
   * waits; if none is more than twice as long as the one before, no delay grows by more than a quarter.
   * @default 0, and 1 s to 1,024 s, each twice as long
   */
  readonly retryWaitsMs?: readonly number[];
  /** Where a group begins that has never committed anything. "latest" passes over what is already there. @default "earliest" */
  readonly startFrom?: "earliest" | "latest";
  /**
   * After how much silence the broker takes a consumer for dead and gives its partitions to others, in milliseconds. Too
   * short, and a busy process loses them; too long, and what a dead one had waits. @default 15_000
   */
  readonly sessionTimeoutMs?: number;
  /** How long handlers at work may take to finish before their partition goes to another consumer, in milliseconds. @default 60_000 */
  readonly handOverMs?: number;
  /** How long a broker may take to answer, in milliseconds; after that the answer is unknown. @default 10_000 */
  readonly answerWithinMs?: number;
  /** Clock, dice and ids. @default the host's own */
  readonly host?: Host;
}

type Settings = Omit<KafkaTransportOptions, "brokers">;

export const kafkaTransportDefaults: Required<Settings> = {
  clientId: "dead-letter-office",
  tls: null,
  sasl: null,
  addressOf: (broker) => broker,
  topology: "make",
  partitions: -1,
  replicas: -1,
  maxMessageBytes: 10_485_760,
  retryWaitsMs: defaultRetryWaitsMs,
  startFrom: "earliest",
  sessionTimeoutMs: 15_000,
  handOverMs: 60_000,
  answerWithinMs: 10_000,
  host: systemHost,
};

export const kafkaCapabilities: Capabilities = {
  atomicOnward: false,
  order: true,
  holdsBack: true,
  deliveryCount: false,
  lease: false,
  typedHeaders: false,
  repeatedHeaders: true,
  replyAddresses: false,
};

export const kafkaShortcomings: Shortcomings = {
  ...ordinaryReplies,
  atomicOnward: "its transactions hold up every reader of committed messages: confirmed first, then committed",
  deliveryCount: "a log does not count who read it",
  lease: "a partition belongs to its consumer until the group gives it to another",
  typedHeaders: "header values are bytes",
};

/**
 * Kafka, from version 2.8 on. A queue is a topic and the group that reads it: `{ name: "orders", group: "billing" }`.
 * Needs the package `@platformatic/kafka`.
 */
export function kafkaTransport({ brokers, ...options }: KafkaTransportOptions): Transport {
  const settings = withDefaults<Settings>(kafkaTransportDefaults, options);
  requireSettings(settings);
  const { clientId, tls, sasl, addressOf, answerWithinMs, host } = settings;
  const driver = new PlatformaticDriver(
    {
      ...{ clientId, addressOf, answerWithinMs, brokers: readBrokers(brokers) },
      ...{ tls: tls ?? undefined, sasl: sasl ?? undefined },
    },
    host,
  );
  return new KafkaTransport(driver, settings);
}

class KafkaTransport implements Transport {
  readonly broker = "kafka";
  readonly capabilities = kafkaCapabilities;
  readonly shortcomings = kafkaShortcomings;
  readonly #driver: KafkaDriver;
  readonly #settings: Required<Settings>;
  readonly #topology: Topology;
  readonly #time: BrokerTime;
  readonly #sender: Sender;
  readonly #life: TransportLife;

  constructor(driver: KafkaDriver, settings: Required<Settings>) {
    const { host } = settings;
    this.#driver = driver;
    this.#settings = settings;
    this.#topology = new Topology(driver, settings, host.clock);
    this.#time = new BrokerTime(host.clock);
    this.#sender = new Sender(driver, this.#topology, this.#time, host.random);
    this.#life = new TransportLife("Kafka", () => driver.close());
  }

  async send(to: Address, message: Message, { delayMs = 0 }: SendOptions = {}): Promise<void> {
    requireNumber("delayMs", delayMs, { min: 0 });
    await this.#life.send(() => this.#sender.send(to, message, delayMs));
  }

  async consume(from: Address, handle: Handle, options: ConsumeOptions): Promise<void> {
    requireConsumeOptions(options);
    await this.#life.consume(() => {
      return new KafkaConsumer({
        ...{ driver: this.#driver, topology: this.#topology, sender: this.#sender, time: this.#time },
        ...{ settings: this.#settings, host: this.#settings.host, from: requireGroup(from), handle, options },
      });
    });
  }

  close(): Promise<void> {
    return this.#life.close();
  }
}

function readBrokers(brokers: readonly string[]): KafkaBrokerAddress[] {
  requireOption(Array.isArray(brokers) && brokers.length > 0, "brokers", 'a list like ["127.0.0.1:9092"]');
  return brokers.map((broker) => {
    const [, host, port] = /^\[?([^\]]+)\]?:(\d+)$/.exec(broker) ?? [];
    requireOption(host !== undefined, "brokers", 'a list like ["127.0.0.1:9092"]', broker);
    return { host: host ?? "", port: Number(port) };
  });
}

function requireSettings(settings: Required<Settings>): void {
  const { topology, startFrom, partitions, replicas, retryWaitsMs } = settings;
  requireOneOf("topology", topology, ["make", "check"]);
  requireOneOf("startFrom", startFrom, ["earliest", "latest"]);
  requireNumber("partitions", partitions, { min: -1, integer: true });
  requireNumber("replicas", replicas, { min: -1, integer: true });
  requireNumber("maxMessageBytes", settings.maxMessageBytes, { min: 1, max: 1_073_741_824, integer: true });
  requireNumber("sessionTimeoutMs", settings.sessionTimeoutMs, { min: 100, integer: true });
  requireNumber("handOverMs", settings.handOverMs, { min: 0 });
  requireNumber("answerWithinMs", settings.answerWithinMs, { min: 1, integer: true });
  const rises = retryWaitsMs.every(
    (waitMs, index) => Number.isInteger(waitMs) && waitMs > (retryWaitsMs[index - 1] ?? -1),
  );
  const isLadder = rises && retryWaitsMs[0] === 0 && retryWaitsMs.length > 1;
  requireOption(isLadder, "retryWaitsMs", "0 and at least one longer wait, in whole milliseconds that rise");
}
