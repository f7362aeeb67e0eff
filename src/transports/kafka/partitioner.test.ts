import fc from "fast-check";
import { Partitioners } from "kafkajs";
import { expect, it } from "vitest";
import { murmur2, partitionOfKey } from "./partitioner.ts";

it.each([
  ["21", -973932308],
  ["foobar", -790332482],
  ["a-little-bit-long-string", -985981536],
  ["a-little-bit-longer-string", -1486304829],
  ["lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971],
  ["abc", 479470107],
])("hashes %s as Kafka's own client does", (text, hash) => {
  expect(murmur2(Buffer.from(text))).toBe(hash);
});

it("chooses the partition that other clients choose for a key", () => {
  const choose = Partitioners.DefaultPartitioner();
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 50 }), (key, count) => {
      const partitionMetadata = Array.from({ length: count }, (_, partitionId) => ({ partitionId, leader: 1 }));
      const message = { key: Buffer.from(key), value: null };
      expect(partitionOfKey(key, count)).toBe(
        choose({ topic: "t", partitionMetadata: partitionMetadata as never, message }),
      );
    }),
  );
});

it("hashes bytes wherever they lie in their buffer", () => {
  const padded = Buffer.from("..foobar").subarray(2);
  expect(murmur2(padded)).toBe(-790332482);
});
