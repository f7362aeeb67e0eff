import type { IncomingRecord, RecordHeader } from "./driver.ts";

/** A batch as it lies in the log. */
export interface RecordBatch {
  readonly firstOffset: bigint;
  readonly lastOffsetDelta: number;
  readonly attributes: number;
  readonly firstTimestamp: bigint;
  readonly maxTimestamp: bigint;
  readonly producerId: bigint;
  readonly records: readonly {
    readonly offsetDelta: number;
    readonly timestampDelta: bigint;
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    readonly headers: readonly (readonly [Buffer | null, Buffer | null])[];
  }[];
}

/** A transaction that was given up: the producer's records from this offset on, up to its abort marker. */
export interface AbortedTransaction {
  readonly producerId: bigint;
  readonly firstOffset: bigint;
}

const attributes = { appendTime: 1 << 3, transactional: 1 << 4, control: 1 << 5 } as const;
const abortMarker = 0;

/**
 * The records that count, in offset order: none before `fromOffset`, no markers, nothing of aborted transactions.
 *
 * The broker says which transactions in reach were aborted, but sends their records all the same. One producer may have
 * several, so each is shut out from its first offset until its own marker, and is free again behind it.
 */
export function committedRecords(
  batches: readonly RecordBatch[],
  aborted: readonly AbortedTransaction[],
  fromOffset: number,
): IncomingRecord[] {
  const ahead = aborted.toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  const shutOut = new Set<bigint>();
  const committed: IncomingRecord[] = [];
  for (const batch of batches) {
    for (; ahead[0] !== undefined && Number(ahead[0].firstOffset) <= lastOffset(batch); ahead.shift()) {
      shutOut.add(ahead[0].producerId);
    }
    if (batch.attributes & attributes.control) {
      if (isAbort(batch)) shutOut.delete(batch.producerId);
    } else if (!(batch.attributes & attributes.transactional) || !shutOut.has(batch.producerId)) {
      for (const record of recordsOf(batch)) if (record.offset >= fromOffset) committed.push(record);
    }
  }
  return committed;
}

/** Behind the last batch, whether anything of it counts or not. */
export function offsetBehind(batches: readonly RecordBatch[], fromOffset: number): number {
  const last = batches.at(-1);
  return last === undefined ? fromOffset : Math.max(fromOffset, lastOffset(last) + 1);
}

function lastOffset({ firstOffset, lastOffsetDelta }: RecordBatch): number {
  return Number(firstOffset) + lastOffsetDelta;
}

/** A marker's key: its version and its type, 16 bits each. */
function isAbort({ records }: RecordBatch): boolean {
  return records[0]?.key?.readInt16BE(2) === abortMarker;
}

function recordsOf(batch: RecordBatch): IncomingRecord[] {
  const appendedAt = batch.attributes & attributes.appendTime ? Number(batch.maxTimestamp) : undefined;
  return batch.records.map(({ offsetDelta, timestampDelta, key, value, headers }) => ({
    offset: Number(batch.firstOffset) + offsetDelta,
    timestamp: appendedAt ?? Number(batch.firstTimestamp + timestampDelta),
    key,
    value,
    headers: headers.map(([name, content]): RecordHeader => [name ?? Buffer.alloc(0), content]),
  }));
}
