import { deepEqual, equal, ok } from "node:assert/strict";
import {
  type Address,
  type Delivery,
  done,
  type Message,
  makeMessage,
  textHeader,
  type Verdict,
} from "../../domain/message.ts";
import { systemClock } from "../../system/host.ts";
import { type Bench, text } from "./bench.ts";
import type { TransportPromise } from "./promises.ts";
import { assertSameMessage } from "./same-message.ts";

/** What becomes of a delivery: the verdicts. */
export const settling: readonly TransportPromise[] = [
  {
    title: "acknowledges what is done: it never comes again",
    async run(bench) {
      await bench.send("once");
      const received = bench.collect({ leaseMs: bench.shortLeaseMs });
      await received.delivery(1);
      await received.stop();
      const after = bench.collect();
      await bench.lapse();
      deepEqual([received.bodies(), after.bodies()], [["once"], []]);
    },
  },
  {
    title: "puts the message of a retry in the place of the one delivered",
    async run(bench) {
      await bench.sendMessage({ body: "x", headers: { tries: "0" } });
      const again = makeMessage({ body: "changed", headers: [textHeader("tries", "1"), textHeader("why", "busy")] });
      const received = bench.consume(onceThenDone({ kind: "retry", delayMs: 0, message: again }));
      assertSameMessage((await received.delivery(2)).message, again);
      await bench.quiet();
      equal(received.deliveries.length, 2);
    },
  },
  {
    title: "does not take a retry for a redelivery: its outcome was heard of",
    async run(bench) {
      const message = await bench.sendMessage({ body: "x" });
      const received = bench.consume(onceThenDone({ kind: "retry", delayMs: 0, message }));
      equal((await received.delivery(2)).redelivered, false);
    },
  },
  {
    title: "does not deliver a retry before its delay is over",
    async run(bench) {
      const message = await bench.sendMessage({ body: "x" });
      const times: number[] = [];
      const received = bench.consume(async () => {
        times.push(systemClock.now());
        return times.length > 1 ? done : { kind: "retry", delayMs: 300, message };
      });
      await received.delivery(2);
      const waited = (times[1] ?? 0) - (times[0] ?? 0);
      ok(waited >= 295, `it came after ${waited} ms`);
    },
  },
  {
    title: "does not hold up the messages behind one that waits for its retry",
    async run(bench) {
      const message = await bench.sendMessage({ body: "slow" });
      await bench.send("quick");
      const retry = onceThenDone({ kind: "retry", delayMs: 1_500, message });
      const received = bench.consume(async (delivery) => (text(delivery.message) === "slow" ? retry() : done));
      await received.delivery(3);
      // Which of them comes first is not promised without an order.
      const bodies = received.bodies();
      deepEqual([bodies.slice(0, 2).toSorted(), bodies[2]], [["quick", "slow"], "slow"]);
    },
  },
  onward("dead-letter", "sends a dead letter where the verdict says, headers and all, and is rid of the delivery"),
  onward("park", "sends a parked message where the verdict says, headers and all, and is rid of the delivery"),
  {
    title: "brings a message back after returnDelayMs, unchanged, when it cannot be sent onward",
    offers: "failSendsTo",
    async run(bench) {
      const to = bench.address(".dlq");
      const mend = await bench.subject.failSendsTo?.(bench.transport, to);
      const sent = await bench.sendMessage({ body: "x", headers: { own: "header" } });
      const times: number[] = [];
      const received = bench.consume(
        async ({ message }) => {
          times.push(systemClock.now());
          if (times.length > 1) mend?.();
          return { kind: "dead-letter", to, message: dead(message) };
        },
        { returnDelayMs: 300 },
      );
      assertSameMessage((await received.delivery(2)).message, sent);
      ok((times[1] ?? 0) - (times[0] ?? 0) >= 295, `it came at ${times}`);
      assertSameMessage((await bench.collect({ from: to }).delivery(1)).message, dead(sent));
    },
  },
  {
    title: "reports what could not be sent onward, and when it will be tried again",
    offers: "failSendsTo",
    async run(bench) {
      const to = bench.address(".dlq");
      await bench.subject.failSendsTo?.(bench.transport, to);
      const message = await bench.sendMessage({ body: "x" });
      const received = bench.consume(async () => ({ kind: "dead-letter", to, message }), { returnDelayMs: 30_000 });
      const failed = () => received.incidents.find(({ kind }) => kind === "onward-failed");
      await bench.eventually(() => failed() !== undefined);
      const incident = failed();
      deepEqual([incident?.kind, incident?.retryInMs], ["onward-failed", 30_000]);
      ok(incident?.error instanceof Error);
    },
  },
  {
    title: "dead-letters a message again that was sent back and died again",
    async run(bench) {
      const to = bench.address(".dlq");
      await bench.send("x");
      bench.consume(async ({ message }) => ({ kind: "dead-letter", to, message: dead(message) }));
      const letters = bench.consume(
        async ({ message }) => {
          if (letters.deliveries.length === 1) await bench.transport.send(bench.queue, message);
          return done;
        },
        { from: to },
      );
      const second = await letters.delivery(2);
      assertSameMessage(second.message, dead(dead(makeMessage({ body: "x" }))));
    },
  },
  {
    title: "settles nothing when the handler rejects: the message comes again, as redelivered",
    async run(bench) {
      await bench.send("x");
      let calls = 0;
      const received = bench.consume(
        async () => {
          calls += 1;
          if (calls === 1) throw new Error("the consumer itself failed");
          return done;
        },
        { leaseMs: bench.shortLeaseMs },
      );
      equal((await received.delivery(2)).redelivered, true);
    },
  },
];

function onward(kind: "dead-letter" | "park", title: string): TransportPromise {
  return {
    title,
    async run(bench) {
      const to = bench.address(`.${kind}`);
      const sent = await bench.sendMessage({ body: "x", headers: { own: "header" } });
      const received = bench.consume(async ({ message }) => ({ kind, to, message: dead(message) }), {
        leaseMs: bench.shortLeaseMs,
      });
      assertSameMessage((await firstFrom(bench, to)).message, dead(sent));
      await bench.lapse();
      equal(received.deliveries.length, 1);
    },
  };
}

function firstFrom(bench: Bench, from: Address): Promise<Delivery> {
  return bench.collect({ from }).delivery(1);
}

/** The message as a dead letter: one header more. */
function dead(message: Message): Message {
  return { ...message, headers: [...message.headers, textHeader("dlo-reason", `died: ${text(message)}`)] };
}

/** Gives `verdict` to the first delivery and lets all others be done. */
function onceThenDone(verdict: Verdict): () => Promise<Verdict> {
  let given = false;
  return async () => {
    const first = !given;
    given = true;
    return first ? verdict : done;
  };
}
