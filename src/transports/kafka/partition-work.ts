import { Deque } from "../deque.ts";
import type { Fetched, IncomingRecord, TopicPartition } from "./driver.ts";
import type { Keyed, KeyOrder } from "./key-order.ts";
import { Progress, type Unfinished } from "./progress.ts";

/**
 * A message that was read:
 *
 * - "waiting": behind others, for its time, or for its key.
 * - "taken": the broker is being told, or knows, that it is in hand; its handler has not been called.
 * - "running": its handler has been called, or its verdict is being carried out.
 * - "over": finished, or no longer ours.
 */
export class Entry implements Keyed, Unfinished<Entry> {
  readonly work: PartitionWork;
  /** Of the log as it was when this was read: a partition may begin anew. */
  readonly progress: Progress<Entry>;
  readonly record: IncomingRecord;
  state: "waiting" | "taken" | "running" | "over" = "waiting";
  /** It was in hand before, and nobody heard what became of it. */
  isSuspect: boolean;
  /** It is one of the next of its partition. */
  isQueued = false;
  /** It waits for others of its key. */
  isParked = false;
  before: Entry | null = null;
  after: Entry | null = null;

  constructor(work: PartitionWork, record: IncomingRecord, isSuspect: boolean) {
    this.work = work;
    this.progress = work.progress;
    this.record = record;
    this.isSuspect = isSuspect;
  }

  get offset(): number {
    return this.record.offset;
  }

  get id(): string {
    return entryId(this.work, this.offset);
  }

  get lane(): string | null {
    return laneOf(this.record);
  }

  get isRetry(): boolean {
    return this.work.waitMs !== null;
  }

  /** Suspects stay suspects until their outcome is known, whoever has them in between. */
  get inHand(): boolean {
    return this.state !== "waiting" || this.isSuspect;
  }

  /** When it may be handed over, in milliseconds since 1970. */
  get dueAt(): number {
    return this.work.waitMs ? this.record.timestamp + this.work.waitMs : 0;
  }
}

type Answer = Extract<Fetched, { kind: "records" }>;

/** More is fetched while less than this is unread, in bytes. */
const unreadBytes = 1_048_576;
/** An answer of so much says that there is more, in bytes. */
const muchBytes = 65_536;
/** So much waits for its key at most, before nothing more of the partition is read. */
const parked = { messages: 4_000, bytes: 4_194_304 } as const;

export interface PartitionWorkParts extends TopicPartition {
  /** How long messages wait in it; null for the queue's own topic. */
  readonly waitMs: number | null;
  readonly offset: number;
  readonly metadata: string;
  /** Null where no order was asked for. */
  readonly keys: KeyOrder<Entry> | null;
}

/** One partition that is ours: what was fetched of it, what may be handed over, how far it is worked off. */
export class PartitionWork implements TopicPartition {
  readonly topic: string;
  readonly partition: number;
  readonly waitMs: number | null;
  readonly keys: KeyOrder<Entry> | null;
  /** Messages of it that are in hand. */
  inHand = 0;
  /** Whether much came when it was last asked for. */
  isBusy = false;
  /** Whether nothing came when it was last asked for. */
  isAtEnd = false;
  /** What the broker was last told. */
  committed: { readonly offset: number; readonly metadata: string };
  /** Where to fetch on. */
  fetchOffset: number;
  #progress: Progress<Entry>;
  readonly #fetched = new Deque<Answer>();
  #unread = 0;
  /** The last that was read, until it is taken. */
  #next: Entry | null = null;
  /** Handed back, or free since others of their key are finished: they come first. */
  readonly #queue = new Deque<Entry>();
  /** What waits for its key. */
  readonly #parked = { messages: 0, bytes: 0 };

  constructor({ topic, partition, waitMs, offset, metadata, keys }: PartitionWorkParts) {
    this.topic = topic;
    this.partition = partition;
    this.waitMs = waitMs;
    this.keys = keys;
    this.fetchOffset = offset;
    this.#progress = new Progress(offset, metadata);
    this.committed = { offset, metadata };
  }

  get progress(): Progress<Entry> {
    return this.#progress;
  }

  receive(answer: Answer): void {
    this.isBusy = answer.bytes >= muchBytes;
    this.isAtEnd = answer.bytes === 0;
    if (answer.bytes === 0) return;
    this.fetchOffset = answer.nextOffset;
    this.#fetched.push(answer);
    this.#unread += answer.bytes;
  }

  /** Whether more of it may be fetched. */
  get hasRoom(): boolean {
    return this.#unread < unreadBytes;
  }

  /** Begins anew elsewhere: the log no longer has what it was asked for. What was read of it is dealt with all the same. */
  restart(offset: number): void {
    this.fetchOffset = offset;
    this.#progress = new Progress(offset, "");
    this.#fetched.drain();
    this.#unread = 0;
  }

  enqueue(entry: Entry, where: "first" | "last"): void {
    if (entry.isQueued) return;
    entry.isQueued = true;
    if (where === "first") this.#queue.unshift(entry);
    else this.#queue.push(entry);
  }

  /** It need not wait for its key any more. */
  release(entry: Entry): void {
    if (entry.isParked) this.#park(entry, false);
    this.enqueue(entry, "first");
  }

  /** The next that may be handed over, as far as this partition goes; it stays where it is. */
  peek(now: number): Entry | undefined {
    const first = this.#first();
    return first !== null && first.dueAt <= now ? first : undefined;
  }

  /** Takes the one off that `peek` gave. */
  shift(): void {
    const first = this.#queue.shift() ?? this.#next;
    if (first === this.#next) this.#next = null;
    if (first !== null) first.isQueued = false;
  }

  /** Whether it may be handed over as far as its key goes; if not, it waits for the others. */
  take(entry: Entry): boolean {
    if (this.keys === null || this.keys.take(entry)) return true;
    this.#park(entry, true);
    return false;
  }

  /** When the next is due, or undefined if none waits. */
  get nextDueAt(): number | undefined {
    return this.#first()?.dueAt;
  }

  #first(): Entry | null {
    this.#next ??= this.#queue.length === 0 ? this.#read() : null;
    return this.#queue.first ?? this.#next;
  }

  /** Reads on to the next that may be handed over; what the last commit calls finished is passed over. */
  #read(): Entry | null {
    for (let answer = this.#fetched.first; answer !== undefined && this.#mayRead; answer = this.#fetched.first) {
      const record = answer.records.next();
      const entry = record === null ? this.#turnOver(answer) : this.#enter(record);
      if (entry === null) continue;
      if (this.keys === null || this.keys.join(entry)) {
        entry.isQueued = true;
        return entry;
      }
      this.#park(entry, true);
    }
    return null;
  }

  get #mayRead(): boolean {
    return this.#parked.messages < parked.messages && this.#parked.bytes < parked.bytes;
  }

  /** Nothing is left of this answer; behind its last record there may be some that do not count. */
  #turnOver({ bytes, nextOffset }: Answer): null {
    this.#fetched.shift();
    this.#unread -= bytes;
    this.#progress.advance(nextOffset);
    return null;
  }

  #enter(record: IncomingRecord): Entry | null {
    const fate = this.#progress.fateOf(record.offset);
    if (fate === "finished") {
      this.#progress.advance(record.offset + 1);
      return null;
    }
    const entry = new Entry(this, record, fate === "in-hand");
    this.#progress.add(entry);
    return entry;
  }

  #park(entry: Entry, isParked: boolean): void {
    const { key, value } = entry.record;
    const sign = isParked ? 1 : -1;
    entry.isParked = isParked;
    this.#parked.messages += sign;
    this.#parked.bytes += sign * ((key?.length ?? 0) + (value?.length ?? 0));
  }
}

export function entryId({ topic, partition }: TopicPartition, offset: number): string {
  return `${topic}/${partition}/${offset}`;
}

/** What keeps order among themselves; null: nothing does. */
export function laneOf({ key }: IncomingRecord): string | null {
  return key === null ? null : key.toString("latin1");
}
