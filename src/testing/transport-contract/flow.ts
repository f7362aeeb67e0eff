import { deepEqual, equal, ok } from "node:assert/strict";
import { done } from "../../domain/message.ts";
import type { Gate } from "../../transports/transport.ts";
import type { Bench } from "./bench.ts";
import type { TransportPromise } from "./promises.ts";

/** How much is taken and handed over at a time. */
export const flow: readonly TransportPromise[] = [
  {
    title: "says once that it listens, of an empty queue too",
    async run(bench) {
      let said = 0;
      const received = bench.collect({ listening: () => (said += 1) });
      await bench.eventually(() => said > 0);
      await bench.send("x");
      await received.delivery(1);
      await bench.quiet();
      equal(said, 1);
    },
  },
  {
    title: "runs up to concurrency handlers at a time, and never more",
    async run(bench) {
      await bench.send(..."abcdefgh");
      let running = 0;
      let most = 0;
      const received = bench.consume(
        async () => {
          running += 1;
          most = Math.max(most, running);
          // However slowly a busy broker brings the others.
          await bench.eventually(() => most >= 3);
          await bench.quiet(20);
          running -= 1;
          return done;
        },
        { concurrency: 3, prefetch: 8 },
      );
      await received.delivery(8);
      equal(most, 3);
    },
  },
  {
    title: "takes no more than prefetch messages that are not settled",
    async run(bench) {
      await bench.send(..."abcde");
      const greedy = bench.consume(() => bench.hold().verdict, { prefetch: 2 });
      await greedy.delivery(1);
      await bench.quiet();
      const other = bench.collect({ on: await bench.connect() });
      await other.delivery(3);
      await bench.quiet();
      equal(other.deliveries.length, 3);
    },
  },
  {
    title: "lets nothing finished wait for something unfinished",
    async run(bench) {
      await bench.send("a", "b", "c");
      const hold = bench.hold();
      const received = bench.consume(({ message }) => (message.body[0] === 97 ? hold.verdict : Promise.resolve(done)), {
        concurrency: 2,
        prefetch: 2,
      });
      await received.delivery(3);
      deepEqual(received.bodies().sort(), ["a", "b", "c"]);
    },
  },
  {
    title: "shares a queue among consumers, each message handed over once",
    async run(bench) {
      const bodies = Array.from({ length: 60 }, (_, index) => String(index).padStart(2, "0"));
      await bench.send(...bodies);
      const how = { concurrency: 4, prefetch: 8 };
      const pausing = async () => {
        await bench.quiet(5);
        return done;
      };
      const consumers = [
        bench.consume(pausing, how),
        bench.consume(pausing, { ...how, on: await bench.connect() }),
        bench.consume(pausing, { ...how, on: await bench.connect() }),
      ];
      const received = () => consumers.flatMap((consumer) => consumer.bodies());
      await bench.eventually(() => received().length >= bodies.length);
      await bench.quiet();
      deepEqual(received().sort(), bodies);
    },
  },
  {
    title: "takes nothing while the gate is closed, and goes on when it opens",
    async run(bench) {
      const gate = movableGate(0);
      const received = bench.consume(() => Promise.resolve(done), { gate, prefetch: 4 });
      await bench.send("for the other");
      const other = bench.collect({ on: await bench.connect() });
      await other.delivery(1);
      await other.stop();
      equal(received.deliveries.length, 0);
      await bench.send("for this one");
      await bench.quiet();
      gate.move(1);
      await received.delivery(1);
      deepEqual(received.bodies(), ["for this one"]);
    },
  },
  {
    title: "gives back what it took ahead when the gate closes, at no cost",
    async run(bench) {
      await bench.send("a", "b", "c");
      const gate = movableGate(1);
      const hold = bench.hold();
      const received = bench.consume(() => hold.verdict, { gate, prefetch: 3 });
      await received.delivery(1);
      await bench.quiet();
      gate.move(0);
      const other = bench.collect({ on: await bench.connect() });
      await other.delivery(2);
      assertUntouched(bench, other.deliveries);
      equal(received.deliveries.length, 1);
    },
  },
  {
    title: "runs no more handlers than the gate allows",
    async run(bench) {
      await bench.send(..."abcd");
      const gate = movableGate(2);
      const received = bench.consume(() => bench.hold().verdict, { gate, concurrency: 4, prefetch: 4 });
      await received.delivery(2);
      await bench.quiet();
      equal(received.deliveries.length, 2);
      gate.move(4);
      await received.delivery(4);
    },
  },
];

/** Neither counted nor marked: no handler ever saw them. */
export function assertUntouched(
  { subject }: Bench,
  deliveries: readonly { readonly redelivered: boolean; readonly deliveryCount: number | null }[],
): void {
  for (const { redelivered, deliveryCount } of deliveries) {
    equal(redelivered, false);
    if (subject.capabilities.deliveryCount) equal(deliveryCount, 1);
    else ok(deliveryCount === null);
  }
}

function movableGate(limit: number): Gate & { move(limit: number): void } {
  const listeners = new Set<() => void>();
  let current = limit;
  return {
    get limit() {
      return current;
    },
    onChange(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    move(next) {
      current = next;
      for (const changed of listeners) changed();
    },
  };
}
