import { type IncomingRecord, KafkaFault, type RecordHeader, type RecordReader } from "./driver.ts";

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
  /** Undoes the compression of this number. */
  readonly decompress: (compression: number, bytes: Buffer) => Buffer;
}

const attributes = { compression: 0b111, appendTime: 1 << 3, transactional: 1 << 4, control: 1 << 5 } as const;
/** Where the fields of a batch are. */
const field = {
  ...{ length: 8, magic: 16, attributes: 21, lastOffsetDelta: 23, firstTimestamp: 27, maxTimestamp: 35 },
  ...{ producerId: 43, count: 57, records: 61 },
} as const;
/** What comes before that which a batch's length counts. */
const headBytes = 12;
const format = 2;
const abortMarker = 0;
const noHeaders: readonly RecordHeader[] = [];

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
  #records: Buffer = Buffer.alloc(0);
  #at = 0;
  /** Records of this batch that were not read so far. */
  #left = 0;
  #firstOffset = 0;
  #firstTimestamp = 0;
  /** The broker's time, where the topic goes by it. */
  #appendedAt: number | null = null;

  constructor(source: FetchedBytes) {
    this.#source = source;
    this.#ahead = source.aborted.toSorted((a, b) => Number(a.firstOffset - b.firstOffset));
  }

  next(): IncomingRecord | null {
    for (;;) {
      if (this.#left === 0 && !this.#openBatch()) return null;
      const record = this.#read();
      if (record.offset >= this.#source.fromOffset) return record;
    }
  }

  /** Goes on to the next batch whose records count; false if there is none. */
  #openBatch(): boolean {
    const { bytes } = this.#source;
    for (let start = this.#nextBatch; isWhole(bytes, start); start = this.#nextBatch) {
      this.#nextBatch = endOf(bytes, start);
      if (bytes[start + field.magic] !== format) throw new KafkaFault("UNSUPPORTED_FOR_MESSAGE_FORMAT");
      if (this.#counts(start) && bytes.readInt32BE(start + field.count) > 0) {
        this.#enter(start);
        return true;
      }
    }
    return false;
  }

  #counts(start: number): boolean {
    const { bytes } = this.#source;
    const flags = bytes.readInt16BE(start + field.attributes);
    const producerId = bytes.readBigInt64BE(start + field.producerId);
    const last = lastOffset(bytes, start);
    for (; this.#ahead[0] !== undefined && Number(this.#ahead[0].firstOffset) <= last; this.#ahead.shift()) {
      this.#shutOut.add(this.#ahead[0].producerId);
    }
    if ((flags & attributes.control) === 0) {
      return (flags & attributes.transactional) === 0 || !this.#shutOut.has(producerId);
    }
    if (this.#isAbort(start)) this.#shutOut.delete(producerId);
    return false;
  }

  /** A marker's key: its version and its type, 16 bits each. */
  #isAbort(start: number): boolean {
    this.#enter(start);
    const { key } = this.#read();
    this.#left = 0;
    return key?.readInt16BE(2) === abortMarker;
  }

  #enter(start: number): void {
    const { bytes, decompress } = this.#source;
    const flags = bytes.readInt16BE(start + field.attributes);
    const compression = flags & attributes.compression;
    const records = bytes.subarray(start + field.records, endOf(bytes, start));
    this.#records = compression === 0 ? records : decompress(compression, records);
    this.#at = 0;
    this.#left = bytes.readInt32BE(start + field.count);
    this.#firstOffset = Number(bytes.readBigInt64BE(start));
    this.#firstTimestamp = Number(bytes.readBigInt64BE(start + field.firstTimestamp));
    const appendedAt = Number(bytes.readBigInt64BE(start + field.maxTimestamp));
    this.#appendedAt = flags & attributes.appendTime ? appendedAt : null;
  }

  /** Its length and its attributes, of which there are none yet, are passed over. */
  #read(): IncomingRecord {
    this.#left -= 1;
    this.#varint();
    this.#at += 1;
    const timestamp = this.#firstTimestamp + this.#varint();
    const offset = this.#firstOffset + this.#varint();
    const key = this.#bytes();
    const value = this.#bytes();
    const headers = this.#headers();
    return { offset, timestamp: this.#appendedAt ?? timestamp, key, value, headers };
  }

  #headers(): readonly RecordHeader[] {
    const count = this.#varint();
    if (count === 0) return noHeaders;
    return Array.from({ length: count }, (): RecordHeader => [this.#bytes() ?? Buffer.alloc(0), this.#bytes()]);
  }

  #bytes(): Buffer | null {
    const length = this.#varint();
    if (length < 0) return null;
    this.#at += length;
    return this.#records.subarray(this.#at - length, this.#at);
  }

  /** Seven bits a byte, the lowest first; odd ones are negative. Times pass 32 bits, so the long ones go without shifts. */
  #varint(): number {
    const records = this.#records;
    const first = records[this.#at++] ?? 0;
    if (first < 128) return (first >>> 1) ^ -(first & 1);
    const second = records[this.#at++] ?? 0;
    let value = (first & 127) | ((second & 127) << 7);
    if (second < 128) return (value >>> 1) ^ -(value & 1);
    for (let scale = 16_384; ; scale *= 128) {
      const byte = records[this.#at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
  }
}

/** Behind the last batch, whether anything of it counts or not. */
export function offsetBehind(bytes: Buffer, fromOffset: number): number {
  let offset = fromOffset;
  for (let start = 0; isWhole(bytes, start); start = endOf(bytes, start)) {
    offset = Math.max(offset, lastOffset(bytes, start) + 1);
  }
  return offset;
}

function isWhole(bytes: Buffer, start: number): boolean {
  return start + field.records <= bytes.length && endOf(bytes, start) <= bytes.length;
}

function endOf(bytes: Buffer, start: number): number {
  return start + headBytes + bytes.readInt32BE(start + field.length);
}

function lastOffset(bytes: Buffer, start: number): number {
  return Number(bytes.readBigInt64BE(start)) + bytes.readInt32BE(start + field.lastOffsetDelta);
}
