import type { Cancel, Clock } from "../../domain/clock.ts";
import { type Address, type Header, type Message, queueName } from "../../domain/message.ts";
import { requireNumber, requireOption } from "../../domain/options.ts";
import { isCharged } from "../charged.ts";
import type { PullLink, Taken, TakeOptions } from "../pull-link.ts";
import { type Acknowledge, acknowledging } from "./acknowledge.ts";
import type { NatsConnection, Outgoing } from "./connection.ts";
import { Keeper } from "./keeper.ts";
import { isHeld } from "./lease.ts";
import { type Again, type EncodeOptions, encodeMessageHeaders } from "./message-codec.ts";
import { hasWildcards, ourSubjects } from "./names.ts";
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

/** Longer than any retry, and no trouble for numbers. */
const maxDelayMs = 100 * 365 * 86_400_000;

/**
 * Queues as streams and consumers. What is in a stream does not change, so a message that comes again is sent again, for its
 * group alone, with what it has changed to; only then the one before it is acknowledged.
 */
export class NatsLink implements PullLink<NatsReceipt> {
  readonly #parts: NatsLinkParts;
  readonly #readers = new Map<string, QueueReader>();
  readonly #keeper: Keeper;
  readonly #acknowledge: Acknowledge;

  constructor(parts: NatsLinkParts) {
    this.#parts = parts;
    this.#acknowledge = acknowledging(parts.connection, parts.isDouble);
    this.#keeper = new Keeper(parts.clock, (receipts) => void this.#keep(receipts));
  }

  async send(to: Address, message: Message, delayMs: number, onward = false): Promise<void> {
    requireNumber("delayMs", delayMs, { min: 0, max: maxDelayMs });
    const { topology, clock } = this.#parts;
    const { subject } = await topology.place(to);
    requireOption(!hasWildcards(subject), "queue", "a subject without wildcards, to be sent to", subject);
    if (delayMs === 0) {
      await this.#publish(subject, message, { onward });
      return;
    }
    const dueAt = clock.now() + delayMs;
    // A group that is named gets it alone; otherwise all that read the subject do.
    const target = to.group === undefined ? subject : ourSubjects.again(queueName(to));
    const again = { deliveries: 0, redelivered: false, dueAt, to: target };
    const waiting = await topology.delayed(to.name);
    await this.#publish(waiting.subject, message, { onward: true, again });
    for (const reader of this.#readers.values())
      if (reader.queue.delayed.subject === waiting.subject) reader.sent(dueAt);
  }

  async take(from: Address, max: number, { leaseMs }: TakeOptions): Promise<readonly Taken<NatsReceipt>[]> {
    const { clock } = this.#parts;
    const askedAt = clock.now();
    const reader = await this.#reader(from);
    const pulled = await this.#orForget(reader.take(max));
    const taken = pulled.map((each) => takenOf(reader, each, { askedAt, now: clock.now(), leaseMs }));
    for (const [index, { receipt }] of taken.entries()) {
      this.#keeper.add(receipt);
      if (pulled[index]?.reader === reader.queue.charged) reader.holdsSuspect(receipt);
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
    const waitMs = Math.min(Math.max(0, delayMs), maxDelayMs);
    const deliveries = receipt.taken.deliveryCount;
    return this.#sendAgain(receipt, message, { deliveries, redelivered: false }, waitMs);
  }

  async move(receipt: NatsReceipt, to: Address, message: Message): Promise<boolean> {
    const { subject } = await this.#parts.topology.place(to);
    return this.#handOn(receipt, () => this.#publish(subject, message, { onward: true, id: receipt.id }));
  }

  async charge(receipt: NatsReceipt, headers: readonly Header[]): Promise<"resent" | false> {
    const { message, deliveryCount } = receipt.taken;
    const again = { deliveries: deliveryCount, redelivered: false };
    return (await this.#sendAgain(receipt, { ...message, headers }, again)) ? "resent" : false;
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
  #sendAgain(receipt: NatsReceipt, message: Message, again: Again, delayMs = 0): Promise<boolean> {
    const { clock } = this.#parts;
    const { reader, id, taken } = receipt;
    const dueAt = delayMs > 0 ? clock.now() + delayMs : null;
    const { again: at, charged, delayed } = reader.queue;
    const now = isCharged(message) ? charged : at;
    const subject = dueAt === null ? now.subject : delayed.subject;
    const due = dueAt === null ? {} : { dueAt, to: now.subject };
    const { position } = taken;
    const how = { onward: true, id, again: { position, ...again, ...due } };
    return this.#handOn(receipt, async () => {
      await this.#publish(subject, message, how);
      reader.sent(dueAt);
    });
  }

  /** In this order: a crash in between makes a duplicate, never a loss. */
  async #handOn(receipt: NatsReceipt, send: () => Promise<void>): Promise<boolean> {
    const { connection, clock } = this.#parts;
    if (!isHeld(receipt, clock)) return false;
    // However little is left of its lease, there is time enough for this.
    await connection.tell(receipt.acknowledgeOn, "+WPI");
    await send();
    await this.#acknowledge([receipt.acknowledgeOn]);
    this.#release(receipt);
    return true;
  }

  #release(receipt: NatsReceipt): void {
    this.#keeper.release(receipt);
    receipt.reader.released(receipt);
  }

  async #publish(subject: string, message: Message, how: EncodeOptions): Promise<void> {
    const { connection } = this.#parts;
    const { makeHeaders } = await connection.opened();
    // Copied: a sender may use its buffer again before the message is on its way.
    const outgoing: Outgoing = {
      payload: new Uint8Array(message.body),
      headers: encodeMessageHeaders(message, how, makeHeaders),
    };
    await this.#orForget(connection.publish(subject, outgoing));
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
    const queue: NatsQueue = await topology.queue(from);
    const parts = { connection, clock, queue, lookEveryMs, acknowledge: this.#acknowledge };
    const reader = this.#readers.get(queue.name) ?? new QueueReader(parts);
    this.#readers.set(queue.name, reader);
    return reader;
  }
}
