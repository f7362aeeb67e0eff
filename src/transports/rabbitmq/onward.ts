import { type Host, pause } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { headerText, type Message, queueName, type Verdict } from "../../domain/message.ts";
import { adoptedId } from "../../domain/send-id.ts";
import { wire } from "../../domain/wire.ts";
import { answerWithin } from "../answering-link.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import type { Incident } from "../transport.ts";
import { type DelayRules, delayBucket } from "./delay-buckets.ts";
import { encodeOnward, isSentOnUnchanged } from "./message-codec.ts";
import type { Publisher } from "./publisher.ts";
import { unlessAborted } from "./unless-aborted.ts";

export interface OnwardParts {
  readonly publisher: Publisher;
  /** The queue the deliveries come from. */
  readonly queue: string;
  /** Whom the broker knows us as. */
  readonly user: string;
  readonly delays: DelayRules;
  readonly returnDelayMs: number;
  readonly answerWithinMs: number;
  readonly host: Host;
  readonly report: (incident: Incident) => void;
}

/** A delivery as far as sending it on goes. */
interface InHand {
  readonly message: Message;
  /** Which message it is: the same on each copy that is sent on. */
  readonly sendId: string;
  readonly redelivered: boolean;
  readonly isOurs: boolean;
  acknowledge(): void;
  requeue(): void;
}

export type OnwardVerdict = Exclude<Verdict, { kind: "done" }>;

/** Sends on what was delivered, always in this order: first the broker has it, then the delivery is acknowledged. */
export class Onward {
  readonly #parts: OnwardParts;
  readonly #hurry = new AbortController();

  constructor(parts: OnwardParts) {
    this.#parts = parts;
  }

  /** From now on nobody waits any longer for a broker that does not answer; what is unsettled comes again. */
  hurry(): void {
    this.#hurry.abort();
  }

  /** Carries out a verdict. False if the delivery is left as it is: nothing was acknowledged. */
  async carryOut(delivery: InHand, verdict: OnwardVerdict): Promise<boolean> {
    const sent =
      verdict.kind === "retry"
        ? await this.insist(delivery, () => this.putBack(delivery, verdict.message, verdict.delayMs))
        : await this.#sendTo(delivery, verdict);
    if (sent) delivery.acknowledge();
    return sent;
  }

  /** An id for what somebody else sent: each copy that we send on can be told from its equals from now on. */
  adopt(): string {
    return adoptedId(this.#parts.host.newId());
  }

  /** Puts a message into its queue again, after a delay. */
  async putBack({ sendId }: Pick<InHand, "sendId">, message: Message, delayMs: number): Promise<void> {
    const { queue, delays } = this.#parts;
    if (delayMs <= 0) return this.#publish(queue, message, sendId);
    const bucket = delayBucket(queue, delayMs, delays);
    await this.#parts.publisher.publish({ name: bucket.name, bucket }, this.#encode(message, sendId));
  }

  /**
   * Gives back what no handler saw. Handed back to the queue it would count as redelivered, and a redelivered message is
   * under suspicion of having killed a consumer: so it is sent again, unless that could be told from the first time.
   */
  async giveBack(delivery: InHand): Promise<void> {
    const { queue, user } = this.#parts;
    if (!delivery.isOurs) return;
    if (delivery.redelivered || !isSentOnUnchanged(delivery.message, user)) return delivery.requeue();
    try {
      await this.#unlessHurried(this.#publish(queue, delivery.message, delivery.sendId));
      delivery.acknowledge();
    } catch {
      delivery.requeue();
    }
  }

  /**
   * Repeats until the broker has done it; an answer that never came is neither yes nor no, and a second message at worst.
   * False once the delivery is lost, or when repeating is no use.
   */
  async insist(delivery: InHand, act: () => Promise<void>): Promise<boolean> {
    const { host, report } = this.#parts;
    for (let tries = 1; ; tries++) {
      if (!delivery.isOurs) {
        report({ kind: "delivery-lost", message: delivery.message });
        return false;
      }
      try {
        await this.#unlessHurried(act());
        return true;
      } catch (error) {
        const retryInMs = repeatDelayMs(tries, host.random);
        const gaveUp = this.#hurry.signal.aborted || !isOfficeError(error, "TRANSPORT_UNAVAILABLE");
        report({ kind: "settle-failed", error, message: delivery.message, ...(!gaveUp && { retryInMs }) });
        if (gaveUp) return false;
        await pause(host.clock, retryInMs, this.#hurry.signal);
      }
    }
  }

  async #sendTo(delivery: InHand, verdict: Extract<OnwardVerdict, { to: unknown }>): Promise<boolean> {
    const { kind, to, message } = verdict;
    const { report, returnDelayMs } = this.#parts;
    const sendId = kind === "dead-letter" ? this.#idOfDead(message) : delivery.sendId;
    if (!delivery.isOurs) {
      report({ kind: "delivery-lost", message: delivery.message });
      return false;
    }
    try {
      await this.#unlessHurried(this.#publish(queueName(to), message, sendId));
      return true;
    } catch (error) {
      // To acknowledge now could lose it; to come back at once would hammer a queue that has just refused.
      report({ kind: "onward-failed", error, message: delivery.message, retryInMs: returnDelayMs });
      return this.#unlessHurried(this.putBack(delivery, delivery.message, returnDelayMs)).then(
        () => true,
        () => false,
      );
    }
  }

  /** Put back by hand it is another message than the one that died, and the same as a second dead letter of that failure. */
  #idOfDead({ headers }: Message): string {
    return headerText(headers, wire.failure) ?? this.#parts.host.newId();
  }

  async #publish(queue: string, message: Message, sendId: string): Promise<void> {
    await this.#parts.publisher.publish({ name: queue }, this.#encode(message, sendId));
  }

  #encode(message: Message, sendId: string) {
    return encodeOnward(message, this.#parts.user, sendId);
  }

  #unlessHurried(sending: Promise<void>): Promise<void> {
    const { signal } = this.#hurry;
    const { host, answerWithinMs } = this.#parts;
    if (signal.aborted) return answerWithin(sending, host.clock, answerWithinMs);
    return unlessAborted(sending, signal, "RabbitMQ did not answer before the consumer stopped.");
  }
}
