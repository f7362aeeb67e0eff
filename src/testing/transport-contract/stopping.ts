import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { isOfficeError } from "../../domain/errors.ts";
import { type Address, done, type Message, makeMessage, type Verdict } from "../../domain/message.ts";
import { systemClock } from "../../system/host.ts";
import { assertUntouched } from "./flow.ts";
import type { TransportPromise } from "./promises.ts";

const closed = (error: unknown) => isOfficeError(error, "TRANSPORT_CLOSED");

/** How consumers and connections end. */
export const stopping: readonly TransportPromise[] = [
  {
    title: "claims the capabilities it is tested for",
    async run({ transport, subject }) {
      deepEqual(transport.capabilities, subject.capabilities);
    },
  },
  {
    title: "waits for the handlers under way when it is stopped, and carries out their verdicts",
    async run(bench) {
      await bench.send("x");
      const hold = bench.hold();
      const received = bench.consume(() => hold.verdict, { leaseMs: 30_000 });
      await received.delivery(1);
      const stopping = received.stop();
      const isOver = watch(stopping);
      await bench.quiet();
      equal(isOver(), false);
      hold.give({ kind: "dead-letter", to: bench.address(".dlq"), message: makeMessage({ body: "dead" }) });
      await stopping;
      const letters = bench.collect({ from: bench.address(".dlq") });
      await letters.delivery(1);
      deepEqual(letters.bodies(), ["dead"]);
    },
  },
  {
    title: "hands nothing over once it is stopped",
    async run(bench) {
      await bench.send("a", "b", "c");
      const hold = bench.hold();
      const received = bench.consume(() => hold.verdict, { prefetch: 3 });
      await received.delivery(1);
      const stopping = received.stop();
      hold.give(done);
      await stopping;
      await bench.send("d");
      await bench.quiet();
      equal(received.deliveries.length, 1);
    },
  },
  {
    title: "hands nothing over once it is stopped, though a handler ends at that very moment",
    async run(bench) {
      await bench.send("a", "b", "c");
      const hold = bench.hold();
      const received = bench.consume(() => hold.verdict, { prefetch: 3 });
      await received.delivery(1);
      // Time enough to take the others ahead.
      await bench.quiet();
      hold.give(done);
      await received.stop();
      equal(received.deliveries.length, 1);
    },
  },
  {
    title: "gives back what it took ahead when it is stopped, at no cost",
    async run(bench) {
      await bench.send("a", "b", "c");
      const hold = bench.hold();
      const received = bench.consume(() => hold.verdict, { prefetch: 3 });
      await received.delivery(1);
      await bench.quiet();
      const stopping = received.stop();
      const other = bench.collect({ on: await bench.connect() });
      await other.delivery(2);
      assertUntouched(bench, other.deliveries);
      hold.give(done);
      await stopping;
    },
  },
  {
    title: "stops as soon as the last handler has settled",
    async run(bench) {
      await bench.send("a", "b", "c", "d");
      const received = bench.consume(
        async () => {
          await bench.quiet(100);
          return done;
        },
        { concurrency: 2, prefetch: 4 },
      );
      await received.delivery(2);
      const toldAt = systemClock.now();
      await received.stop();
      const tookMs = systemClock.now() - toldAt;
      // Far from the end of any lease, and far from what a busy broker takes for its answers.
      ok(tookMs < 10_000, `it took ${tookMs} ms`);
    },
  },
  stoppingInSilence("the work is done", () => done),
  stoppingInSilence("it is to be retried", (message) => ({ kind: "retry", delayMs: 0, message })),
  stoppingInSilence("it is a dead letter", (message, to) => ({ kind: "dead-letter", to, message })),
  {
    title: "stops at once while there is nothing to do, also before it began",
    async run(bench) {
      const received = bench.collect();
      await bench.quiet(50);
      await received.stop();
      await bench.collect().stop();
    },
  },
  {
    title: "stops every consumer when it is closed, and waits for what is under way",
    async run(bench) {
      const transport = await bench.connect();
      await bench.send("x");
      const hold = bench.hold();
      const received = bench.consume(() => hold.verdict, { on: transport });
      await received.delivery(1);
      const closing = transport.close();
      const isOver = watch(closing);
      await bench.quiet();
      equal(isOver(), false);
      hold.give(done);
      await Promise.all([closing, received.stop()]);
      const other = bench.collect();
      await bench.quiet();
      equal(other.deliveries.length, 0);
    },
  },
  {
    title: "lets a handler send while the transport closes",
    async run(bench) {
      const transport = await bench.connect();
      await bench.send("x");
      const received = bench.consume(
        async ({ message }) => {
          await bench.quiet(100);
          await transport.send(bench.address(".out"), message);
          return done;
        },
        { on: transport },
      );
      await received.delivery(1);
      await transport.close();
      await bench.collect({ from: bench.address(".out") }).delivery(1);
    },
  },
  {
    title: "can be closed twice, at once and again",
    async run(bench) {
      const transport = await bench.connect();
      bench.collect({ on: transport });
      await Promise.all([transport.close(), transport.close()]);
      await transport.close();
    },
  },
  {
    title: "refuses to send or consume once it is closed",
    async run(bench) {
      const transport = await bench.connect();
      await transport.close();
      await rejects(transport.send(bench.queue, makeMessage({ body: "x" })), closed);
      await rejects(bench.collect({ on: transport }).stop(), closed);
    },
  },
  {
    title: "leaves the queue to others when it is closed",
    async run(bench) {
      const transport = await bench.connect();
      const gone = bench.collect({ on: transport });
      await transport.close();
      await bench.send("x");
      const received = bench.collect();
      await received.delivery(1);
      await bench.eventually(() => gone.deliveries.length === 0);
    },
  },
];

/** A consumer that can tell nobody what became of its message is stopped long before its lease is over. */
function stoppingInSilence(what: string, verdict: (message: Message, letters: Address) => Verdict): TransportPromise {
  return {
    title: `stops soon though the broker is away and cannot be told that ${what}`,
    offers: "interrupt",
    async run(bench) {
      const message = await bench.sendMessage({ body: "x" });
      const transport = await bench.connect();
      const hold = bench.hold();
      const received = bench.consume(() => hold.verdict, { on: transport, leaseMs: 300_000 });
      await received.delivery(1);
      const restore = await bench.subject.interrupt?.(transport);
      hold.give(verdict(message, bench.address(".dlq")));
      await bench.eventually(watch(received.stop()));
      restore?.();
    },
  };
}

/** Tells whether it has resolved. */
function watch(ending: Promise<void>): () => boolean {
  let isOver = false;
  void ending.then(() => {
    isOver = true;
  });
  return () => isOver;
}
