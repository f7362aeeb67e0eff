import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { isOfficeError } from "../../domain/errors.ts";
import { type Delivery, done, textHeader, type Verdict } from "../../domain/message.ts";
import type { Bench, Consuming, Hold } from "./bench.ts";
import type { TransportPromise } from "./promises.ts";
import { assertSameHeaders } from "./same-message.ts";

/** What happens to a delivery whose consumer died, stood still or was cut off. */
export const redelivery: readonly TransportPromise[] = [
  {
    title: "delivers again, as redelivered, what a consumer had in hand when it died",
    async run(bench) {
      await bench.send("x");
      const first = await dieWithOne(bench);
      const again = await bench.collect({ on: await bench.connect() }).delivery(1);
      deepEqual([first.redelivered, again.redelivered], [false, true]);
    },
  },
  {
    title: "delivers what a consumer had taken ahead when it died",
    async run(bench) {
      await bench.send("a", "b", "c");
      await dieWithOne(bench, { prefetch: 3 });
      const received = bench.collect({ on: await bench.connect() });
      await received.delivery(3);
      deepEqual(received.bodies().sort(), ["a", "b", "c"]);
    },
  },
  {
    title: "counts deliveries, across the death of consumers",
    claims: "deliveryCount",
    async run(bench) {
      await bench.send("x");
      const first = await dieWithOne(bench);
      const again = await bench.collect({ on: await bench.connect() }).delivery(1);
      deepEqual([first.deliveryCount, again.deliveryCount], [1, 2]);
    },
  },
  {
    title: "no longer calls a message redelivered once a verdict was heard",
    async run(bench) {
      await bench.send("x");
      await dieWithOne(bench);
      const received = bench.consume(
        async ({ message }) => (received.deliveries.length > 1 ? done : { kind: "retry", delayMs: 0, message }),
        { on: await bench.connect() },
      );
      await received.delivery(2);
      deepEqual(
        received.deliveries.map(({ redelivered }) => redelivered),
        [true, false],
      );
    },
  },
  {
    title: "keeps charged headers when the consumer dies",
    async run(bench) {
      await bench.sendMessage({ body: "x", headers: { own: "header" } });
      const charged = [textHeader("dlo-attempt", "1"), textHeader("own", "header")];
      const doomed = await bench.connect();
      const hold = bench.hold();
      let outcome: string | undefined;
      bench.consume(
        async (delivery) => {
          outcome = await delivery.charge(charged);
          return hold.verdict;
        },
        { on: doomed, leaseMs: bench.shortLeaseMs },
      );
      await bench.eventually(() => outcome !== undefined);
      await bench.crash(doomed);
      const { message } = await bench.collect({ on: await bench.connect() }).delivery(1);
      assertSameHeaders(message.headers, charged);
    },
  },
  {
    title: "keeps charged headers on a message that comes back because it could not be sent onward",
    offers: "failSendsTo",
    async run(bench) {
      await bench.send("x");
      const to = bench.address(".dlq");
      const charged = [textHeader("dlo-attempt", "1")];
      await bench.subject.failSendsTo?.(bench.transport, to);
      const received = bench.consume(async (delivery) => {
        if (received.deliveries.length > 1) return done;
        const outcome = await delivery.charge(charged);
        return outcome === "resent" ? done : { kind: "dead-letter", to, message: delivery.message };
      });
      assertSameHeaders((await received.delivery(2)).message.headers, charged);
    },
  },
  {
    title: "delivers a message again, as redelivered, once its lease lapses",
    claims: "lease",
    async run(bench) {
      await bench.send("x");
      const { next } = await loseLease(bench);
      equal(next.redelivered, true);
    },
  },
  {
    title: "keeps a message for whoever extends it in time",
    claims: "lease",
    async run(bench) {
      await bench.send("x");
      const hold = bench.hold();
      const keeper = bench.consume(() => hold.verdict, { leaseMs: bench.shortLeaseMs });
      const delivery = await keeper.delivery(1);
      const other = bench.collect({ on: await bench.connect() });
      for (let round = 0; round < 10; round++) {
        ok(await delivery.extend(bench.shortLeaseMs));
        await bench.quiet(bench.shortLeaseMs / 5);
      }
      hold.give(done);
      await keeper.stop();
      await bench.lapse();
      equal(other.deliveries.length, 0);
    },
  },
  {
    title: "hands a message over with at least half of its lease left, however long it had waited",
    claims: "lease",
    async run(bench) {
      await bench.send("first", "second");
      const hold = bench.hold();
      const received = bench.consume(
        async (delivery) => {
          if (received.deliveries.length === 1) return hold.verdict;
          await bench.quiet(bench.shortLeaseMs * 0.4);
          return (await delivery.extend(30_000)) ? done : Promise.reject(new Error("lost"));
        },
        { prefetch: 2, leaseMs: bench.shortLeaseMs },
      );
      const first = await received.delivery(1);
      ok(await first.extend(30_000));
      await bench.quiet(bench.shortLeaseMs * 1.7);
      hold.give(done);
      await received.delivery(2);
      await received.stop();
      deepEqual(
        received.deliveries.map(({ redelivered }) => redelivered),
        [false, false],
      );
      deepEqual(received.incidents, []);
    },
  },
  {
    title: "says so when a delivery that was lost is extended",
    claims: "lease",
    async run(bench) {
      await bench.send("x");
      const { lost } = await loseLease(bench);
      equal(await lost.extend(30_000), false);
    },
  },
  {
    title: "refuses to charge a delivery that was lost, and changes nothing",
    claims: "lease",
    async run(bench) {
      await bench.send("x");
      const { lost, next, hold, successor } = await loseLease(bench);
      await rejects(lost.charge([textHeader("dlo-attempt", "1")]), (error) => isOfficeError(error, "DELIVERY_LOST"));
      hold.give({ kind: "retry", delayMs: 0, message: next.message });
      assertSameHeaders((await successor.delivery(2)).message.headers, []);
    },
  },
  stale("a late done: the message still belongs to the next", () => done),
  stale("a late retry: the message still belongs to the next", ({ message }) => ({
    kind: "retry",
    delayMs: 0,
    message,
  })),
  stale("a late dead-letter: the message still belongs to the next, and nothing is sent", ({ message }, bench) => ({
    kind: "dead-letter",
    to: bench.address(".dlq"),
    message,
  })),
  {
    title: "survives the loss of the broker, and reports its going and coming",
    offers: "interrupt",
    async run(bench) {
      const received = bench.collect({ leaseMs: bench.shortLeaseMs });
      await bench.send("before");
      await received.delivery(1);
      const restore = await bench.subject.interrupt?.(bench.transport);
      await bench.eventually(() => received.incidents.some(({ kind }) => kind === "connection-lost"));
      restore?.();
      await bench.eventually(() => received.incidents.some(({ kind }) => kind === "connection-restored"));
      await (await bench.connect()).send(bench.queue, received.deliveries[0]?.message as Delivery["message"]);
      await received.delivery(2);
    },
  },
  {
    title: "loses nothing that was in hand when the broker was lost",
    offers: "interrupt",
    async run(bench) {
      const message = await bench.sendMessage({ body: "x" });
      const hold = bench.hold();
      const received = bench.consume(() => (received.deliveries.length === 1 ? hold.verdict : Promise.resolve(done)), {
        concurrency: 2,
        prefetch: 2,
        leaseMs: bench.shortLeaseMs,
      });
      await received.delivery(1);
      const restore = await bench.subject.interrupt?.(bench.transport);
      await bench.eventually(() => received.incidents.some(({ kind }) => kind === "connection-lost"));
      hold.give({ kind: "retry", delayMs: 0, message });
      restore?.();
      await received.delivery(2);
    },
  },
];

/** A consumer takes a message and dies with it. Resolves to that delivery. */
async function dieWithOne(bench: Bench, { prefetch = 1 } = {}): Promise<Delivery> {
  const doomed = await bench.connect();
  const consuming = bench.consume(() => bench.hold().verdict, { on: doomed, prefetch, leaseMs: bench.shortLeaseMs });
  const delivery = await consuming.delivery(1);
  await bench.crash(doomed);
  return delivery;
}

interface Lost {
  readonly lost: Delivery;
  /** Gives the verdict of the consumer that lost it. */
  readonly late: Hold;
  readonly next: Delivery;
  /** Gives the verdict of the consumer that has it now. */
  readonly hold: Hold;
  readonly successor: Consuming;
}

/** One consumer takes a message and stands still for longer than its lease; another takes it over and holds it. */
async function loseLease(bench: Bench): Promise<Lost> {
  const late = bench.hold();
  const hold = bench.hold();
  const slow = bench.consume(() => late.verdict, { leaseMs: bench.shortLeaseMs });
  const lost = await slow.delivery(1);
  const successor = bench.consume(() => (successor.deliveries.length === 1 ? hold.verdict : Promise.resolve(done)), {
    on: await bench.connect(),
  });
  const next = await successor.delivery(1);
  void slow.stop();
  return { lost, late, next, hold, successor };
}

function stale(what: string, verdict: (lost: Delivery, bench: Bench) => Verdict): TransportPromise {
  return {
    title: `changes nothing by ${what}`,
    claims: "lease",
    async run(bench) {
      await bench.send("x");
      const letters = bench.collect({ from: bench.address(".dlq") });
      const { lost, late, next, hold, successor } = await loseLease(bench);
      late.give(verdict(lost, bench));
      await bench.quiet(200);
      equal(successor.deliveries.length, 1);
      ok(await next.extend(30_000));
      hold.give({ kind: "retry", delayMs: 0, message: next.message });
      await successor.delivery(2);
      await bench.quiet();
      deepEqual([successor.deliveries.length, letters.deliveries.length], [2, 0]);
    },
  };
}
