import { createHash } from "node:crypto";
import type { Message as Received } from "@aws-sdk/client-sqs";
import type { BodyStore } from "../../domain/body-store.ts";
import type { Host } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { type Address, type Header, headerText, type Message, queueName } from "../../domain/message.ts";
import { queueNames, wire } from "../../domain/wire.ts";
import { isCharged } from "../charged.ts";
import { possibleDelay, requireDelay } from "../delay.ts";
import { leaseEnd } from "../lease-end.ts";
import type { PullLink, Taken, TakeOptions } from "../pull-link.ts";
import { type QueueBatches, queueBatches } from "./batches.ts";
import { bodyAgainMs, type ClaimDesk, claimDesk } from "./claim-desk.ts";
import { type CheckedOut, claimOf } from "./claims.ts";
import type { SqsConnection } from "./connection.ts";
import { encodeWithin, formsOf } from "./fit.ts";
import { decodeMessage } from "./message-codec.ts";
import { OneByOne } from "./one-by-one.ts";
import { isFifoName, sqsName } from "./queue-names.ts";
import { Receiver } from "./receiver.ts";
import { isUndone } from "./undone.ts";
import { type HandOverFacts, longestDelayS, longestHiddenS, Waits, wasHidden } from "./waits.ts";

export interface SqsLinkParts {
  readonly connection: SqsConnection;
  readonly host: Host;
  readonly fifo: boolean;
  readonly waitMs: number;
  readonly answerWithinMs: number;
  readonly maxMessageBytes: number;
  /** Messages that may wait for their time in flight. */
  readonly maxHidden: number;
  /** Where bodies are that are too large for SQS; null where there is no such place. */
  readonly bodies: BodyStore | null;
  /**
   * For whoever takes what is not his own, such as dead letters: messages come with all that SQS says of them, and go back
   * as they are, though that counts as a receive. Which queues are FIFO queues is told by their names.
   */
  readonly asGuest: boolean;
}

/** One hand-over of one message. */
export interface SqsReceipt {
  readonly queue: string;
  /** What the program calls its queue. */
  readonly source: string;
  readonly handle: string;
  readonly message: Message;
  readonly redelivered: boolean;
  /** Whether its key is kept in order. */
  readonly ordered: boolean;
  /** By our own clock. SQS may well obey a receipt that is over, so this is where we stop. */
  leaseUntil: number;
  /** What was to be sent in its place is sent: deleting it is all that is left. */
  sentOn: boolean;
  /** What is being sent in its place: who asks a second time waits for the first. */
  sending?: Promise<void> | undefined;
}

/** One that was received, with its body if that is to be had at all. */
interface Opened extends CheckedOut {
  readonly received: Received;
  readonly waitMs: number;
}

interface SendHow {
  readonly delayMs: number;
  readonly isNew: boolean;
  readonly newId: () => string;
  /** Whether nothing of it may be left out. @default false */
  readonly isWhole?: boolean;
}

/** How much of a lease may pass while bodies are read, before it is renewed. */
const renewShare = 1 / 4;
/** How much of it a body may take to come. */
const readShare = 1 / 2;

/**
 * Queues of SQS. A message there cannot be changed, so what is to be retried is sent again with its new headers, and then
 * deleted: a crash in between makes a duplicate.
 */
export class SqsLink implements PullLink<SqsReceipt> {
  readonly #parts: SqsLinkParts;
  readonly #receiver: Receiver;
  readonly #waits: Waits;
  readonly #batches = new Map<string, QueueBatches>();
  readonly #charged: OneByOne;
  readonly #desk: ClaimDesk;

  constructor(parts: SqsLinkParts) {
    this.#parts = parts;
    this.#receiver = new Receiver(parts);
    this.#waits = new Waits(parts.host.clock, parts.maxHidden);
    this.#charged = new OneByOne(parts.host.clock);
    this.#desk = claimDesk(parts.bodies, parts.host.clock);
  }

  async send(to: Address, message: Message, delayMs: number, onward = false): Promise<void> {
    requireDelay(delayMs);
    const isNew = !onward && headerText(message.headers, wire.queue) === undefined;
    await this.#sendTo(this.#nameOf(to), message, { delayMs, isNew, newId: this.#parts.host.newId });
  }

  async take(from: Address, max: number, options: TakeOptions): Promise<readonly Taken<SqsReceipt>[]> {
    const { clock } = this.#parts.host;
    const queue = this.#nameOf(from);
    await this.#desk.requireOpen();
    const askedAt = clock.now();
    const received = await this.#receiver.receive(queue, max, options);
    const receivedAt = clock.now();
    const opened = await Promise.all(received.map((one) => this.#open(one, queue, options)));
    const isLate = clock.now() - receivedAt > options.leaseMs * renewShare;
    const ours = isLate ? await this.#renewed(opened.flat(), queue, options) : opened.flat();
    const lease = isLate ? { askedAt: clock.now(), now: clock.now() } : { askedAt, now: receivedAt };
    const leaseUntil = leaseEnd(lease, Math.min(options.leaseMs, longestHiddenS * 1_000));
    const handOver = { queue, source: queueName(from), leaseUntil, ordered: options.order === "key" };
    const taken = ours.flatMap((one) => this.#accept(one, handOver) ?? []);
    return isFifoName(queue) ? taken : chargedFirst(taken);
  }

  async acknowledge(receipts: readonly SqsReceipt[]): Promise<void> {
    await Promise.all(receipts.map((receipt) => this.#remove(receipt)));
  }

  async giveBack(receipts: readonly SqsReceipt[]): Promise<void> {
    await Promise.all(receipts.map((receipt) => this.#giveBackOne(receipt)));
  }

  async replace(receipt: SqsReceipt, message: Message, delayMs: number): Promise<boolean> {
    const waitMs = possibleDelay(delayMs);
    // Sent again, it would come after those of its key that are behind it.
    if (receipt.ordered && message === receipt.message) return this.#hide(receipt, waitMs);
    return this.#sendAgain(receipt, message, waitMs);
  }

  async charge(receipt: SqsReceipt, headers: readonly Header[]): Promise<false | "resent"> {
    // Without its history it would come as if it had never been charged, and could kill without end.
    const isWhole = true;
    return (await this.#sendAgain(receipt, { ...receipt.message, headers }, 0, isWhole)) ? "resent" : false;
  }

  extend(receipt: SqsReceipt, ms: number): Promise<boolean> {
    return this.#hide(receipt, ms);
  }

  close(): Promise<void> {
    return this.#parts.connection.close();
  }

  #nameOf(address: Address): string {
    const { asGuest, fifo } = this.#parts;
    // One for all consumers, whatever their queues are; who reads it knows no other.
    if (address.name === queueNames.reports) return sqsName(address, false);
    return sqsName(address, asGuest ? isFifoName(address.name) : fifo);
  }

  /**
   * With its body, wherever that is. None where nobody can say whether it is there: it comes again later, and its owner hears of it.
   * A guest takes the reference for the body, and sends it on as it is.
   */
  async #open(received: Received, queue: string, { leaseMs, report }: TakeOptions): Promise<readonly Opened[]> {
    const { asGuest } = this.#parts;
    const { message, waitMs } = decodeMessage(received, { fifo: isFifoName(queue), facts: asGuest });
    const claim = asGuest ? null : claimOf(message);
    if (claim === null) return [{ received, waitMs, message }];
    try {
      return [{ received, waitMs, ...(await this.#desk.checkOut(message, claim, leaseMs * readShare)) }];
    } catch (error) {
      const retryInMs = bodyAgainMs(factsOf(received, waitMs).receives);
      report?.({ kind: "delivery-lost", error, message, retryInMs });
      await this.#of(queue)
        .hide({ handle: received.ReceiptHandle ?? "", seconds: retryInMs / 1_000 })
        // It then comes again when its lease lapses.
        .catch(() => {});
      return [];
    }
  }

  /** Those that are still ours after bodies were long in coming, for a whole lease again. */
  async #renewed(opened: readonly Opened[], queue: string, { leaseMs }: TakeOptions): Promise<readonly Opened[]> {
    const seconds = Math.min(longestHiddenS, Math.ceil(leaseMs / 1_000));
    const renewals = opened.map(async (one) => {
      const renewing = this.#of(queue).hide({ handle: one.received.ReceiptHandle ?? "", seconds });
      return (await renewing.catch(() => false)) ? [one] : [];
    });
    return (await Promise.all(renewals)).flat();
  }

  /** Null for what is not to be handed over now. */
  #accept(
    { received, message, waitMs, unreadable }: Opened,
    { queue, source, leaseUntil, ordered }: Pick<SqsReceipt, "queue" | "source" | "leaseUntil" | "ordered">,
  ): Taken<SqsReceipt> | null {
    const facts = factsOf(received, waitMs);
    this.#waits.observe(facts);
    const deliveryCount = facts.receives - (wasHidden(facts) ? 1 : 0);
    const redelivered = deliveryCount > 1;
    const handle = received.ReceiptHandle ?? "";
    const receipt = { queue, source, handle, message, redelivered, ordered, leaseUntil, sentOn: false };
    if (this.#waitsOn(receipt, facts)) return null;
    const position = received.MessageId ?? null;
    return { receipt, message, position, redelivered, deliveryCount, ...(unreadable && { unreadable }) };
  }

  /** Whether it is not to be handed over now; it then comes again later. */
  #waitsOn(receipt: SqsReceipt, facts: HandOverFacts): boolean {
    const leftMs = this.#waits.leftMs(facts);
    if (leftMs > 0) void this.#postpone(receipt, facts, leftMs).catch(() => {});
    else if (!this.#parts.asGuest && isCharged(receipt.message, receipt.source)) return !this.#isOnlyCharged(receipt);
    return leftMs > 0;
  }

  #isOnlyCharged(receipt: SqsReceipt): boolean {
    const waitMs = this.#charged.waitMs(receipt);
    if (waitMs === 0) return true;
    const waiting = receipt.redelivered
      ? this.#hide(receipt, waitMs)
      : this.#sendAgain(receipt, receipt.message, waitMs);
    void waiting.catch(() => {});
    return false;
  }

  /**
   * Hidden once, for twelve hours at most; after that sent again, since a queue deletes what was sent too long ago. If that
   * fails it comes again when its lease lapses, and is looked at anew.
   */
  async #postpone(receipt: SqsReceipt, facts: HandOverFacts, leftMs: number): Promise<void> {
    const mayHide = facts.receives === 1 && (isFifoName(receipt.queue) || this.#waits.mayHide(leftMs));
    if (mayHide) await this.#hide(receipt, leftMs);
    else await this.#sendAgain(receipt, receipt.message, leftMs);
  }

  /** Received once more it would count as redelivered, and be run alone as a suspect: so it is sent again where it may be. */
  async #giveBackOne(receipt: SqsReceipt): Promise<void> {
    if (this.#parts.asGuest || isFifoName(receipt.queue) || receipt.redelivered || isMoved(receipt.message))
      await this.#hide(receipt, 0);
    else await this.#sendAgain(receipt, receipt.message, 0);
  }

  async #sendAgain(receipt: SqsReceipt, message: Message, delayMs: number, isWhole = false): Promise<boolean> {
    if (!receipt.sentOn) {
      if (receipt.sending === undefined && this.#isOver(receipt)) return false;
      receipt.sending ??= this.#sendInPlace(receipt, message, { delayMs, isWhole }).finally(() => {
        receipt.sending = undefined;
      });
      await receipt.sending;
    }
    await this.#remove(receipt);
    return true;
  }

  async #sendInPlace(receipt: SqsReceipt, message: Message, how: Pick<SendHow, "delayMs" | "isWhole">): Promise<void> {
    try {
      await this.#sendTo(receipt.queue, message, { ...how, isNew: false, newId: () => resendId(receipt) });
      receipt.sentOn = true;
    } catch (error) {
      // A FIFO queue knows a repetition by its id. Elsewhere each could be one more: so it comes again by itself, once.
      if (!isFifoName(receipt.queue) && !isUndone(error)) receipt.leaseUntil = 0;
      throw error;
    }
  }

  async #sendTo(queue: string, message: Message, { delayMs, isNew, newId, isWhole }: SendHow): Promise<void> {
    const { maxMessageBytes, bodies } = this.#parts;
    const fifo = isFifoName(queue);
    // A FIFO queue delays no single message; any other does so for a quarter of an hour at most.
    const delayS = fifo ? 0 : Math.min(longestDelayS, Math.ceil(delayMs / 1_000));
    const waitMs = delayS * 1_000 < delayMs ? delayMs : 0;
    let refusal: unknown;
    for (const form of formsOf(message, { bodies, isWhole })) {
      const sent = await form();
      try {
        const outgoing = encodeWithin(sent, { fifo, newId, waitMs }, { maxMessageBytes, isNew });
        return await this.#of(queue).send({ outgoing, delayS });
      } catch (error) {
        // Too large for us, or for its queue, which may take less than `maxMessageBytes`.
        if (!isOfficeError(error, "MESSAGE_TOO_LARGE")) throw error;
        refusal = error;
      }
    }
    throw refusal;
  }

  async #remove(receipt: SqsReceipt): Promise<void> {
    await this.#of(receipt.queue).remove(receipt.handle);
    this.#charged.over(receipt);
  }

  async #hide(receipt: SqsReceipt, ms: number): Promise<boolean> {
    if (this.#isOver(receipt) || receipt.sentOn) return false;
    const askedAt = this.#parts.host.clock.now();
    const seconds = Math.min(longestHiddenS, Math.ceil(ms / 1_000));
    const isOurs = await this.#of(receipt.queue).hide({ handle: receipt.handle, seconds });
    receipt.leaseUntil = isOurs ? askedAt + Math.min(ms, longestHiddenS * 1_000) : 0;
    if (!isOurs) this.#charged.over(receipt);
    return isOurs;
  }

  #isOver({ leaseUntil }: SqsReceipt): boolean {
    return leaseUntil <= this.#parts.host.clock.now();
  }

  #of(queue: string): QueueBatches {
    const { connection, host } = this.#parts;
    const batches = this.#batches.get(queue) ?? queueBatches(connection, queue, host.clock);
    this.#batches.set(queue, batches);
    return batches;
  }
}

/** The same each time this hand-over is sent again: if the answer was lost and not the message, a FIFO queue drops the second. */
function resendId({ handle }: SqsReceipt): string {
  return createHash("sha256").update(handle).digest("hex");
}

/** The shorter it is in hand before it runs, the less it is blamed for what others do to their process. */
function chargedFirst(taken: readonly Taken<SqsReceipt>[]): readonly Taken<SqsReceipt>[] {
  const [charged, others]: [Taken<SqsReceipt>[], Taken<SqsReceipt>[]] = [[], []];
  for (const one of taken) (isCharged(one.message, one.receipt.source) ? charged : others).push(one);
  return [...charged, ...others];
}

/** SQS itself moved it here; sent again, it would no longer say from where. */
function isMoved({ properties }: Message): boolean {
  return properties.some(({ name }) => name === "DeadLetterQueueSourceArn");
}

function factsOf({ Attributes: system = {} }: Received, waitMs: number): HandOverFacts {
  return {
    sentAt: Number(system.SentTimestamp ?? 0),
    firstReceivedAt: Number(system.ApproximateFirstReceiveTimestamp ?? 0),
    receives: Number(system.ApproximateReceiveCount ?? 1),
    waitMs,
  };
}
