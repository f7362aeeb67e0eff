import fc from "fast-check";
import { expect, it } from "vitest";
import { Deque } from "./deque.ts";

const moves = fc.array(fc.constantFrom("push", "unshift", "shift", "pop"), { maxLength: 200 });

it("behaves as an array does", () => {
  fc.assert(
    fc.property(moves, (sequence) => {
      const deque = new Deque<number>();
      const array: number[] = [];
      sequence.forEach((move, index) => {
        if (move === "push" || move === "unshift") {
          deque[move](index);
          array[move](index);
        } else expect(deque[move]()).toBe(array[move]());
        expect([deque.length, deque.first]).toEqual([array.length, array[0]]);
      });
    }),
  );
});

it("gives up the room of what has left, and keeps the rest", () => {
  const deque = new Deque<number>();
  for (let index = 0; index < 10_000; index++) deque.push(index);
  for (let index = 0; index < 9_000; index++) expect(deque.shift()).toBe(index);
  deque.unshift(-1);
  expect([deque.length, deque.shift(), deque.shift(), deque.pop()]).toEqual([1_001, -1, 9_000, 9_999]);
});
