import { type IncomingRecord, KafkaFault, type RecordHeader } from "./driver.ts";

/** Undoes the compression of this number. */
export type Decompress = (compression: number, bytes: Buffer) => Buffer;

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

/** What stands at the head of a batch. */
export interface BatchHead {
  readonly producerId: bigint;
  readonly isTransactional: boolean;
  /** It holds no records, but the end of a transaction of that producer. */
  readonly isMarker: boolean;
  readonly count: number;
  readonly firstOffset: number;
  readonly lastOffset: number;
}

/** Reads the records of one batch after the other, each when it is asked for. */
export class BatchCursor {
  /** Records of this batch that were not read so far. */
  left = 0;
  readonly #bytes: Buffer;
  readonly #decompress: Decompress;
  #records: Buffer = Buffer.alloc(0);
  #at = 0;
  #firstOffset = 0;
  #firstTimestamp = 0;
  /** The broker's time, where the topic goes by it. */
  #appendedAt: number | null = null;

  constructor(bytes: Buffer, decompress: Decompress) {
    this.#bytes = bytes;
    this.#decompress = decompress;
  }

  enter(start: number): void {
    const bytes = this.#bytes;
    const flags = bytes.readInt16BE(start + field.attributes);
    const compression = flags & attributes.compression;
    const records = bytes.subarray(start + field.records, endOf(bytes, start));
    this.#records = compression === 0 ? records : this.#decompress(compression, records);
    this.#at = 0;
    this.left = bytes.readInt32BE(start + field.count);
    this.#firstOffset = Number(bytes.readBigInt64BE(start));
    this.#firstTimestamp = Number(bytes.readBigInt64BE(start + field.firstTimestamp));
    const appendedAt = Number(bytes.readBigInt64BE(start + field.maxTimestamp));
    this.#appendedAt = flags & attributes.appendTime ? appendedAt : null;
  }

  /** Whether the marker that begins there ends a transaction by giving it up. Its key: version and type, 16 bits each. */
  isAbort(start: number): boolean {
    this.enter(start);
    const { key } = this.read();
    this.left = 0;
    return key?.readInt16BE(2) === abortMarker;
  }

  /** Its length and its attributes, of which there are none yet, are passed over. */
  read(): IncomingRecord {
    this.left -= 1;
    this.#varint();
    this.#at += 1;
    const timestamp = this.#firstTimestamp + this.#varint();
    const offset = this.#firstOffset + this.#varint();
    const key = this.#next();
    const value = this.#next();
    const headers = this.#headers();
    return { offset, timestamp: this.#appendedAt ?? timestamp, key, value, headers };
  }

  #headers(): readonly RecordHeader[] {
    const count = this.#varint();
    if (count === 0) return noHeaders;
    return Array.from({ length: count }, (): RecordHeader => [this.#next() ?? Buffer.alloc(0), this.#next()]);
  }

  #next(): Buffer | null {
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

/** Refuses batches of before 2017. */
export function headOf(bytes: Buffer, start: number): BatchHead {
  if (bytes[start + field.magic] !== format) throw new KafkaFault("UNSUPPORTED_FOR_MESSAGE_FORMAT");
  const flags = bytes.readInt16BE(start + field.attributes);
  return {
    producerId: bytes.readBigInt64BE(start + field.producerId),
    isTransactional: (flags & attributes.transactional) !== 0,
    isMarker: (flags & attributes.control) !== 0,
    count: bytes.readInt32BE(start + field.count),
    firstOffset: Number(bytes.readBigInt64BE(start)),
    lastOffset: lastOffset(bytes, start),
  };
}

/** Behind the last batch, whether anything of it counts or not. */
export function offsetBehind(bytes: Buffer, fromOffset: number): number {
  let offset = fromOffset;
  for (let start = 0; isWhole(bytes, start); start = endOf(bytes, start)) {
    offset = Math.max(offset, lastOffset(bytes, start) + 1);
  }
  return offset;
}

export function isWhole(bytes: Buffer, start: number): boolean {
  return start + field.records <= bytes.length && endOf(bytes, start) <= bytes.length;
}

export function endOf(bytes: Buffer, start: number): number {
  return start + headBytes + bytes.readInt32BE(start + field.length);
}

function lastOffset(bytes: Buffer, start: number): number {
  return Number(bytes.readBigInt64BE(start)) + bytes.readInt32BE(start + field.lastOffsetDelta);
}
