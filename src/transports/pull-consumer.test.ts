import { expect, it } from "vitest";
import { setup } from "../../test/pull-bench.ts";
import { pause } from "../domain/clock.ts";
import { done, makeMessage } from "../domain/message.ts";
import { memoryTransport } from "./memory.ts";
import { memoryBroker } from "./memory-broker.ts";

it("lets others in while handlers keep it busy that never wait for anything", async () => {
  const broker = memoryBroker();
  const queue = { name: "orders" };
  const total = 600;
  for (let count = 0; count < total; count++) broker.send(queue, makeMessage({ body: "x" }));
  const transport = memoryTransport({ broker });
  const stop = new AbortController();
  let handled = 0;
  const turns: number[] = [];
  const watch = () => {
    turns.push(handled);
    if (handled < total) setImmediate(watch);
  };
  watch();
  const consumed = transport.consume(
    queue,
    async () => {
      const begun = performance.now();
      while (performance.now() - begun < 0.25);
      handled += 1;
      if (handled === total) stop.abort();
      return done;
    },
    {
      ...{ concurrency: 20, prefetch: total, order: "none", leaseMs: 60_000, returnDelayMs: 1_000 },
      signal: stop.signal,
    },
  );
  await consumed;
  await transport.close();
  const longest = turns.slice(1).reduce((most, count, index) => Math.max(most, count - (turns[index] ?? 0)), 0);
  // A look at the clock every 50 messages, and what was under way then.
  expect(longest).toBeLessThanOrEqual(120);
});

it("asks for half of its prefetch at a time, so that it has something to do while the broker answers", async () => {
  const asked: number[] = [];
  const { send, consume, clock, stop } = setup({
    twist: ({ take }) => ({
      take(from, max, options) {
        asked.push(max);
        return take(from, max, options);
      },
    }),
  });
  send(...Array.from({ length: 40 }, String));
  const consumed = consume(() => new Promise(() => {}), { concurrency: 5, prefetch: 20 });
  await clock.advance(0);
  expect(asked).toEqual([10, 10]);
  stop.abort();
  void consumed;
});

it("takes no more than it has handlers free for, where giving back is not free", async () => {
  const givenBack: unknown[] = [];
  const { send, consume, clock, stop, bodies } = setup({
    transport: { takesAhead: false },
    twist: ({ giveBack }) => ({
      giveBack(receipts) {
        givenBack.push(...receipts);
        return giveBack(receipts);
      },
    }),
  });
  send("a", "b", "c", "d");
  const consumed = consume(
    async () => {
      await pause(clock, 20_000);
      return done;
    },
    { concurrency: 2, prefetch: 4 },
  );
  await clock.advance(19_999);
  expect(bodies()).toEqual(["a", "b"]);
  await clock.advance(21_000);
  expect(bodies()).toEqual(["a", "b", "c", "d"]);
  stop.abort();
  await consumed;
  expect(givenBack).toEqual([]);
});
