import type { Cancel, Clock } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { type Address, type Header, type Message, queueName } from "../../domain/message.ts";
import { requireOption } from "../../domain/options.ts";
import { isCharged } from "../charged.ts";
import { possibleDelay, requireDelay } from "../delay.ts";
import type { PullLink, Taken, TakeOptions } from "../pull-link.ts";
import { type Acknowledge, acknowledging, notBefore } from "./acknowledge.ts";
import type { NatsConnection } from "./connection.ts";
import { Keeper } from "./keeper.ts";
import { isHeld } from "./lease.ts";
import type { Again } from "./message-codec.ts";
import { hasWildcards, ourSubjects } from "./names.ts";
import { asItCame, type Form, formsOf, publishFirst, requireRoom } from "./publishing.ts";
import { QueueReader } from "./queue-reader.ts";
import { type NatsReceipt, takenOf } from "./receipt.ts";
import { isNobodyThere } from "./refusal.ts";
import type { NatsQueue, Topology } from "./topology.ts";

export interface NatsLinkParts {
  readonly connection: NatsConnection;
  readonly topology: Topology;
  readonly clock: Clock;
  readonly lookEveryMs: number;
  /** Whether the server is to say that it has heard an acknowledgement. */
  readonly isDouble: boolean;
}

/** How often it is looked whether queues are still where they were, in milliseconds: a subject may move to another stream. */
const findAgainMs = 60_000;

/**
 * Queues as streams and consumers. What is in a stream does not change, so a message that comes again is sent again, for its
 * group alone, with what it has changed to; only then the one before it is acknowledged.
 */
export class NatsLink implements PullLink<NatsReceipt> {
  readonly #parts: NatsLinkParts;
  readonly #readers = new Map<string, QueueReader>();
  readonly #keeper: Keeper;
  readonly #acknowledge: Acknowledge;
  #foundAt: number;

  constructor(parts: NatsLinkParts) {
    this.#parts = parts;
    this.#foundAt = parts.clock.now();
    this.#acknowledge = acknowledging(parts.connection, parts.isDouble);
    this.#keeper = new Keeper(parts.clock, (receipts) => void this.#keep(receipts));
  }

  async send(to: Address, message: Message, delayMs: number, onward = false): Promise<void> {
    requireDelay(delayMs);
    const { connection, topology, clock } = this.#parts;
    const { subject } = await topology.place(to);
    requireOption(!hasWildcards(subject), "queue", "a subject without wildcards, to be sent to", subject);
    if (delayMs === 0) {
      if (!onward) await requireRoom(connection, message, { onward });
      await this.#publish(subject, formsOf(message, { onward }));
      return;
    }
    const dueAt = clock.now() + delayMs;
    // A group that is named gets it alone; otherwise all that read the subject do.
    const target = to.group === undefined ? subject : ourSubjects.again(queueName(to));
    const again = { deliveries: 0, redelivered: false, dueAt, to: target };
    const waiting = await topology.delayed(to.name);
    if (!onward) await requireRoom(connection, message, { onward });
    await this.#publish(waiting.subject, formsOf(message, { onward: true, again }));
    for (const reader of this.#readers.values())
      if (reader.queue.delayed.subject === waiting.subject) reader.sent(dueAt);
  }

  async take(from: Address, max: number, { leaseMs, report }: TakeOptions): Promise<readonly Taken<NatsReceipt>[]> {
    const { clock } = this.#parts;
    const askedAt = clock.now();
    const reader = await this.#reader(from);
    const pulled = await this.#orForget(reader.take(max, report));
    const taken = pulled.map((each) => takenOf(reader, each, { askedAt, now: clock.now(), leaseMs }));
    for (const [index, { receipt }] of taken.entries()) {
      this.#keeper.add(receipt);
      if (pulled[index]?.reader.subject === reader.queue.charged.subject) reader.holdsSuspect(receipt);
    }
    return taken;
  }

  async acknowledge(receipts: readonly NatsReceipt[]): Promise<void> {
    const held = receipts.filter((receipt) => isHeld(receipt, this.#parts.clock));
    await this.#acknowledge(held.map(({ acknowledgeOn }) => acknowledgeOn));
    for (const receipt of receipts) this.#release(receipt);
  }

  async giveBack(receipts: readonly NatsReceipt[]): Promise<void> {
    const again = ({ deliveryCount, redelivered }: NatsReceipt["taken"]) => ({
      deliveries: deliveryCount - 1,
      redelivered,
    });
    await Promise.all(receipts.map((each) => this.#sendAgain(each, each.taken.message, again(each.taken))));
  }

  replace(receipt: NatsReceipt, message: Message, delayMs: number): Promise<boolean> {
    const waitMs = possibleDelay(delayMs);
    const deliveries = receipt.taken.deliveryCount;
    return this.#sendAgain(receipt, message, { deliveries, redelivered: false }, { delayMs: waitMs });
  }

  async move(receipt: NatsReceipt, to: Address, message: Message): Promise<boolean> {
    const { subject } = await this.#parts.topology.place(to);
    const [whole, ...lighter] = formsOf(message, { onward: true, id: receipt.id });
    const forms = [whole, ...lighter, ...asItCame(receipt.taken.message, receipt.id)] as const;
    return this.#handOn(receipt, () => this.#publish(subject, forms));
  }

  async charge(receipt: NatsReceipt, headers: readonly Header[]): Promise<"resent" | false> {
    const { message, deliveryCount } = receipt.taken;
    const again = { deliveries: deliveryCount, redelivered: false };
    // Without its history it would come as if it had never been charged, and could kill without end.
    const isWhole = true;
    return (await this.#sendAgain(receipt, { ...message, headers }, again, { isWhole })) ? "resent" : false;
  }

  async extend(receipt: NatsReceipt, ms: number): Promise<boolean> {
    const { connection, clock } = this.#parts;
    if (!isHeld(receipt, clock)) return false;
    const askedAt = clock.now();
    await connection.request(receipt.acknowledgeOn, "+WPI");
    receipt.until = askedAt + ms;
    receipt.serverUntil = askedAt + receipt.ackWaitMs;
    this.#keeper.add(receipt);
    return true;
  }

  async watch(from: Address, wake: () => void): Promise<Cancel> {
    return (await this.#reader(from)).watch(wake);
  }

  async close(): Promise<void> {
    this.#keeper.stop();
    for (const reader of this.#readers.values()) reader.stop();
    await this.#parts.connection.close();
  }

  /** Sends it to those who read this queue as the same group, now or later. */
  #sendAgain(
    receipt: NatsReceipt,
    message: Message,
    again: Again,
    { delayMs = 0, isWhole = false } = {},
  ): Promise<boolean> {
    const { clock } = this.#parts;
    const { reader, id, taken } = receipt;
    const dueAt = delayMs > 0 ? clock.now() + delayMs : null;
    const { again: at, charged, delayed } = reader.queue;
    const now = isCharged(message, reader.queue.name) ? charged : at;
    const subject = dueAt === null ? now.subject : delayed.subject;
    const due = dueAt === null ? {} : { dueAt, to: now.subject };
    const { position } = taken;
    const how = { onward: true, id, again: { position, ...again, ...due } };
    const isUnchanged = message === taken.message;
    return this.#handOn(
      receipt,
      async () => {
        await this.#publish(subject, isWhole ? [{ message, how }] : formsOf(message, how));
        reader.sent(dueAt);
      },
      isUnchanged ? () => this.#putOff(receipt, delayMs) : undefined,
    );
  }

  /**
   * In this order: a crash in between makes a duplicate, never a loss. What does not fit into a message with all that we have to
   * say of it can `stay`, if that is all the same.
   */
  async #handOn(receipt: NatsReceipt, send: () => Promise<void>, stay?: () => Promise<void>): Promise<boolean> {
    const { connection, clock } = this.#parts;
    if (!isHeld(receipt, clock)) return false;
    // However little is left of its lease, there is time enough for this.
    await connection.tell(receipt.acknowledgeOn, "+WPI");
    try {
      await send();
      await this.#acknowledge([receipt.acknowledgeOn]);
    } catch (error) {
      if (stay === undefined || !isOfficeError(error, "MESSAGE_TOO_LARGE")) throw error;
      await stay();
    }
    this.#release(receipt);
    return true;
  }

  /** Left where it is, to be given out again later; the server counts that as another delivery. */
  async #putOff({ acknowledgeOn }: NatsReceipt, delayMs: number): Promise<void> {
    await this.#parts.connection.tell(acknowledgeOn, notBefore(delayMs));
  }

  #release(receipt: NatsReceipt): void {
    this.#keeper.release(receipt);
    receipt.reader.released(receipt);
  }

  #publish(subject: string, forms: readonly [Form, ...Form[]]): Promise<void> {
    return this.#orForget(publishFirst(this.#parts.connection, subject, forms));
  }

  async #keep(receipts: readonly NatsReceipt[]): Promise<void> {
    // A connection that was lost is no reason to stop keeping: the next beat may find another.
    const toldAt = this.#parts.clock.now();
    try {
      await this.#parts.connection.tellAll(
        receipts.map(({ acknowledgeOn }) => acknowledgeOn),
        "+WPI",
      );
    } catch {
      return;
    }
    for (const receipt of receipts) receipt.serverUntil = toldAt + receipt.ackWaitMs;
  }

  /** Streams and consumers that are gone are looked for, or made, the next time. */
  async #orForget<Answer>(asking: Promise<Answer>): Promise<Answer> {
    try {
      return await asking;
    } catch (error) {
      if (isNobodyThere(error)) this.#parts.topology.forget();
      throw error;
    }
  }

  async #reader(from: Address): Promise<QueueReader> {
    const { connection, topology, clock, lookEveryMs } = this.#parts;
    if (clock.now() - this.#foundAt >= findAgainMs) {
      this.#foundAt = clock.now();
      await topology.lookAgain();
    }
    const queue: NatsQueue = await topology.queue(from);
    const parts = { connection, clock, lookEveryMs, acknowledge: this.#acknowledge };
    const reader = this.#readers.get(queue.name) ?? new QueueReader(parts, queue);
    reader.readAt(queue);
    this.#readers.set(queue.name, reader);
    return reader;
  }
}
