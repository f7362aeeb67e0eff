import { expect, it } from "vitest";
import { allDone, type Link, losingReplies, lost, setup, toLetters } from "../../test/pull-bench.ts";
import { pause } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { done, makeMessage } from "../domain/message.ts";
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
      send: (...args) => (refuse ? refused() : link.send(...args)),
      ...(atomic && { move: async (...args) => (refuse ? refused() : ((await link.move?.(...args)) ?? false)) }),
    }),
  });
  send("x");
  void consume(toLetters);
  await clock.advance(4_999);
  expect(incidents).toMatchObject([{ kind: "onward-failed", retryInMs: 5_000, error: { code: "MESSAGE_TOO_LARGE" } }]);
  expect([seen.length, broker.depth("orders"), broker.depth("orders.dlq")]).toEqual([1, 1, 0]);
  refuse = false;
  await clock.advance(1);
  expect([seen.length, broker.depth("orders"), broker.depth("orders.dlq")]).toEqual([2, 0, 1]);
  expect(seen[1]?.redelivered).toBe(false);
});

it("asks for a move a few times that nobody answers, before the message goes back as it was", async () => {
  let asked = 0;
  const { consume, clock, send, broker, kinds } = setup({
    twist: () => ({
      move() {
        asked += 1;
        return lost();
      },
    }),
  });
  send("x");
  void consume(toLetters);
  await clock.advance(4_999);
  expect([asked, kinds()]).toEqual([3, ["settle-failed", "settle-failed", "onward-failed"]]);
  expect([broker.depth("orders"), broker.depth("orders.dlq")]).toEqual([1, 0]);
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

it("does not believe in an extension that it hears of only when that is over", async () => {
  let isSlow = true;
  const { consume, clock, send, broker, seen } = setup({
    twist: (link) => ({
      async extend(receipt, ms) {
        const extended = await link.extend(receipt, ms);
        if (isSlow) await pause(clock, 40_000);
        return extended;
      },
    }),
    transport: { answerWithinMs: null },
  });
  send("x");
  void consume(() => new Promise(() => {}), { concurrency: 1 });
  await clock.advance(0);
  const extended = seen[0]?.extend(30_000);
  await clock.advance(35_000);
  broker.queue("orders").take(1, { leaseMs: 30_000, order: "none" });
  isSlow = false;
  await clock.advance(10_000);
  expect(await extended).toBe(false);
});

const refused = () => Promise.reject(new OfficeError("MESSAGE_TOO_LARGE", "It does not fit."));

it("asks but once for a retry that is refused for good: the message comes back as it was", async () => {
  let asked = 0;
  const { consume, clock, send, seen, broker, incidents } = setup({
    twist: (link) => ({
      replace(receipt, message, delayMs) {
        asked += 1;
        return message.headers.length > 0 ? refused() : link.replace(receipt, message, delayMs);
      },
    }),
  });
  send("x");
  const larger = makeMessage({ body: "x", headers: { attempt: "1" } });
  void consume(async () => (seen.length > 1 ? done : { kind: "retry", delayMs: 1_000, message: larger }));
  await clock.advance(4_999);
  expect([asked, seen.length, broker.depth("orders")]).toEqual([2, 1, 1]);
  expect(incidents).toMatchObject([
    { kind: "onward-failed", error: { code: "MESSAGE_TOO_LARGE" }, message: { headers: [] }, retryInMs: 5_000 },
  ]);
  await clock.advance(1);
  expect(seen.map(({ redelivered, message }) => [redelivered, message.headers])).toEqual([
    [false, []],
    [false, []],
  ]);
});

it("keeps a dead letter that is refused for good where it is, and says so each time", async () => {
  const { consume, clock, send, seen, kinds, broker } = setup({ twist: () => ({ move: refused }) });
  send("x");
  void consume(toLetters);
  await clock.advance(20_000);
  expect([seen.length, kinds()]).toEqual([5, Array.from({ length: 5 }, () => "onward-failed")]);
  expect(seen.some(({ redelivered }) => redelivered)).toBe(false);
  expect([broker.depth("orders"), broker.depth("orders.dlq")]).toEqual([1, 0]);
});

it.each<[string, Partial<Link>]>([
  ["acknowledge", { acknowledge: refused }],
  ["put back", { move: refused, replace: refused }],
])("lets go at once of what it may not %s", async (_, twisted) => {
  const { consume, clock, send, kinds, incidents } = setup({ twist: () => twisted });
  send("x");
  void consume("move" in twisted ? toLetters : allDone);
  await clock.advance(0);
  expect(kinds()).not.toContain("settle-failed");
  expect(incidents.at(-1)).toMatchObject({ kind: "delivery-lost", error: { code: "MESSAGE_TOO_LARGE" } });
});

it("does not run a handler whose charge is refused for good", async () => {
  const { consume, clock, send, incidents } = setup({ twist: () => ({ charge: refused }) });
  send("x");
  void consume(async (delivery) => {
    await delivery.charge([]);
    return done;
  });
  await clock.advance(0);
  expect(incidents).toMatchObject([{ kind: "settle-failed", error: { code: "MESSAGE_TOO_LARGE" } }]);
});
