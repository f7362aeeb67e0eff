import type { Clock } from "../domain/clock.ts";
import type { Header, Message } from "../domain/message.ts";
import { type Timed, TimeHeap } from "../domain/time-heap.ts";
import { Deque } from "./deque.ts";
import { type InLane, Lanes } from "./lanes.ts";
import type { Taken, TakeOptions } from "./pull-link.ts";

/** One hand-over of one message: worth nothing once the message was settled, given back or handed to somebody else. */
export interface MemoryReceipt {
  readonly queue: string;
  readonly seq: number;
  readonly fence: number;
}

interface Entry extends Timed, InLane<Entry> {
  message: Message;
  readonly position: string;
  /**
   * "waiting" and "taken" are in the heap, until they are due or their lease lapses. "held" is behind an earlier
   * message of its key.
   */
  state: "ready" | "waiting" | "taken" | "held";
  deliveries: number;
  redelivered: boolean;
  /** Raised at each hand-over and each settlement: a receipt with another number is stale. */
  fence: number;
}

/** One queue of the memory broker: what a table with due times and leases would hold. */
export class MemoryQueue {
  readonly #name: string;
  readonly #clock: Clock;
  readonly #entries = new Map<number, Entry>();
  readonly #ready = new Deque<Entry>();
  readonly #timed = new TimeHeap<Entry>();
  readonly #lanes = new Lanes<Entry>();
  readonly #held = new Set<Entry>();
  readonly #watchers = new Set<() => void>();
  #waking = false;
  #alarm: { readonly at: number; readonly cancel: () => void } | null = null;

  constructor(name: string, clock: Clock) {
    this.#name = name;
    this.#clock = clock;
  }

  get depth(): number {
    return this.#entries.size;
  }

  messages(): readonly Message[] {
    return Array.from(this.#entries.values(), (entry) => entry.message);
  }

  /** With `outOfPlace` it takes its place in the lane of its key only when its delay is over. */
  add(seq: number, message: Message, delayMs: number, { outOfPlace = false } = {}): void {
    const entry: Entry = {
      at: 0,
      seq,
      slot: -1,
      message,
      position: String(seq),
      state: "ready",
      deliveries: 0,
      redelivered: false,
      fence: 0,
      lane: null,
      ahead: null,
      behind: null,
    };
    this.#entries.set(seq, entry);
    if (message.key !== null && !(outOfPlace && delayMs > 0)) this.#lanes.join(entry, message.key);
    this.#schedule(entry, delayMs);
  }

  take(max: number, { leaseMs, order }: TakeOptions): Taken<MemoryReceipt>[] {
    const now = this.#clock.now();
    this.#promote(now);
    if (order === "none") this.#releaseHeld();
    const taken: Taken<MemoryReceipt>[] = [];
    while (taken.length < max) {
      const entry = this.#ready.shift();
      if (entry === undefined) break;
      if (order === "key" && entry.lane !== null && entry.lane.first !== entry) this.#hold(entry);
      else taken.push(this.#handOut(entry, now + leaseMs));
    }
    this.#setAlarm();
    return taken;
  }

  /** Deletes the message; false if the lease was lost. */
  remove(receipt: MemoryReceipt): boolean {
    const entry = this.#owned(receipt);
    if (entry === undefined) return false;
    this.#timed.remove(entry);
    this.#entries.delete(entry.seq);
    this.#leaveLane(entry);
    return true;
  }

  /** With `outOfPlace` it gives up its place, and is the last of its key when its delay is over. */
  replace(receipt: MemoryReceipt, message: Message, delayMs: number, { outOfPlace = false } = {}): boolean {
    const entry = this.#owned(receipt);
    if (entry === undefined) return false;
    entry.message = message;
    entry.redelivered = false;
    this.#timed.remove(entry);
    entry.fence += 1;
    if (outOfPlace) this.#leaveLane(entry);
    if (outOfPlace && delayMs === 0 && message.key !== null) this.#lanes.join(entry, message.key);
    this.#schedule(entry, delayMs);
    return true;
  }

  giveBack(receipt: MemoryReceipt): void {
    const entry = this.#owned(receipt);
    if (entry === undefined) return;
    this.#timed.remove(entry);
    entry.fence += 1;
    entry.deliveries -= 1;
    entry.state = "ready";
    this.#ready.unshift(entry);
    this.#wake();
  }

  charge(receipt: MemoryReceipt, headers: readonly Header[]): boolean {
    const entry = this.#owned(receipt);
    if (entry === undefined) return false;
    entry.message = { ...entry.message, headers };
    return true;
  }

  extend(receipt: MemoryReceipt, ms: number): boolean {
    const entry = this.#owned(receipt);
    if (entry === undefined) return false;
    this.#timed.remove(entry);
    this.#setTimed(entry, "taken", this.#clock.now() + ms);
    return true;
  }

  watch(wake: () => void): () => void {
    this.#watchers.add(wake);
    this.#setAlarm();
    return () => {
      this.#watchers.delete(wake);
      if (this.#watchers.size === 0) this.#clearAlarm();
    };
  }

  /** The entry this receipt still stands for. Leases are looked at first, so a lapsed one is lost at its very moment. */
  #owned({ seq, fence }: MemoryReceipt): Entry | undefined {
    this.#promote(this.#clock.now());
    const entry = this.#entries.get(seq);
    return entry !== undefined && entry.fence === fence && entry.state === "taken" ? entry : undefined;
  }

  #handOut(entry: Entry, leaseUntil: number): Taken<MemoryReceipt> {
    entry.fence += 1;
    entry.deliveries += 1;
    this.#setTimed(entry, "taken", leaseUntil);
    return {
      receipt: { queue: this.#name, seq: entry.seq, fence: entry.fence },
      message: entry.message,
      position: entry.position,
      redelivered: entry.redelivered,
      deliveryCount: entry.deliveries,
    };
  }

  /** Makes ready what has become due, and what nobody settled before its lease lapsed. */
  #promote(now: number): void {
    for (let entry = this.#timed.popDue(now); entry !== undefined; entry = this.#timed.popDue(now)) {
      if (entry.state === "taken") {
        entry.redelivered = true;
        entry.fence += 1;
      }
      const { key } = entry.message;
      if (entry.lane === null && key !== null) this.#lanes.join(entry, key);
      entry.state = "ready";
      this.#ready.push(entry);
    }
  }

  #leaveLane(entry: Entry): void {
    const next = this.#lanes.leave(entry);
    if (next !== null && this.#held.has(next)) this.#release(next);
  }

  #schedule(entry: Entry, delayMs: number): void {
    if (delayMs > 0) {
      this.#setTimed(entry, "waiting", this.#clock.now() + delayMs);
      this.#setAlarm();
      return;
    }
    entry.state = "ready";
    this.#ready.push(entry);
    this.#wake();
  }

  #setTimed(entry: Entry, state: "waiting" | "taken", at: number): void {
    entry.state = state;
    entry.at = at;
    this.#timed.push(entry);
  }

  /** Tells watchers once for all that happens in one go, and only after it has happened. */
  #wake(): void {
    if (this.#waking || this.#watchers.size === 0) return;
    this.#waking = true;
    queueMicrotask(() => {
      this.#waking = false;
      for (const wake of this.#watchers) wake();
    });
  }

  /** One timer for the whole queue, and only while somebody watches it. */
  #setAlarm(): void {
    const next = this.#timed.peek();
    if (next === undefined || this.#watchers.size === 0) return;
    if (this.#alarm !== null && this.#alarm.at <= next.at) return;
    this.#clearAlarm();
    const cancel = this.#clock.after(Math.max(0, next.at - this.#clock.now()), () => this.#ring());
    this.#alarm = { at: next.at, cancel };
  }

  #ring(): void {
    this.#alarm = null;
    this.#promote(this.#clock.now());
    this.#setAlarm();
    if (this.#ready.length > 0) this.#wake();
  }

  #clearAlarm(): void {
    this.#alarm?.cancel();
    this.#alarm = null;
  }

  #hold(entry: Entry): void {
    entry.state = "held";
    this.#held.add(entry);
  }

  #release(entry: Entry): void {
    this.#held.delete(entry);
    entry.state = "ready";
    this.#ready.push(entry);
    this.#wake();
  }

  /** Somebody asks without regard to keys: what was held back for order's sake is free for him. */
  #releaseHeld(): void {
    for (const entry of this.#held) this.#release(entry);
  }
}
