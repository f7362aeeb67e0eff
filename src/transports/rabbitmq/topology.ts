import type { Channel } from "amqplib";
import { type Clock, pause } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { requireOption } from "../../domain/options.ts";
import { queueNames } from "../../domain/wire.ts";
import { answerWithin } from "../answering-link.ts";
import { closeQuietly } from "./close-quietly.ts";
import type { Connection } from "./connection.ts";
import type { DelayBucket } from "./delay-buckets.ts";
import {
  bucketArguments,
  isLastQueue,
  lastQueueArguments,
  type QueueArguments,
  workQueueArguments,
} from "./queue-arguments.ts";
import { isDirectReply, isReservedName } from "./reply-addresses.ts";
import type { ServerRules } from "./server-version.ts";
import { unavailable } from "./unavailable.ts";

export type TopologyMode = "make" | "check" | "leave";

export interface TopologyParts {
  /** The connection to ask on. */
  readonly connection: () => Connection;
  readonly mode: TopologyMode;
  readonly orderedQueues: readonly string[] | "all";
  readonly answerWithinMs: number;
  /** How old a queue has to be before anything is entrusted to it, in milliseconds. */
  readonly settlingMs: number;
  readonly clock: Clock;
}

/** How a message gets to a queue: by the default exchange "" and its name, or by what is bound. */
export interface Route {
  readonly exchange: string;
  readonly key: string;
}

/** A queue that is sent to. */
export type Target = { readonly name: string; readonly bucket?: DelayBucket };

/** So many exclusive queues of others are known at a time. */
const mostExclusive = 1_000;

/** Sees to it that the queues are there that messages are sent to and taken from, as far as it may. */
export class Topology {
  readonly #parts: TopologyParts;
  readonly #known = new Set<string>();
  /** Queues that were exclusively somebody else's when they were last looked for, the oldest first. */
  readonly #exclusive = new Set<string>();
  readonly #exchanges = new Set<string>();
  /** Delay queues that are there, and when each was first seen. */
  readonly #buckets = new Map<string, number>();
  readonly #ensuring = new Map<string, Promise<void>>();

  constructor(parts: TopologyParts) {
    this.#parts = parts;
  }

  /** A queue that was somebody else's alone is not made in its place: what is sent there would wait for no one. */
  mayMake({ name }: Target): boolean {
    return this.#makes && !isReservedName(name) && !this.#exclusive.has(name);
  }

  notFound(target: Target): OfficeError {
    const isOnes = isReservedName(target.name) || this.#exclusive.has(target.name);
    return isOnes ? gone(target) : queueNotFound(target);
  }

  get #makes(): boolean {
    return this.#parts.mode === "make";
  }

  /** Whether nothing needs to be done before sending there. */
  isReady({ name, bucket }: Target): boolean {
    if (this.#parts.mode === "leave" || isDirectReply(name)) return true;
    return bucket === undefined ? this.#known.has(name) : this.#buckets.has(name);
  }

  /** Resolves when the queue is there; rejects with QUEUE_NOT_FOUND if it is not and may not be made. */
  ensure(target: Target): Promise<void> {
    const { name } = target;
    const under = this.#ensuring.get(name);
    if (under !== undefined) return under;
    const ensuring = this.#ensure(target).finally(() => this.#ensuring.delete(name));
    this.#ensuring.set(name, ensuring);
    return ensuring;
  }

  /** How many messages of a queue nobody has in hand; none where there is no such queue. */
  async countMessages(name: string): Promise<number> {
    let count = 0;
    await this.#isThere(`queue ${name}`, async (channel) => {
      count = (await channel.checkQueue(name)).messageCount;
    });
    return count;
  }

  /** It is not there after all. */
  forget({ name }: Target): void {
    this.#known.delete(name);
    this.#buckets.delete(name);
  }

  /** As `ensure`, for a consumer that needs to be the only one at work: order across consumers is the queue's to keep. */
  async ensureOrdered(name: string): Promise<void> {
    if (!this.#makes) return this.ensure({ name });
    const isNew = !(await this.#exists(name));
    await this.#makeWorkQueue(name, true);
    if (isNew) await this.#settled();
    this.#known.add(name);
  }

  /** Sending to an exchange that does not exist closes the channel, with all that is on its way there. */
  async requireExchange(name: string): Promise<void> {
    if (name === "" || this.#exchanges.has(name)) return;
    if (!(await this.#isThere(`exchange ${name}`, (channel) => channel.checkExchange(name)))) throw noExchange(name);
    this.#exchanges.add(name);
  }

  forgetExchanges(): void {
    this.#exchanges.clear();
  }

  async #ensure(target: Target): Promise<void> {
    const { name, bucket } = target;
    // A message that finds no queue when its time comes stays where it is, and RabbitMQ looks again in three minutes.
    if (bucket !== undefined && this.#makes && !this.isReady({ name: bucket.queue }))
      await this.ensure({ name: bucket.queue });
    const isNew = !(await this.#exists(name));
    if (isNew) await this.#makeOrRefuse(target);
    // One for delays may have been made a moment ago by somebody else: where one message fails, others do elsewhere.
    if (isNew || (bucket !== undefined && this.#makes)) await this.#settled();
    if (bucket === undefined) this.#known.add(name);
    else this.#noteBucket(bucket);
  }

  /**
   * RabbitMQ notes down in its own time which quorum queues there are, half a second to a second after they were made. If
   * all servers of a queue are killed before that, it never answers again, and what it has confirmed is gone.
   */
  #settled(): Promise<void> {
    return pause(this.#parts.clock, this.#parts.settlingMs);
  }

  /** Those that nobody sends to any more are forgotten: each period has its own. */
  #noteBucket({ name, idleMs }: DelayBucket): void {
    const now = this.#parts.clock.now();
    if (idleMs !== null) {
      for (const [old, seenAt] of this.#buckets) if (now - seenAt > idleMs) this.#buckets.delete(old);
    }
    this.#buckets.set(name, now);
  }

  async #makeOrRefuse(target: Target): Promise<void> {
    const { name, bucket } = target;
    if (!this.mayMake(target)) throw this.notFound(target);
    if (bucket !== undefined) await this.#declare(name, () => bucketArguments(bucket));
    else if (isLastQueue(name)) await this.#declare(name, (rules) => lastQueueArguments(rules));
    else await this.#makeWorkQueue(name, this.#isOrdered(name));
  }

  async #makeWorkQueue(name: string, ordered: boolean): Promise<void> {
    const letters = queueNames.deadLetters(name);
    if (!(await this.#exists(letters))) await this.#declare(letters, (rules) => lastQueueArguments(rules));
    const made = await this.#declare(name, (rules) => workQueueArguments(name, rules, ordered));
    if (ordered && made !== "made" && made.includes("x-single-active-consumer")) throw notOrdered(name);
  }

  #isOrdered(name: string): boolean {
    const { orderedQueues } = this.#parts;
    return orderedQueues === "all" || orderedQueues.includes(name);
  }

  async #exists(name: string): Promise<boolean> {
    const found = await this.#isThere(`queue ${name}`, (channel) => channel.checkQueue(name));
    if (found === "exclusive") this.#noteExclusive(name);
    else if (found) this.#exclusive.delete(name);
    return found !== false;
  }

  /** Each requester has another: those that nobody has sent to for long are forgotten. */
  #noteExclusive(name: string): void {
    this.#exclusive.delete(name);
    this.#exclusive.add(name);
    const [oldest] = this.#exclusive;
    if (oldest === undefined || this.#exclusive.size <= mostExclusive) return;
    this.#exclusive.delete(oldest);
    this.#known.delete(oldest);
  }

  /** RabbitMQ lets no one touch what is exclusively another's, or says a word of it but that it is locked: so it is there. */
  async #isThere(what: string, ask: (channel: Channel) => Promise<unknown>): Promise<boolean | "exclusive"> {
    try {
      await this.#on(ask);
      return true;
    } catch (error) {
      if (codeOf(error) === 404) return false;
      if (codeOf(error) === 405) return "exclusive";
      throw unavailable(`RabbitMQ could not say whether the ${what} exists`, error);
    }
  }

  /** "made" if it is there now, as asked; what differs if somebody made it otherwise: his word goes. */
  async #declare(name: string, argumentsFor: (rules: ServerRules) => QueueArguments): Promise<string> {
    const { rules } = await this.#parts.connection().open();
    try {
      await this.#on((channel) => channel.assertQueue(name, { durable: true, arguments: argumentsFor(rules) }));
      return "made";
    } catch (error) {
      if (codeOf(error) === 406 && error instanceof Error) return error.message;
      throw unavailable(`RabbitMQ could not make the queue ${name}`, error);
    }
  }

  /** Each question on a channel of its own: a no closes it. */
  async #on(ask: (channel: Channel) => Promise<unknown>): Promise<void> {
    const { clock, answerWithinMs } = this.#parts;
    const connection = this.#parts.connection();
    const channel = await (await connection.open()).openChannel();
    try {
      await answerWithin(ask(channel), clock, answerWithinMs);
    } catch (error) {
      throw connection.causeOf(error);
    }
    void closeQuietly(channel);
  }
}

/** RabbitMQ makes up a name for a queue that has none. */
export function requireQueueName(name: string): void {
  const bytes = Buffer.byteLength(name);
  requireOption(bytes > 0 && bytes <= 255, "queue", "a name of 1 to 255 bytes for RabbitMQ", name);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function queueNotFound({ name, bucket }: Target): OfficeError {
  const remedy =
    bucket === undefined
      ? 'Make it, or let the transport do so with `topology: "make"`.'
      : `Make it with x-message-ttl ${bucket.delayMs}, dead-lettering to ${bucket.queue}, or name the delays there are in \`delaysMs\`.`;
  return new OfficeError("QUEUE_NOT_FOUND", `RabbitMQ has no queue ${name}. ${remedy}`, { details: { queue: name } });
}

function gone({ name }: Target): OfficeError {
  const text = `RabbitMQ has no queue ${name}. It was a requester's own and went with it: no one waits for this answer any more.`;
  return new OfficeError("QUEUE_NOT_FOUND", text, { details: { queue: name } });
}

function noExchange(exchange: string): OfficeError {
  const text = `RabbitMQ has no exchange ${exchange}. Make it, or send to a queue.`;
  return new OfficeError("QUEUE_NOT_FOUND", text, { details: { exchange } });
}

export function nothingBound({ exchange, key }: Route): OfficeError {
  const text = `No queue is bound to the exchange ${exchange} for the key ${key}: nobody got the message. Bind one, or send to a queue.`;
  return new OfficeError("QUEUE_NOT_FOUND", text, { details: { exchange, routingKey: key } });
}

function notOrdered(name: string): OfficeError {
  return new OfficeError(
    "INVALID_OPTION",
    `\`order: "key"\` needs a queue with a single active consumer, and ${name} was made without. Make it anew with ` +
      "x-single-active-consumer, and name it in `orderedQueues` wherever messages are sent to it.",
    { details: { queue: name } },
  );
}
