import { expect, it } from "vitest";
import { allDone, losingReplies, lost, setup, toLetters } from "../../test/pull-bench.ts";
import { done } from "../domain/message.ts";
import type { MemoryReceipt } from "./memory-queue.ts";

it("tells the broker once of all that finished together, and next of all that finished meanwhile", async () => {
  const batches: number[] = [];
  const answers: (() => void)[] = [];
  const { consume, clock, send, broker } = setup({
    twist: (link) => ({
      async acknowledge(receipts) {
        batches.push(receipts.length);
        await new Promise<void>((resolve) => answers.push(resolve));
        await link.acknowledge(receipts);
      },
    }),
  });
  send(..."abcdefghij");
  void consume(allDone, { concurrency: 4, prefetch: 10 });
  await clock.advance(0);
  expect(batches).toEqual([4]);
  answers.shift()?.();
  await clock.advance(0);
  expect(batches).toEqual([4, 6]);
  answers.shift()?.();
  await clock.advance(0);
  expect(broker.depth("orders")).toBe(0);
});

it("asks again under the same receipts when a reply is lost, and hands nothing over twice", async () => {
  const asked: (readonly MemoryReceipt[])[] = [];
  const { consume, clock, send, broker, seen, incidents } = setup({
    twist: (link) => {
      const acknowledge = losingReplies(link.acknowledge, 2);
      return {
        acknowledge(receipts) {
          asked.push(receipts);
          return acknowledge(receipts);
        },
      };
    },
  });
  send("x");
  void consume(allDone);
  await clock.advance(60_000);
  expect(asked).toHaveLength(3);
  expect(new Set(asked.map((receipts) => JSON.stringify(receipts))).size).toBe(1);
  expect(incidents).toMatchObject([
    { kind: "settle-failed", retryInMs: 75 },
    { kind: "settle-failed", retryInMs: 150 },
  ]);
  expect([seen.length, broker.depth("orders")]).toEqual([1, 0]);
});

it("lets go when no answer came for as long as the lease, and the message comes again", async () => {
  const { consume, clock, send, seen, kinds } = setup({ twist: () => ({ acknowledge: lost }) });
  send("x");
  void consume(allDone);
  await clock.advance(29_000);
  expect([seen.length, kinds().includes("delivery-lost")]).toEqual([1, false]);
  await clock.advance(2_000);
  expect([seen.length, kinds().includes("delivery-lost")]).toEqual([2, true]);
  expect(seen[1]?.redelivered).toBe(true);
});

it("goes on when an answer never comes", async () => {
  let asked = 0;
  const { consume, clock, send, broker } = setup({
    twist: (link) => ({
      acknowledge(receipts) {
        asked += 1;
        return asked === 1 ? new Promise(() => {}) : link.acknowledge(receipts);
      },
    }),
  });
  send("x");
  void consume(allDone);
  await clock.advance(9_999);
  expect(asked).toBe(1);
  await clock.advance(1_000);
  expect([asked, broker.depth("orders")]).toEqual([2, 0]);
});

it("acknowledges only once the dead letter is at its destination", async () => {
  const calls: string[] = [];
  const { consume, clock, send } = setup({
    atomic: false,
    twist: (link) => ({
      async send(to, message, delayMs) {
        calls.push("send");
        await link.send(to, message, delayMs);
        calls.push("sent");
      },
      acknowledge(receipts) {
        calls.push("acknowledge");
        return link.acknowledge(receipts);
      },
    }),
  });
  send("x");
  void consume(toLetters);
  await clock.advance(0);
  expect(calls).toEqual(["send", "sent", "acknowledge"]);
});

it.each([true, false])("comes back after returnDelayMs when refused (in one step: %s)", async (atomic) => {
  let refuse = true;
  const { consume, clock, send, broker, seen, incidents } = setup({
    atomic,
    twist: (link) => ({
      send: (...args) => (refuse ? lost() : link.send(...args)),
      ...(atomic && { move: async (...args) => (refuse ? lost() : ((await link.move?.(...args)) ?? false)) }),
    }),
  });
  send("x");
  void consume(toLetters);
  await clock.advance(4_999);
  expect(incidents).toMatchObject([{ kind: "onward-failed", retryInMs: 5_000, error: new Error("reply lost") }]);
  expect([seen.length, broker.depth("orders"), broker.depth("orders.dlq")]).toEqual([1, 1, 0]);
  refuse = false;
  await clock.advance(1);
  expect([seen.length, broker.depth("orders"), broker.depth("orders.dlq")]).toEqual([2, 0, 1]);
  expect(seen[1]?.redelivered).toBe(false);
});

it("makes no second letter when the reply to a move is lost", async () => {
  const { consume, clock, send, broker, seen } = setup({
    twist: ({ move }) => ({ ...(move && { move: losingReplies(move) }) }),
  });
  send("x");
  void consume(toLetters);
  await clock.advance(60_000);
  expect([seen.length, broker.depth("orders"), broker.depth("orders.dlq")]).toEqual([1, 0, 1]);
});

it("retries once when the reply to a retry is lost, and does not call the delivery lost", async () => {
  const { consume, clock, send, seen, kinds, broker } = setup({
    twist: (link) => ({ replace: losingReplies(link.replace) }),
  });
  send("x");
  void consume(async ({ message }) => (seen.length > 1 ? done : { kind: "retry", delayMs: 1_000, message }));
  await clock.advance(60_000);
  expect([seen.length, broker.depth("orders"), kinds()]).toEqual([2, 0, ["settle-failed"]]);
});

it("waits for an extension under way, lest it undo the delay of a retry", async () => {
  const calls: string[] = [];
  const { consume, clock, send } = setup({
    twist: (link) => ({
      async extend(receipt, ms) {
        await new Promise<void>((resolve) => void clock.after(50, resolve));
        calls.push("extended");
        return link.extend(receipt, ms);
      },
      replace(...args) {
        calls.push("replaced");
        return link.replace(...args);
      },
    }),
  });
  send("x");
  void consume(async (delivery) => {
    void delivery.extend(30_000);
    return { kind: "retry", delayMs: 100_000, message: delivery.message };
  });
  await clock.advance(100);
  expect(calls).toEqual(["extended", "replaced"]);
});

it("asks for as long as an extended lease lasts", async () => {
  let isUp = false;
  const { consume, clock, send, broker, kinds } = setup({
    twist: (link) => ({ acknowledge: (receipts) => (isUp ? link.acknowledge(receipts) : lost()) }),
  });
  send("x");
  void consume(async (delivery) => {
    await delivery.extend(90_000);
    return done;
  });
  await clock.advance(60_000);
  isUp = true;
  await clock.advance(5_000);
  expect([broker.depth("orders"), kinds().includes("delivery-lost")]).toEqual([0, false]);
});

it("asks for no extension once the verdict is there", async () => {
  let asked = 0;
  const { consume, clock, send, seen } = setup({
    twist: () => ({
      async extend() {
        asked += 1;
        return true;
      },
    }),
  });
  send("x");
  void consume(allDone);
  await clock.advance(0);
  expect([await seen[0]?.extend(1_000), asked]).toEqual([false, 0]);
});
