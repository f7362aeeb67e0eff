import { expect, it } from "vitest";
import { allDone, type Link, losingReplies, lost, queue, setup, toLetters } from "../../test/pull-bench.ts";
import { pause } from "../domain/clock.ts";
import { done, makeMessage } from "../domain/message.ts";
import type { Handle } from "./transport.ts";

it.each([
  [
    "throws at once",
    () => {
      throw new Error("broken");
    },
  ],
  ["returns nothing", () => Promise.resolve(undefined)],
  ["rejects", () => Promise.reject(new Error("broken"))],
])("lets the message come again when the handler %s", async (_, broken) => {
  const { consume, clock, send, seen, kinds, broker } = setup();
  send("x");
  void consume((delivery) => (delivery.redelivered ? allDone() : (broken() as Promise<never>)));
  await clock.advance(29_000);
  expect([seen.length, kinds()]).toEqual([1, ["settle-failed"]]);
  await clock.advance(1_000);
  expect([seen.length, broker.depth("orders")]).toEqual([2, 0]);
});

it("goes on though whoever is told of incidents fails", async () => {
  const { consume, clock, send, broker } = setup({
    twist: (link) => ({ acknowledge: losingReplies(link.acknowledge) }),
  });
  send("a", "b");
  const report = () => {
    throw new Error("no room for logs");
  };
  void consume(allDone, { report });
  await clock.advance(1_000);
  expect(broker.depth("orders")).toBe(0);
});

it("leaves no timer behind, whenever it is stopped", async () => {
  const { consume, clock, send, stop, transport } = setup();
  send("a", "b", "c");
  const consumed = consume(allDone, { concurrency: 1, prefetch: 3 });
  await clock.advance(10);
  stop.abort();
  await consumed;
  await transport.close();
  expect(clock.timers).toBe(0);
});

it("gives back what a question under way brings after it was told to stop", async () => {
  let release: () => void = () => {};
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { consume, clock, send, stop, seen, broker } = setup({
    twist: (link) => ({
      async take(...args) {
        const taken = await link.take(...args);
        await slow;
        return taken;
      },
    }),
  });
  send("x");
  const consumed = consume(allDone);
  await clock.advance(0);
  stop.abort();
  release();
  await consumed;
  const [taken] = broker.queue("orders").take(1, { leaseMs: 1_000, order: "none" });
  expect([seen.length, taken?.redelivered, taken?.deliveryCount]).toEqual([0, false, 1]);
});

it.each([
  [{ concurrency: 0 }, "`concurrency` must be a whole number, 1 or more. It is 0."],
  [{ concurrency: 5, prefetch: 4 }, "`prefetch` must be at least `concurrency` (5). It is 4."],
  [{ leaseMs: Number.NaN }, "`leaseMs` must be a number, 1 or more. It is NaN."],
  [{ returnDelayMs: -1 }, "`returnDelayMs` must be a number, 0 or more. It is -1."],
  [{ order: "keys" as "key" }, '`order` must be one of none, key. It is "keys". Did you mean "key"?'],
])("refuses to consume with %j", async (options, message) => {
  const { consume } = setup();
  await expect(consume(allDone, options)).rejects.toMatchObject({ code: "INVALID_OPTION", message });
});

it("refuses a negative delay", async () => {
  const { transport } = setup();
  await expect(transport.send(queue, makeMessage({}), { delayMs: -1 })).rejects.toMatchObject({
    code: "INVALID_OPTION",
  });
});

it("refuses options that cannot be", () => {
  expect(() => setup({ transport: { pollMs: 0 } })).toThrow("`pollMs` must be a number, 1 or more.");
  expect(() => setup({ transport: { answerWithinMs: -1 } })).toThrow("`answerWithinMs`");
});

it("lets what is being sent arrive before it closes the connection", async () => {
  const calls: string[] = [];
  const { transport, clock } = setup({
    twist: (link) => ({
      async send(...args) {
        await pause(clock, 100);
        await link.send(...args);
        calls.push("sent");
      },
      async close() {
        calls.push("closed");
      },
    }),
  });
  const sent = transport.send(queue, makeMessage({ body: "x" }));
  const closed = transport.close();
  await clock.advance(100);
  await Promise.all([sent, closed]);
  expect(calls).toEqual(["sent", "closed"]);
});

it("does not wait for a broker that is away to take back what no handler saw", async () => {
  const { consume, clock, send, stop } = setup({ twist: () => ({ giveBack: lost }) });
  send("a", "b", "c");
  let finish: () => void = () => {};
  const ending = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let isOver = false;
  void consume(() => ending.then(() => done), { prefetch: 3 }).then(() => {
    isOver = true;
  });
  await clock.advance(0);
  stop.abort();
  finish();
  await clock.advance(1_000);
  expect(isOver).toBe(true);
});

const silent = () => new Promise<never>(() => {});

it.each<[string, Partial<Link>, Handle]>([
  ["an acknowledgement", { acknowledge: silent }, allDone],
  ["a retry", { replace: silent }, async ({ message }) => ({ kind: "retry", delayMs: 0, message })],
  ["a dead letter", { move: silent, replace: silent }, toLetters],
  ["a question for more", { take: silent }, allDone],
])(
  "waits a few seconds for a broker that is silent about %s when it is stopped, and no longer",
  async (_, link, handle) => {
    const { consume, clock, send, stop } = setup({ twist: () => link, transport: { answerWithinMs: 60_000 } });
    send("x");
    let isOver = false;
    void consume(handle, { leaseMs: 600_000 }).then(() => {
      isOver = true;
    });
    await clock.advance(20_000);
    stop.abort();
    await clock.advance(4_999);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(isOver).toBe(true);
  },
);

it.each<[string, Partial<Link>, Handle]>([
  ["an acknowledgement", { acknowledge: lost }, allDone],
  ["a retry", { replace: lost }, async ({ message }) => ({ kind: "retry", delayMs: 0, message })],
  ["a dead letter", { move: lost, replace: lost }, toLetters],
])("asks for a few seconds more about %s when it is stopped, then lets go", async (_, link, handle) => {
  const { consume, clock, send, stop, kinds } = setup({ twist: () => link });
  send("x");
  const consumed = consume(handle, { leaseMs: 600_000 });
  await clock.advance(60_000);
  expect(kinds()).not.toContain("delivery-lost");
  stop.abort();
  await clock.advance(5_000);
  await consumed;
  expect([kinds().at(-1), clock.timers]).toEqual(["delivery-lost", 0]);
});

it("settles what a handler finishes long after it was told to stop, though it is heard only the second time", async () => {
  let asked = 0;
  const { consume, clock, send, stop, broker } = setup({
    twist: (link) => ({
      acknowledge(receipts) {
        asked += 1;
        return asked === 1 ? lost() : link.acknowledge(receipts);
      },
    }),
  });
  send("x");
  const consumed = consume(async () => {
    await pause(clock, 20_000);
    return done;
  });
  await clock.advance(0);
  stop.abort();
  await clock.advance(21_000);
  await consumed;
  expect(broker.depth("orders")).toBe(0);
});

it("does not hold up a handler for a charge that is not answered when it is stopped", async () => {
  const { consume, clock, send, stop } = setup({ twist: () => ({ charge: lost }) });
  send("x");
  let error: unknown;
  const consumed = consume(async (delivery) => {
    await delivery.charge([]).catch((failure: unknown) => {
      error = failure;
    });
    throw error;
  });
  await clock.advance(10_000);
  expect(error).toBeUndefined();
  stop.abort();
  await clock.advance(5_000);
  await consumed;
  expect(error).toMatchObject({ code: "DELIVERY_LOST" });
});
