import { nextTurn } from "../../system/turn.ts";
import type { Acknowledgement } from "./raw-frames.ts";

/** Something taken from a channel that the broker waits to hear of. Links and mark belong to the acknowledger. */
export interface Unsettled<Item> {
  /** Its number on the channel, which counts up from 1 and means nothing on any other. */
  readonly tag: number;
  state: "open" | "finished" | "settled";
  before: Item | null;
  after: Item | null;
}

/** What is said to the broker. All of it throws once the channel is closed. */
export interface Words {
  acknowledge(acknowledgements: readonly Acknowledgement[]): void;
  requeue(tag: number): void;
  /** Something that changes nothing, and has an answer. */
  ask(): Promise<unknown>;
}

/**
 * Tells the broker what became of what was taken from one channel.
 *
 * It speaks once a turn of the event loop. Coalesced, with one word for the finished ones at the front, and one for each
 * that is finished beyond, so that nothing finished waits for something unfinished. The one word must name a number that is
 * still open: naming one that was settled before ends the channel.
 */
export class Acknowledger<Item extends Unsettled<Item>> {
  readonly #words: Words;
  readonly #coalesce: boolean;
  #first: Item | null = null;
  #last: Item | null = null;
  #finished: Item[] = [];
  #lost = false;

  constructor(words: Words, coalesce: boolean) {
    this.#words = words;
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
    item.state = "finished";
    if (this.#finished.push(item) === 1) void nextTurn().then(() => this.flush());
  }

  /** Gives it back to the queue, where it counts as redelivered. */
  requeue(item: Item): void {
    if (this.#lost || item.state !== "open") return;
    this.#remove(item);
    this.#say(() => this.#words.requeue(item.tag));
  }

  /** Says at once what it would say in the next turn. */
  flush(): void {
    if (this.#finished.length === 0 || this.#lost) return;
    const finished = this.#finished;
    this.#finished = [];
    const acknowledgements = this.#coalesce ? this.#takeFront() : [];
    for (const item of finished) {
      if (item.state === "settled") continue;
      this.#remove(item);
      acknowledgements.push({ tag: item.tag, multiple: false });
    }
    this.#say(() => this.#words.acknowledge(acknowledgements));
  }

  /**
   * Resolves when the broker has heard all that was said so far, or the channel is gone. Acknowledgements have no answer,
   * but the broker deals with one thing after the other: so we ask for something that has one.
   */
  async heard(): Promise<void> {
    this.flush();
    try {
      if (!this.#lost) await this.#words.ask();
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

  /** All that is finished up to the first that is not, in one word. */
  #takeFront(): Acknowledgement[] {
    let front: Item | null = null;
    let count = 0;
    for (let item = this.#first; item?.state === "finished"; item = this.#first) {
      this.#remove(item);
      front = item;
      count += 1;
    }
    return front === null ? [] : [{ tag: front.tag, multiple: count > 1 }];
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

  /** A channel that is closed throws, and what was on it comes again. */
  #say(words: () => void): void {
    try {
      words();
    } catch {
      this.lose();
    }
  }
}
