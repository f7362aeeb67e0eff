import { expect, it } from "vitest";
import { laneOf } from "./lane.ts";

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

it("is none without a key, and one with an empty key", () => {
  expect(laneOf("orders", null)).toBeNull();
  expect(laneOf("orders", bytes(""))).not.toBeNull();
});

it("is the same on every machine and in every version, since it is stored", () => {
  expect(laneOf("orders", bytes("customer 7"))).toBe(-4_311_944_695_567_833_368n);
});

it("differs when the queue or the key does, also where the letters are the same", () => {
  const lanes = [
    laneOf("ab", bytes("c")),
    laneOf("a", bytes("bc")),
    laneOf("abc", bytes("")),
    laneOf("1:a", bytes("b")),
  ];
  expect(new Set(lanes).size).toBe(lanes.length);
});
