import { expect, it } from "vitest";
import { committedRecords, offsetBehind, type RecordBatch } from "./committed-records.ts";

const transactional = 1 << 4;
const control = 1 << 5;
const marker = { commit: Buffer.of(0, 0, 0, 1), abort: Buffer.of(0, 0, 0, 0) };

function batch(firstOffset: number, producerId: number, values: readonly string[], attributes = transactional) {
  return {
    firstOffset: BigInt(firstOffset),
    lastOffsetDelta: values.length - 1,
    attributes,
    firstTimestamp: 1_000n,
    maxTimestamp: 2_000n,
    producerId: BigInt(producerId),
    records: values.map((value, offsetDelta) => ({
      ...{ offsetDelta, timestampDelta: 5n, key: null, value: Buffer.from(value), headers: [] },
    })),
  } satisfies RecordBatch;
}

function end(offset: number, producerId: number, how: "commit" | "abort"): RecordBatch {
  const made = batch(offset, producerId, [""], transactional | control);
  return { ...made, records: made.records.map((record) => ({ ...record, key: marker[how] })) };
}

const aborted = (producerId: number, firstOffset: number) => ({
  producerId: BigInt(producerId),
  firstOffset: BigInt(firstOffset),
});

const values = (...args: Parameters<typeof committedRecords>) =>
  committedRecords(...args).map(({ value }) => value?.toString());

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
  expect([values(log, [], 2), offsetBehind(log, 2)]).toEqual([["2"], 3]);
  expect([offsetBehind([], 7), offsetBehind([end(3, 1, "abort")], 0)]).toEqual([7, 4]);
});

it("goes by the broker's time where the topic does", () => {
  const appendTime = 1 << 3;
  expect(committedRecords([batch(0, -1, ["x"], appendTime)], [], 0)[0]?.timestamp).toBe(2_000);
  expect(committedRecords([batch(0, -1, ["x"], 0)], [], 0)[0]?.timestamp).toBe(1_005);
});
