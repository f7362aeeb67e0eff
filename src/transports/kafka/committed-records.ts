import { BatchCursor, type Decompress, endOf, headOf, isWhole } from "./batch-cursor.ts";
import type { IncomingRecord, RecordReader } from "./driver.ts";

/** A transaction that was given up: the producer's records from this offset on, up to its abort marker. */
export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

export interface FetchedBytes {
  /** Batches, one after the other, as they lie in the log; the last may be cut off. */
  readonly bytes: Buffer;
  readonly aborted: readonly AbortedTransaction[];
  readonly fromOffset: number;
  readonly decompress: Decompress;
}

/**
 * The records that count, in offset order: none before `fromOffset`, no markers, nothing of aborted transactions.
 *
 * The broker says which transactions in reach were aborted, but sends their records all the same. One producer may have
 * several, so each is shut out from its first offset until its own marker, and is free again behind it.
 *
 * Each is decoded when it is asked for: what is read long before it is handled would only make work for the collector.
 */
export class CommittedRecords implements RecordReader {
  readonly #source: FetchedBytes;
  readonly #ahead: AbortedTransaction[];
  readonly #shutOut = new Set<bigint>();
  /** Where the next batch begins. */
  #nextBatch = 0;
  readonly #cursor: BatchCursor;

  constructor(source: FetchedBytes) {
    this.#source = source;
    this.#cursor = new BatchCursor(source.bytes, source.decompress);
    this.#ahead = source.aborted.toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  }

  next(): IncomingRecord | null {
    for (;;) {
      if (this.#cursor.left === 0 && !this.#openBatch()) return null;
      const record = this.#cursor.read();
      if (record.offset >= this.#source.fromOffset) return record;
    }
  }

  /** Goes on to the next batch whose records count; false if there is none. */
  #openBatch(): boolean {
    const { bytes } = this.#source;
    for (let start = this.#nextBatch; isWhole(bytes, start); start = this.#nextBatch) {
      this.#nextBatch = endOf(bytes, start);
      if (this.#counts(start)) {
        this.#cursor.enter(start);
        return true;
      }
    }
    return false;
  }

  #counts(start: number): boolean {
    const head = headOf(this.#source.bytes, start);
    for (; this.#ahead[0] !== undefined && Number(this.#ahead[0].firstOffset) <= head.lastOffset; this.#ahead.shift()) {
      this.#shutOut.add(this.#ahead[0].producerId);
    }
    if (!head.isMarker) return head.count > 0 && !(head.isTransactional && this.#shutOut.has(head.producerId));
    if (this.#cursor.isAbort(start)) this.#shutOut.delete(head.producerId);
    return false;
  }
}
