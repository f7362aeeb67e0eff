import { deepEqual, equal } from "node:assert/strict";
import { done, type Verdict } from "../../domain/message.ts";
import { type Bench, type ConsumeHow, text } from "./bench.ts";
import type { TransportPromise } from "./promises.ts";

const ordered: ConsumeHow = { order: "key", concurrency: 4, prefetch: 8 };

/** The order of messages that share a key, where a transport claims to keep it. */
export const ordering: readonly TransportPromise[] = [
  {
    title: "hands over the messages of a key one at a time, in the order they were sent",
    claims: "order",
    async run(bench) {
      const sent = await sendLanes(bench, ["a", "b", "c"], 8);
      const { handle, seen } = watching(bench);
      bench.consume(handle, ordered);
      await bench.eventually(() => deepEqual(seen.bodies.toSorted(), sent.toSorted()));
      assertInOrder(seen.bodies);
      equal(seen.overlaps, 0);
    },
  },
  {
    title: "keeps the order of a key across consumers",
    claims: "order",
    async run(bench) {
      const sent = await sendLanes(bench, ["a", "b", "c"], 12);
      const { handle, seen } = watching(bench);
      bench.consume(handle, ordered);
      bench.consume(handle, { ...ordered, on: await bench.connect() });
      await bench.eventually(() => deepEqual(seen.bodies.toSorted(), sent.toSorted()));
      assertInOrder(seen.bodies);
      equal(seen.overlaps, 0);
    },
  },
  {
    title: "holds back the later messages of a key while one waits for its retry, and no others",
    claims: "holdsBack",
    async run(bench) {
      await sendLanes(bench, ["a", "b"], 2);
      let retried = false;
      const received = bench.consume(async ({ message }): Promise<Verdict> => {
        if (retried || text(message) !== "a1") return done;
        retried = true;
        return { kind: "retry", delayMs: 1_500, message };
      }, ordered);
      await received.delivery(5);
      const bodies = received.bodies();
      deepEqual(bodies.slice(-2), ["a1", "a2"]);
      deepEqual(bodies.slice(0, 3).toSorted(), ["a1", "b1", "b2"]);
    },
  },
  {
    title: "keeps the order of a key when a consumer dies",
    claims: "order",
    async run(bench) {
      const sent = await sendLanes(bench, ["a"], 3);
      const doomed = await bench.connect();
      const dying = bench.consume(() => bench.hold().verdict, { ...ordered, on: doomed, leaseMs: bench.shortLeaseMs });
      await dying.delivery(1);
      await bench.crash(doomed);
      const received = bench.collect({ ...ordered, on: await bench.connect() });
      await received.delivery(3);
      deepEqual([dying.bodies(), received.bodies()], [["a1"], sent]);
    },
  },
  {
    title: "lets the next message of a key go once one was dead-lettered",
    claims: "order",
    async run(bench) {
      await sendLanes(bench, ["a"], 2);
      const to = bench.address(".dlq");
      const received = bench.consume(
        async ({ message }) => (text(message) === "a1" ? { kind: "dead-letter", to, message } : done),
        ordered,
      );
      await received.delivery(2);
      deepEqual(received.bodies(), ["a1", "a2"]);
    },
  },
  {
    title: "does not order messages that have no key",
    claims: "order",
    async run(bench) {
      await bench.send("a", "b");
      const received = bench.consume(() => bench.hold().verdict, { ...ordered, concurrency: 2, prefetch: 2 });
      await received.delivery(2);
    },
  },
];

/** Sends a1, b1, a2, b2 …: `count` messages of each key, named by key and number. */
async function sendLanes(bench: Bench, keys: readonly string[], count: number): Promise<string[]> {
  const sent: string[] = [];
  for (let number = 1; number <= count; number++) {
    for (const key of keys) {
      await bench.sendMessage({ body: key + number, key });
      sent.push(key + number);
    }
  }
  return sent;
}

/** A handler that takes a moment, and notes whether two of a key were ever in hand together. */
function watching(bench: Bench) {
  const seen = { bodies: [] as string[], overlaps: 0 };
  const running = new Set<string>();
  const handle = async ({ message }: { readonly message: { readonly body: Uint8Array } }): Promise<Verdict> => {
    const body = text(message);
    const key = body.slice(0, 1);
    if (running.has(key)) seen.overlaps += 1;
    running.add(key);
    await bench.quiet(4);
    running.delete(key);
    seen.bodies.push(body);
    return done;
  };
  return { handle, seen };
}

function assertInOrder(bodies: readonly string[]): void {
  for (const key of new Set(bodies.map((body) => body.slice(0, 1)))) {
    const numbers = bodies.filter((body) => body.startsWith(key)).map((body) => Number(body.slice(1)));
    deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
  }
}
