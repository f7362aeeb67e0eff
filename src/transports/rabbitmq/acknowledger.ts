import type { Channel, Message } from "amqplib";
import { nextTurn } from "../../system/turn.ts";

/** Something taken from a channel that the broker waits to hear of. Links and mark belong to the acknowledger. */
export interface Unsettled<Item> {
  /** Its number on the channel, which counts up from 1 and means nothing on any other. */
  readonly tag: number;
  state: "open" | "finished" | "settled";
  before: Item | null;
  after: Item | null;
}

export type AcknowledgingChannel = Pick<Channel, "ack" | "nack" | "prefetch">;

/**
 * Tells the broker what became of what was taken from one channel.
 *
 * Coalesced, it speaks once a turn of the event loop: with one word for the finished ones at the front, and one for each
 * that is finished beyond, so that nothing finished waits for something unfinished. The one word must name a number that is
 * still open: naming one that was settled before ends the channel.
 */
export class Acknowledger<Item extends Unsettled<Item>> {
  readonly #channel: AcknowledgingChannel;
  readonly #coalesce: boolean;
  #first: Item | null = null;
  #last: Item | null = null;
  #finished: Item[] = [];
  #lost = false;

  constructor(channel: AcknowledgingChannel, coalesce: boolean) {
    this.#channel = channel;
    this.#coalesce = coalesce;
  }

  /** The channel is gone, and the broker gives to others whatever it had not heard of. */
  get lost(): boolean {
    return this.#lost;
  }

  /** Items come in the order of their numbers. */
  take(item: Item): void {
    item.before = this.#last;
    if (this.#last === null) this.#first = item;
    else this.#last.after = item;
    this.#last = item;
  }

  acknowledge(item: Item): void {
    if (this.#lost || item.state !== "open") return;
    if (!this.#coalesce) {
      this.#remove(item);
      this.#say(item.tag, false);
      return;
    }
    item.state = "finished";
    if (this.#finished.push(item) === 1) void nextTurn().then(() => this.flush());
  }

  /** Gives it back to the queue, where it counts as redelivered. */
  requeue(item: Item): void {
    if (this.#lost || item.state !== "open") return;
    this.#remove(item);
    this.#attempt(() => this.#channel.nack(named(item.tag), false, true));
  }

  /** Says at once what it would say in the next turn. */
  flush(): void {
    if (this.#finished.length === 0 || this.#lost) return;
    const finished = this.#finished;
    this.#finished = [];
    this.#acknowledgeFront();
    for (const item of finished) {
      if (item.state === "settled") continue;
      this.#remove(item);
      this.#say(item.tag, false);
    }
  }

  /**
   * Resolves when the broker has heard all that was said so far, or the channel is gone. Acknowledgements have no answer,
   * but the broker deals with one thing after the other: so we ask for something that changes nothing, and has one.
   */
  async heard(): Promise<void> {
    this.flush();
    try {
      if (!this.#lost) await this.#channel.prefetch(1);
    } catch {
      // The channel is gone, and with it whatever could still be heard.
    }
  }

  lose(): void {
    this.#lost = true;
    this.#finished = [];
    this.#first = null;
    this.#last = null;
  }

  /** All that is finished up to the first that is not. */
  #acknowledgeFront(): void {
    let front: Item | null = null;
    let count = 0;
    for (let item = this.#first; item?.state === "finished"; item = this.#first) {
      this.#remove(item);
      front = item;
      count += 1;
    }
    if (front !== null) this.#say(front.tag, count > 1);
  }

  #remove(item: Item): void {
    const { before, after } = item;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    item.before = null;
    item.after = null;
    item.state = "settled";
  }

  #say(tag: number, multiple: boolean): void {
    this.#attempt(() => this.#channel.ack(named(tag), multiple));
  }

  /** A channel that is closed throws, and what was on it comes again. */
  #attempt(tell: () => void): void {
    try {
      tell();
    } catch {
      this.lose();
    }
  }
}

/** amqplib wants the whole message and reads nothing but its number. */
function named(deliveryTag: number): Message {
  return { fields: { deliveryTag } } as Message;
}
