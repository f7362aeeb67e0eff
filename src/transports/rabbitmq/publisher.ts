import type { ConfirmChannel } from "amqplib";
import type { Cancel, Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { SlotList, type Slotted } from "../../domain/slot-list.ts";
import { closeQuietly } from "./close-quietly.ts";
import type { Connection } from "./connection.ts";
import type { Parcel } from "./message-codec.ts";
import { publishRaw } from "./raw-frames.ts";
import { isDirectReply } from "./reply-addresses.ts";
import type { SilentQueues } from "./silent-queues.ts";
import { nothingBound, type Route, requireQueueName, type Target, type Topology } from "./topology.ts";
import { unavailable } from "./unavailable.ts";

export interface PublisherParts {
  readonly connection: Connection;
  readonly topology: Topology;
  readonly silent: SilentQueues;
  readonly answerWithinMs: number;
  readonly blockedWithinMs: number;
  readonly clock: Clock;
}

type Outcome = "confirmed" | "returned" | OfficeError;

/** A message of which the broker has not yet said what became of it. */
interface Pending extends Slotted, Route {
  /** By which it is known again when it comes back. */
  readonly properties: Buffer;
  readonly line: Line;
  /** Its place among those sent on its line. */
  readonly number: number;
  readonly sentAt: number;
  cancel: Cancel;
  settle(outcome: Outcome): void;
}

/** A channel to send on. */
interface Line {
  readonly channel: ConfirmChannel;
  /** How much fits into a message's properties there. */
  readonly propertiesLimit: number;
  /** Why the broker closed it, if it did. */
  refusal: unknown;
  sent: number;
  /** The highest number it has answered. */
  answered: number;
  /** When it has last answered anything, or was opened. */
  answeredAt: number;
}

/** Sends messages to queues, and knows when the broker has them. */
export class Publisher {
  readonly #parts: PublisherParts;
  readonly #pending = new SlotList<Pending>();
  #line: Line | null = null;
  #opening: Promise<Line> | null = null;
  /** When the broker last began to read again, having been short of something. */
  #readsSince = 0;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
    parts.connection.onBlocked((blocked) => {
      if (blocked === null) this.#readsSince = parts.clock.now();
    });
  }

  /**
   * Resolves when the broker has the message: in the queue, or, for a requester that waits without one, on its way there, of which
   * nothing is known afterwards. Rejects with QUEUE_NOT_FOUND if there is no such queue and it may not be
   * made, with MESSAGE_TOO_LARGE if it does not fit, with TRANSPORT_UNAVAILABLE if the broker refused or did not answer.
   */
  async publish(target: Target, parcel: Parcel): Promise<void> {
    const { topology, connection } = this.#parts;
    requireQueueName(target.name);
    for (let again = false; ; again = true) {
      if (connection.blocked !== null) await this.#unblocked();
      if (!topology.isReady(target)) await topology.ensure(target);
      const line = this.#line ?? (await this.#open());
      requireRoom(parcel, line.propertiesLimit);
      if ((await this.#send(line, { exchange: "", key: target.name }, parcel)) === "confirmed") return;
      // It was there and is gone: it expired, or somebody deleted it.
      topology.forget(target);
      if (again || !topology.mayMake(target)) throw topology.notFound(target);
    }
  }

  /**
   * Sends it by an exchange. Resolves when a queue has the message. Rejects with QUEUE_NOT_FOUND if there is no such exchange, or
   * no queue is bound to it for that key: then nobody has it.
   */
  async publishVia(route: Route, parcel: Parcel): Promise<void> {
    const { topology, connection } = this.#parts;
    if (connection.blocked !== null) await this.#unblocked();
    await topology.requireExchange(route.exchange);
    const line = this.#line ?? (await this.#open());
    requireRoom(parcel, line.propertiesLimit);
    if ((await this.#send(line, route, parcel)) === "returned") throw nothingBound(route);
  }

  #send(line: Line, route: Route, parcel: Parcel): Promise<"confirmed" | "returned"> {
    return new Promise((resolve, reject) => {
      const tell = (outcome: Outcome) => (typeof outcome === "string" ? resolve(outcome) : reject(outcome));
      const pending = this.#expect(line, { ...route, properties: parcel.properties }, tell);
      const refused = (error: unknown) =>
        unavailable(`RabbitMQ did not take a message for ${route.key}`, line.refusal ?? error);
      try {
        const mandatory = route.exchange !== "" || !isDirectReply(route.key);
        publishRaw(line.channel, { exchange: route.exchange, to: route.key, mandatory, ...parcel }, (error) => {
          line.answered = Math.max(line.answered, pending.number);
          line.answeredAt = this.#parts.clock.now();
          pending.settle(error === null ? "confirmed" : refused(error));
        });
      } catch (error) {
        pending.settle(unavailable("The connection to RabbitMQ was lost", error));
      }
    });
  }

  #expect(line: Line, sent: Pick<Pending, keyof Route | "properties">, tell: (outcome: Outcome) => void): Pending {
    const { clock, answerWithinMs } = this.#parts;
    line.sent += 1;
    const pending: Pending = {
      slot: -1,
      ...sent,
      line,
      number: line.sent,
      sentAt: clock.now(),
      cancel: clock.after(answerWithinMs, () => this.#overdue(pending)),
      settle: (outcome) => {
        pending.cancel();
        this.#pending.remove(pending);
        tell(outcome);
      },
    };
    this.#pending.add(pending);
    return pending;
  }

  /** A broker that is short of memory or disk says so and reads nothing until it has some: that is worth waiting for. */
  #overdue(pending: Pending): void {
    const { connection, clock, answerWithinMs, blockedWithinMs } = this.#parts;
    const { blocked } = connection;
    const waitedMs = clock.now() - pending.sentAt;
    // What was held up has its time to be answered from when it is read.
    const leftMs = blocked === null ? this.#readsSince + answerWithinMs - clock.now() : answerWithinMs;
    if (blocked !== null && waitedMs >= blockedWithinMs) pending.settle(blockedError(blocked));
    else if (leftMs > 0) pending.cancel = clock.after(leftMs, () => this.#overdue(pending));
    else this.#giveUp(pending, waitedMs);
  }

  #giveUp(pending: Pending, waitedMs: number): void {
    const { clock, answerWithinMs, silent } = this.#parts;
    const { key, line, number } = pending;
    pending.settle(unavailable(`RabbitMQ did not confirm a message for ${key} in ${waitedMs} ms`));
    const isOvertaken = line.answered > number;
    const isMute = clock.now() - line.answeredAt >= answerWithinMs / 2;
    // Otherwise the broker is slow, and sending all of it again would not make it faster.
    if (isOvertaken || isMute) silent.note(key);
    if (isMute) this.#leave(line, key);
  }

  /**
   * A queue that does not answer holds up everything that was sent after it on the same channel, for a minute and more.
   * So what is still on its way there counts as unanswered, and goes on by another.
   */
  #leave(line: Line, culprit: string): void {
    if (this.#line === line) this.#line = null;
    void closeQuietly(line.channel);
    const held = this.#pending.all.filter((pending) => pending.line === line);
    for (const pending of held) pending.settle(unavailable(`A message for ${pending.key} is held up by ${culprit}`));
  }

  /** What is sent to a broker that reads nothing only piles up here. */
  #unblocked(): Promise<void> {
    const { connection, clock, blockedWithinMs } = this.#parts;
    return new Promise((resolve, reject) => {
      const finish = (blocked: string | null) => {
        cancelTimer();
        cancelListener();
        if (blocked === null) resolve();
        else reject(blockedError(blocked));
      };
      const cancelTimer = clock.after(blockedWithinMs, () => finish(connection.blocked));
      const cancelListener = connection.onBlocked(finish);
    });
  }

  #open(): Promise<Line> {
    this.#opening ??= this.#openLine().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #openLine(): Promise<Line> {
    const session = await this.#parts.connection.open();
    const channel = await session.openConfirmChannel();
    const line: Line = {
      ...{ channel, propertiesLimit: session.propertiesLimit },
      ...{ refusal: undefined, sent: 0, answered: 0, answeredAt: this.#parts.clock.now() },
    };
    this.#line = line;
    channel.on("error", (error) => {
      line.refusal = error;
      // The broker closes a channel that was sent to an exchange which is gone by now.
      this.#parts.topology.forgetExchanges();
    });
    channel.on("close", () => {
      if (this.#line === line) this.#line = null;
    });
    channel.on("return", ({ fields, properties }) =>
      this.#returned({ exchange: fields.exchange, key: fields.routingKey }, properties),
    );
    return line;
  }

  /**
   * No queue takes it. What comes back has no number to know it by, and is confirmed afterwards like any other. Where its
   * properties do not tell which it is, nothing that is on its way there counts as sent.
   */
  #returned({ exchange, key }: Route, properties: unknown): void {
    const there = this.#pending.all.filter((pending) => pending.exchange === exchange && pending.key === key);
    const itself = there.filter((pending) => Buffer.isBuffer(properties) && pending.properties.equals(properties));
    for (const pending of itself.length === 0 ? there : itself) pending.settle("returned");
  }
}

function requireRoom({ properties }: Parcel, limit: number): void {
  if (properties.length <= limit) return;
  throw new OfficeError(
    "MESSAGE_TOO_LARGE",
    `The headers and properties take ${properties.length} bytes, and RabbitMQ takes ${limit} here (its frame_max).`,
    { details: { bytes: properties.length, limit } },
  );
}

function blockedError(reason: string): OfficeError {
  return unavailable(`RabbitMQ takes no messages at the moment (${reason})`);
}
