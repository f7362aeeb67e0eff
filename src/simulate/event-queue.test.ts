import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventQueue } from "./event-queue.ts";

function drain(queue: EventQueue): { time: number; client: number }[] {
  const drained: { time: number; client: number }[] = [];
  while (queue.size > 0) {
    drained.push({ time: queue.firstTime, client: queue.firstClient });
    queue.removeFirst();
  }
  return drained;
}

describe("EventQueue", () => {
  it("gives events in the order of their times, whatever order they came in, beyond its first capacity too", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 })), (times) => {
        const queue = new EventQueue(4);
        for (const [client, time] of times.entries()) queue.add(time, client);
        const drained = drain(queue);
        expect(drained.map(({ time }) => time)).toEqual(times.toSorted((a, b) => a - b));
        expect(drained.map(({ client }) => client).sort((a, b) => a - b)).toEqual([...times.keys()]);
      }),
    );
  });

  it("keeps the order when the first is moved to a later time", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1 }), fc.array(fc.nat(50)), (times, delays) => {
        const queue = new EventQueue(times.length);
        for (const [client, time] of times.entries()) queue.add(time, client);
        let before = 0;
        for (const delay of delays) {
          expect(queue.firstTime).toBeGreaterThanOrEqual(before);
          before = queue.firstTime;
          queue.moveFirst(before + delay);
        }
        const rest = drain(queue).map(({ time }) => time);
        expect(rest).toEqual(rest.toSorted((a, b) => a - b));
        expect(rest).toHaveLength(times.length);
      }),
    );
  });
});
