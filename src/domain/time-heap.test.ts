import fc from "fast-check";
import { expect, it } from "vitest";
import { type Timed, TimeHeap } from "./time-heap.ts";

interface Item extends Timed {
  readonly name: string;
}

function itemsAt(times: readonly number[]): Item[] {
  return times.map((at, seq) => ({ at, seq, slot: -1, name: `${seq}@${at}` }));
}

function drain(heap: TimeHeap<Item>): Item[] {
  const drained: Item[] = [];
  for (let item = heap.popDue(Number.POSITIVE_INFINITY); item; item = heap.popDue(Number.POSITIVE_INFINITY)) {
    drained.push(item);
  }
  return drained;
}

const byTime = (a: Item, b: Item) => a.at - b.at || a.seq - b.seq;

it("gives out what it was given, earliest first, and the first come first at the same time", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
      const items = itemsAt(times);
      const heap = new TimeHeap<Item>();
      for (const item of items) heap.push(item);
      expect(drain(heap)).toEqual(items.toSorted(byTime));
    }),
  );
});

it("keeps its order when any of them are removed", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.boolean())), (plan) => {
      const items = itemsAt(plan.map(([at]) => at));
      const heap = new TimeHeap<Item>();
      for (const item of items) heap.push(item);
      for (const item of items) if (plan[item.seq]?.[1]) heap.remove(item);
      expect(drain(heap)).toEqual(items.filter((item) => !plan[item.seq]?.[1]).toSorted(byTime));
    }),
  );
});

it("gives out nothing before its time", () => {
  const heap = new TimeHeap<Item>();
  const [item] = itemsAt([10]) as [Item];
  heap.push(item);
  expect(heap.popDue(9)).toBeUndefined();
  expect(heap.peek()).toBe(item);
  expect(heap.popDue(10)).toBe(item);
  expect(heap.size).toBe(0);
});

it("does nothing when something is removed that is not there", () => {
  const heap = new TimeHeap<Item>();
  const [kept, stranger] = itemsAt([1, 2]) as [Item, Item];
  heap.push(kept);
  heap.remove(stranger);
  expect(drain(heap)).toEqual([kept]);
});
