import {
  type CompressionAlgorithmValue,
  compressionsAlgorithmsByBitmask,
  createRecordsBatch,
} from "@platformatic/kafka";
import { expect, it } from "vitest";
import { offsetBehind } from "./batch-cursor.ts";
import { CommittedRecords } from "./committed-records.ts";
import type { IncomingRecord } from "./driver.ts";

const transactional = 1 << 4;
const control = 1 << 5;
const marker = { commit: Buffer.of(0, 0, 0, 1), abort: Buffer.of(0, 0, 0, 0) };
const firstTimestamp = 1_700_000_000_000;

interface Sent {
  readonly key?: Buffer;
  readonly value: Buffer;
  readonly headers?: Map<Buffer, Buffer>;
  readonly timestamp?: bigint;
}

/** A batch as it lies in the log, by another's hand but for what only brokers write. */
function written(
  firstOffset: number,
  sent: readonly Sent[],
  {
    producerId = -1,
    attributes = 0,
    compression = "none",
  }: { producerId?: number; attributes?: number; compression?: CompressionAlgorithmValue } = {},
): Buffer {
  const messages = sent.map((one) => ({ topic: "t", timestamp: BigInt(firstTimestamp), ...one }));
  const bytes = createRecordsBatch(messages, { producerId: BigInt(producerId), compression }).buffer;
  bytes.writeBigInt64BE(BigInt(firstOffset), 0);
  bytes.writeInt16BE(bytes.readInt16BE(21) | attributes, 21);
  return bytes;
}

function batch(firstOffset: number, producerId: number, values: readonly string[], attributes = transactional): Buffer {
  const sent = values.map((value) => ({ value: Buffer.from(value) }));
  return written(firstOffset, sent, { producerId, attributes });
}

function end(offset: number, producerId: number, how: "commit" | "abort"): Buffer {
  const sent = [{ key: marker[how], value: Buffer.alloc(6) }];
  return written(offset, sent, { producerId, attributes: transactional | control });
}

const aborted = (producerId: number, firstOffset: number) => ({
  producerId: BigInt(producerId),
  firstOffset: BigInt(firstOffset),
});

function read(
  log: readonly Buffer[],
  transactions: readonly ReturnType<typeof aborted>[] = [],
  fromOffset = 0,
): IncomingRecord[] {
  const decompress = (compression: number, bytes: Buffer): Buffer =>
    compressionsAlgorithmsByBitmask[compression]?.decompressSync(bytes) ?? Buffer.alloc(0);
  const reader = new CommittedRecords({ bytes: Buffer.concat(log), aborted: transactions, fromOffset, decompress });
  const records: IncomingRecord[] = [];
  for (let record = reader.next(); record !== null; record = reader.next()) records.push(record);
  return records;
}

const values = (...args: Parameters<typeof read>) => read(...args).map(({ value }) => value?.toString());

it("reads what a producer committed after it aborted, in one answer", () => {
  const log = [
    batch(0, 1, ["c1"]),
    end(1, 1, "commit"),
    batch(2, 1, ["a1"]),
    end(3, 1, "abort"),
    batch(4, 1, ["c2"]),
    end(5, 1, "commit"),
    end(6, 1, "abort"),
  ];
  expect(values(log, [aborted(1, 2)], 0)).toEqual(["c1", "c2"]);
});

it("shuts out every one of several aborted transactions", () => {
  const log = [
    batch(0, 1, ["a1"]),
    end(1, 1, "abort"),
    batch(2, 1, ["a2"]),
    end(3, 1, "abort"),
    batch(4, 1, ["c"]),
    end(5, 1, "commit"),
  ];
  expect(values(log, [aborted(1, 2), aborted(1, 0)], 0)).toEqual(["c"]);
});

it("tells producers apart whose records lie among each other", () => {
  const log = [
    batch(0, 1, ["a1"]),
    batch(1, 2, ["c1"]),
    batch(2, 1, ["a2"]),
    end(3, 2, "commit"),
    batch(4, 2, ["c2"]),
    end(5, 1, "abort"),
    end(6, 2, "commit"),
  ];
  expect(values(log, [aborted(1, 0)], 0)).toEqual(["c1", "c2"]);
});

it("knows of a transaction that began before what was asked for", () => {
  const log = [batch(10, 1, ["a", "a"]), end(12, 1, "abort"), batch(13, 1, ["c"]), end(14, 1, "commit")];
  expect(values(log, [aborted(1, 3)], 11)).toEqual(["c"]);
});

it("reads what belongs to no transaction, whoever aborts", () => {
  const log = [batch(0, 1, ["a"]), batch(1, 1, ["plain"], 0), end(2, 1, "abort")];
  expect(values(log, [aborted(1, 0)], 0)).toEqual(["plain"]);
});

it("leaves out what lies before the offset asked for, and goes on behind the last batch", () => {
  const log = [batch(0, -1, ["0", "1", "2"], 0)];
  expect([values(log, [], 2), offsetBehind(Buffer.concat(log), 2)]).toEqual([["2"], 3]);
  expect([offsetBehind(Buffer.alloc(0), 7), offsetBehind(end(3, 1, "abort"), 0)]).toEqual([7, 4]);
});

it("passes over a batch that was cut off: it is asked for again", () => {
  const log = Buffer.concat([batch(0, -1, ["0", "1"], 0), batch(2, -1, ["2"], 0)]);
  for (const cutOff of [1, 20, 60]) {
    const rest = log.subarray(0, log.length - cutOff);
    expect([values([rest]), offsetBehind(rest, 0)]).toEqual([["0", "1"], 2]);
  }
});

it("goes by the broker's time where the topic does", () => {
  const sent = [{ value: Buffer.from("x"), timestamp: BigInt(firstTimestamp) }];
  const log = written(0, [...sent, { value: Buffer.from("y"), timestamp: BigInt(firstTimestamp - 5) }]);
  expect(read([log]).map(({ timestamp }) => timestamp)).toEqual([firstTimestamp, firstTimestamp - 5]);
  const appendTime = 1 << 3;
  const appended = written(0, sent, { attributes: appendTime });
  appended.writeBigInt64BE(2_000n, 35);
  expect(read([appended])[0]?.timestamp).toBe(2_000);
});

it.each(["none", "gzip", "snappy", "lz4", "zstd"] as const)(
  "reads what another wrote, compressed by %s",
  (compression) => {
    const sent = Array.from({ length: 300 }, (_, number) => ({
      ...{ key: Buffer.alloc(number % 200, "k"), value: Buffer.alloc(number * 60, number) },
      headers: new Map([
        [Buffer.from("tag"), Buffer.of(0xff, number % 256)],
        [Buffer.from("tag"), Buffer.from("again")],
      ]),
      timestamp: BigInt(firstTimestamp + number * 5_000_000),
    }));
    const records = read([written(2 ** 40, sent, { compression })]);
    expect(records.map(({ offset }) => offset)).toEqual(sent.map((_, number) => 2 ** 40 + number));
    for (const [number, { key, value, headers, timestamp }] of sent.entries()) {
      const record = { offset: 2 ** 40 + number, timestamp: Number(timestamp), key, value, headers: [...headers] };
      expect(records[number]).toEqual(record);
    }
  },
);
