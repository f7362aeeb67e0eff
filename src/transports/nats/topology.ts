import type { ConsumerInfo, StreamConfig } from "@nats-io/jetstream";
import { askOnce } from "../../domain/ask-once.ts";
import { OfficeError } from "../../domain/errors.ts";
import { type Address, queueName } from "../../domain/message.ts";
import { requireOption } from "../../domain/options.ts";
import type { NatsConnection } from "./connection.ts";
import { orNull, streamOf } from "./facts.ts";
import { hasWildcards, isBeside, ourSubjects, splitName, wordOf } from "./names.ts";

/** Where messages of a queue are put: a subject, and the stream that has it. */
export interface Place {
  readonly stream: string;
  readonly subject: string;
}

/** A consumer of JetStream: what has been read of a stream, or of some of its subjects, by a group. */
export interface Reader extends Place {
  readonly consumer: string;
  /** After how long without an answer the server gives a message to somebody else, in milliseconds. */
  readonly ackWaitMs: number;
}

/** A queue as its consumers see it. */
export interface NatsQueue {
  /** `orders.billing`: by which it is told from others. */
  readonly name: string;
  readonly main: Reader;
  /** What comes again for this group alone, with what it has changed to. */
  readonly again: Reader;
  /** What comes again with an attempt it is charged with: it may have killed its consumer, and is taken one at a time. */
  readonly charged: Reader;
  /** What waits for its time, of all groups of this name. */
  readonly delayed: Reader;
}

export interface TopologyParts {
  readonly connection: NatsConnection;
  readonly group: string;
  /** What our own stream is called. */
  readonly stream: string;
  readonly replicas: number;
  readonly ackWaitMs: number;
  readonly startFrom: "earliest" | "latest";
  /** Whether streams of queues are made that are not there. */
  readonly makes: boolean;
}

/** Finds the streams and consumers of queues, and makes those that are missing; each is asked for once. */
export class Topology {
  readonly #parts: TopologyParts;
  readonly #places = new Map<string, Promise<Place>>();
  readonly #queues = new Map<string, Promise<NatsQueue>>();
  #ours: Promise<string> | null = null;

  constructor(parts: TopologyParts) {
    this.#parts = parts;
  }

  place({ name }: Address): Promise<Place> {
    return askOnce(this.#places, name, () => this.#findPlace(name));
  }

  queue(address: Address): Promise<NatsQueue> {
    const { name, group = this.#parts.group } = address;
    requireOption(typeof group === "string" && group !== "", "group", "a group's name", group);
    return askOnce(this.#queues, `${wordOf(name)} ${group}`, () => this.#findQueue(name, group, queueName(address)));
  }

  /** Where something waits for its time. */
  async delayed(name: string): Promise<Place> {
    return { stream: await this.#ourStream(), subject: ourSubjects.delayed(name) };
  }

  /** Somebody deleted something: all is looked for again. */
  forget(): void {
    this.#places.clear();
    this.#queues.clear();
    this.#ours = null;
  }

  /**
   * Looks whether subjects have gone to other streams. What is found nowhere stays as it was known, and nothing is made: whoever
   * moves a subject takes it out of one stream before he puts it into the other.
   */
  async lookAgain(): Promise<void> {
    await Promise.all([...this.#places].map(([name, finding]) => this.#lookFor(name, finding)));
  }

  async #lookFor(name: string, finding: Promise<Place>): Promise<void> {
    const makes = false;
    const [known, found] = await Promise.all(
      [finding, this.#findPlace(name, makes)].map((each) => each.catch(nowhere)),
    );
    if (!known || !found || known.stream === found.stream) return;
    this.#places.set(name, Promise.resolve(found));
    for (const queue of this.#queues.keys()) if (queue.startsWith(`${wordOf(name)} `)) this.#queues.delete(queue);
  }

  async #findQueue(name: string, group: string, queue: string): Promise<NatsQueue> {
    const place = await this.place({ name });
    const main = await this.#mainReader(place, group);
    const [again, charged, delayed] = await Promise.all([
      this.#ourReader(ourSubjects.again(queue)),
      this.#ourReader(ourSubjects.charged(queue)),
      this.#ourReader(ourSubjects.delayed(name)),
    ]);
    return { name: queue, main, again, charged, delayed };
  }

  async #findPlace(name: string, makes = this.#parts.makes): Promise<Place> {
    const { stream, subject } = splitName(name);
    if (stream !== null) return { stream, subject };
    const found = await streamOf(this.#parts.connection, subject);
    if (isBeside(name) && !found?.config.subjects.includes(subject)) {
      return { stream: await this.#ourStream(), subject: ourSubjects.queue(name) };
    }
    return { stream: found?.config.name ?? (await this.#makeStream(subject, makes)), subject };
  }

  async #makeStream(subject: string, makes: boolean): Promise<string> {
    if (!makes || hasWildcards(subject)) {
      const text = `No stream has the subject ${subject}. Make one (\`nats stream add\`), or see how the queue is called.`;
      throw new OfficeError("QUEUE_NOT_FOUND", text, { details: { queue: subject } });
    }
    return this.#addStream({ name: wordOf(subject), subjects: [subject] });
  }

  #ourStream(): Promise<string> {
    this.#ours ??= this.#addOurStream().catch((error: unknown) => {
      this.#ours = null;
      throw error;
    });
    return this.#ours;
  }

  /** One that is there may have been made by somebody else, with limits and replicas of theirs. */
  async #addOurStream(): Promise<string> {
    const { connection, stream } = this.#parts;
    const found = await orNull(connection.manage((manager) => manager.streams.info(stream)));
    return found === null ? this.#addStream({ name: stream, subjects: [...ourSubjects.all] }) : stream;
  }

  /** What was acknowledged is gone from it, as from a queue. */
  async #addStream(config: Pick<StreamConfig, "name" | "subjects">): Promise<string> {
    const { connection, replicas } = this.#parts;
    const added = { ...config, retention: "workqueue", storage: "file", num_replicas: replicas } as const;
    await connection.manage((manager) => manager.streams.add(added));
    return config.name;
  }

  /**
   * The durable consumer of the group's name, if it reads this subject. Where a stream has several subjects, one that we make
   * is called after both, since a consumer reads one.
   */
  async #mainReader(place: Place, group: string): Promise<Reader> {
    if (place.stream === this.#parts.stream) return this.#ourReader(place.subject);
    const { connection } = this.#parts;
    const { config } = await connection.manage((manager) => manager.streams.info(place.stream));
    const isWhole = config.subjects.length === 1 && config.subjects[0] === place.subject;
    const reads = ({ config: { filter_subject: filter = "" } }: ConsumerInfo) =>
      filter === place.subject || (isWhole && filter === "");
    const named = await this.#consumer(place.stream, wordOf(group));
    if (named !== null && reads(named)) return readerOf(place, named);
    const name = isWhole ? wordOf(group) : wordOf(`${group}.${place.subject}`);
    // Of a work queue nobody may pass anything over.
    const isQueue = config.retention === "workqueue";
    return this.#reader(place, name, isQueue || this.#parts.startFrom === "earliest" ? "all" : "new");
  }

  /** Whoever reads there shares it: a work queue has one reader of a subject. */
  async #ourReader(subject: string): Promise<Reader> {
    const stream = await this.#ourStream();
    return this.#reader({ stream, subject }, subject.split(".").slice(1).join("-"), "all");
  }

  async #reader(place: Place, name: string, from: "all" | "new"): Promise<Reader> {
    const found = await this.#consumer(place.stream, name);
    return readerOf(place, found ?? (await this.#addConsumer(place, name, from)));
  }

  #consumer(stream: string, name: string): Promise<ConsumerInfo | null> {
    return orNull(this.#parts.connection.manage((manager) => manager.consumers.info(stream, name)));
  }

  /** No limits of its own: what we hold is limited by what we ask for, and how often something is tried, by us. */
  #addConsumer({ stream, subject }: Place, name: string, from: "all" | "new"): Promise<ConsumerInfo> {
    const { connection, ackWaitMs } = this.#parts;
    return connection.manage((manager) =>
      manager.consumers.add(stream, {
        durable_name: name,
        filter_subject: subject,
        ack_policy: "explicit",
        ack_wait: ackWaitMs * 1e6,
        max_ack_pending: -1,
        max_deliver: -1,
        deliver_policy: from,
      }),
    );
  }
}

function nowhere(): null {
  return null;
}

function readerOf(place: Place, { name, config }: ConsumerInfo): Reader {
  const { deliver_subject: pushesTo, ack_policy: policy, ack_wait: ackWaitNs = 30e9 } = config;
  requireOption(
    pushesTo === undefined && policy === "explicit",
    "group",
    "a pull consumer with explicit acknowledgement; the one of this name is another. Name another group, or make it so",
    name,
  );
  return { ...place, consumer: name, ackWaitMs: ackWaitNs / 1e6 };
}
