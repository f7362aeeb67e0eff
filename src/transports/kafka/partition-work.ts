import { Deque } from "../deque.ts";
import type { Fetched, IncomingRecord, TopicPartition } from "./driver.ts";
import type { KeyOrder } from "./key-order.ts";
import { Progress } from "./progress.ts";

/**
 * A message that was read:
 *
 * - "waiting": behind others, for its time, or for its key.
 * - "taken": the broker is being told, or knows, that it is in hand; its handler has not been called.
 * - "running": its handler has been called, or its verdict is being carried out.
 * - "over": finished, or no longer ours.
 */
export class Entry {
  readonly work: PartitionWork;
  readonly record: IncomingRecord;
  readonly lane: string | null;
  state: "waiting" | "taken" | "running" | "over" = "waiting";
  /** It was in hand before, and nobody heard what became of it. */
  isSuspect: boolean;
  /** It stands in the queue of its partition. */
  isQueued = false;

  constructor(work: PartitionWork, record: IncomingRecord, isSuspect: boolean) {
    this.work = work;
    this.record = record;
    this.isSuspect = isSuspect;
    this.lane = record.key === null ? null : record.key.toString("latin1");
  }

  get offset(): number {
    return this.record.offset;
  }

  get id(): string {
    return entryId(this.work, this.offset);
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

export function entryId({ topic, partition }: TopicPartition, offset: number): string {
  return `${topic}/${partition}/${offset}`;
}

/** How much of a partition is read ahead of its handlers, at most by one answer of the broker. */
const readAhead = { messages: 4_000, bytes: 4_194_304 } as const;

export interface PartitionWorkParts extends TopicPartition {
  /** How long messages wait in it; null for the queue's own topic. */
  readonly waitMs: number | null;
  readonly offset: number;
  readonly metadata: string;
  /** Null where no order was asked for. */
  readonly keys: KeyOrder<Entry> | null;
}

/** One partition that is ours: what was read of it, what may be handed over, how far it is worked off. */
export class PartitionWork implements TopicPartition {
  readonly topic: string;
  readonly partition: number;
  readonly waitMs: number | null;
  readonly keys: KeyOrder<Entry> | null;
  readonly #queue = new Deque<Entry>();
  #progress: Progress<Entry>;
  /** Messages of it that are in hand. */
  busy = 0;
  /** What was read of it and is not finished, in bytes. */
  #bytes = 0;
  /** What the broker was last told. */
  committed: { readonly offset: number; readonly metadata: string };

  constructor({ topic, partition, waitMs, offset, metadata, keys }: PartitionWorkParts) {
    this.topic = topic;
    this.partition = partition;
    this.waitMs = waitMs;
    this.keys = keys;
    this.#progress = new Progress(offset, metadata);
    this.committed = { offset, metadata };
  }

  get progress(): Progress<Entry> {
    return this.#progress;
  }

  /** Takes in what was read; what the last commit calls finished is passed over. */
  receive({ records, nextOffset }: Extract<Fetched, { kind: "records" }>): void {
    for (const record of records) {
      const fate = this.#progress.fateOf(record.offset);
      if (fate === "finished") continue;
      const entry = new Entry(this, record, fate === "in-hand");
      this.#progress.add(entry);
      this.#bytes += bytesOf(record);
      if (this.keys === null || this.keys.join(entry)) this.enqueue(entry, "last");
    }
    this.#progress.advance(nextOffset);
  }

  finish(entry: Entry): void {
    this.#progress.finish(entry);
    this.#bytes -= bytesOf(entry.record);
  }

  /** Whether more of it may be read. */
  get hasRoom(): boolean {
    return this.#progress.unfinished < readAhead.messages && this.#bytes < readAhead.bytes;
  }

  /** Begins anew elsewhere: the log no longer has what it was asked for. */
  restart(offset: number): void {
    this.#progress = new Progress(offset, "");
    this.#bytes = 0;
    for (let stale = this.#queue.shift(); stale !== undefined; stale = this.#queue.shift()) stale.state = "over";
  }

  enqueue(entry: Entry, where: "first" | "last"): void {
    if (entry.isQueued) return;
    entry.isQueued = true;
    if (where === "first") this.#queue.unshift(entry);
    else this.#queue.push(entry);
  }

  /** The next that may be handed over, as far as this partition goes; it stays where it is. */
  peek(now: number): Entry | undefined {
    const first = this.#queue.first;
    return first !== undefined && first.dueAt <= now ? first : undefined;
  }

  /** Takes the one off that `peek` gave. */
  shift(): void {
    const first = this.#queue.shift();
    if (first !== undefined) first.isQueued = false;
  }

  /** When the next is due, or undefined if none waits. */
  get nextDueAt(): number | undefined {
    return this.#queue.first?.dueAt;
  }
}

function bytesOf({ key, value }: IncomingRecord): number {
  return (key?.length ?? 0) + (value?.length ?? 0);
}
