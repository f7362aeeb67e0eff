import { expect, it } from "vitest";
import { allDone, lost, queue, setup, text } from "../../test/pull-bench.ts";
import { pause } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { done, makeMessage } from "../domain/message.ts";
import type { Gate } from "./transport.ts";

it("reports a lost broker once, asks ever more rarely, and reports its return once", async () => {
  let isUp = true;
  let asked = 0;
  const { consume, clock, send, seen, kinds } = setup({
    twist: (link) => ({
      take(...args) {
        asked += 1;
        return isUp ? link.take(...args) : lost();
      },
    }),
  });
  void consume(allDone);
  await clock.advance(1_000);
  isUp = false;
  asked = 0;
  await clock.advance(60_000);
  expect(kinds()).toEqual(["connection-lost"]);
  expect(asked).toBeGreaterThan(10);
  expect(asked).toBeLessThan(30);
  isUp = true;
  send("x");
  await clock.advance(5_000);
  expect([kinds(), seen.length]).toEqual([["connection-lost", "connection-restored"], 1]);
});

it("finds everything by asking again, where no hint ever comes", async () => {
  const { consume, clock, send, seen } = setup({ twist: () => ({ watch: lost }) });
  void consume(allDone);
  await clock.advance(1_000);
  send("x");
  await clock.advance(110);
  expect(seen).toHaveLength(1);
});

it("asks at once when a hint comes", async () => {
  const { consume, clock, send, seen } = setup({ transport: { pollMs: 1_000_000 } });
  void consume(allDone);
  await clock.advance(1_000);
  send("x");
  await clock.advance(0);
  expect(seen).toHaveLength(1);
});

it("gives back what comes after it stopped waiting for it", async () => {
  let release: () => void = () => {};
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  let asked = 0;
  const { consume, clock, send, seen } = setup({
    twist: (link) => ({
      async take(...args) {
        asked += 1;
        const taken = await link.take(...args);
        if (asked === 1) await slow;
        return taken;
      },
    }),
  });
  send("x");
  void consume(allDone);
  await clock.advance(10_000);
  release();
  await clock.advance(1_000);
  expect(seen.map(({ redelivered, deliveryCount }) => [redelivered, deliveryCount])).toEqual([[false, 1]]);
});

it("gives back what has waited here too long, before its lease lapses", async () => {
  const { consume, clock, send, seen, broker } = setup();
  send("slow", "b", "c");
  let finish: () => void = () => {};
  void consume(
    (delivery) =>
      text(delivery.message) === "slow"
        ? new Promise((resolve) => {
            finish = () => resolve(done);
          })
        : allDone(),
    { prefetch: 3 },
  );
  for (let beat = 0; beat < 20; beat++) {
    await clock.advance(10_000);
    expect(await seen[0]?.extend(30_000)).toBe(true);
  }
  finish();
  await clock.advance(0);
  expect(seen.map(({ redelivered, deliveryCount }) => [redelivered, deliveryCount])).toEqual([
    [false, 1],
    [false, 1],
    [false, 1],
  ]);
  expect(broker.depth("orders")).toBe(0);
});

it("hands nothing over whose lease may have lapsed while the process stood still", async () => {
  const { consume, host, clock, send, seen } = setup();
  send("first", "second");
  let finish: () => void = () => {};
  const ending = new Promise<void>((resolve) => {
    finish = resolve;
  });
  void consume(() => ending.then(() => done), { prefetch: 2 });
  await clock.advance(0);
  const standstillMs = 31_000;
  const now = host.clock.now.bind(host.clock);
  Object.assign(host.clock, { now: () => now() + standstillMs });
  finish();
  await clock.advance(0);
  await clock.advance(1_000);
  expect(seen.slice(1).every(({ redelivered }) => redelivered)).toBe(true);
});

it("takes nothing ahead while the gate is narrow", async () => {
  const asked: number[] = [];
  const gate: Gate = { limit: 1, onChange: () => () => {} };
  const { consume, clock, send } = setup({
    twist: (link) => ({
      take(from, max, options) {
        asked.push(max);
        return link.take(from, max, options);
      },
    }),
  });
  send(..."abc");
  void consume(() => new Promise(() => {}), { concurrency: 5, prefetch: 50, gate });
  await clock.advance(1_000);
  expect(asked).toEqual([1]);
});

it("rejects when the queue does not exist and may not be made, after what is under way", async () => {
  let asked = 0;
  const { consume, clock, send, broker } = setup({
    twist: (link) => ({
      async take(...args) {
        asked += 1;
        if (asked > 1) throw new OfficeError("QUEUE_NOT_FOUND", "There is no queue orders.");
        return link.take(...args);
      },
    }),
  });
  send("x");
  const consumed = consume(
    async () => {
      await new Promise<void>((resolve) => void clock.after(500, resolve));
      return done;
    },
    { prefetch: 2 },
  );
  const refused = expect(consumed).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND" });
  await clock.advance(500);
  await refused;
  expect(broker.depth("orders")).toBe(0);
});

it.each(["INVALID_OPTION", "TRANSPORT_CLOSED", "MISSING_CLIENT_LIBRARY"] as const)(
  "rejects at once when it can never work: %s",
  async (code) => {
    const { consume, clock, kinds } = setup({
      twist: () => ({ take: () => Promise.reject(new OfficeError(code, "")) }),
    });
    const failed = expect(consume(allDone)).rejects.toMatchObject({ code });
    await clock.advance(0);
    await failed;
    expect(kinds()).toEqual([]);
  },
);

it("asks for the next message of a key as soon as one is settled, where no hint ever comes", async () => {
  const { consume, clock, broker, seen } = setup({
    twist: () => ({ watch: lost }),
    transport: { pollMs: 1_000_000 },
  });
  for (const body of ["1", "2", "3"]) broker.send(queue, makeMessage({ body, key: "k" }));
  void consume(allDone, { order: "key", concurrency: 2, prefetch: 4 });
  await clock.advance(0);
  expect(seen).toHaveLength(3);
});

it("asks again at once when a hint came while it was asking", async () => {
  let asked = 0;
  const { consume, clock, send, seen } = setup({
    transport: { pollMs: 1_000_000 },
    twist: (link) => ({
      async take(...args) {
        asked += 1;
        const taken = await link.take(...args);
        if (asked === 1) send("came meanwhile");
        await pause(clock, 50);
        return taken;
      },
    }),
  });
  void consume(allDone);
  await clock.advance(100);
  expect(seen).toHaveLength(1);
});

it("asks a broker that was lost no sooner for a hint", async () => {
  let asked = 0;
  const { consume, clock, send } = setup({
    twist: () => ({
      take() {
        asked += 1;
        return lost();
      },
    }),
  });
  void consume(allDone);
  await clock.advance(0);
  send("a hint");
  await clock.advance(74);
  expect(asked).toBe(1);
});

it("stops without waiting for messages that may come, and gives back those that do", async () => {
  let come: () => void = () => {};
  const coming = new Promise<void>((resolve) => {
    come = resolve;
  });
  const { consume, clock, send, stop, broker, transport } = setup({
    transport: { takeWaitMs: 20_000 },
    twist: (link) => ({
      async take(...args) {
        await coming;
        return link.take(...args);
      },
    }),
  });
  const consumed = consume(allDone);
  await clock.advance(1_000);
  stop.abort();
  await consumed;
  const closing = transport.close();
  send("x");
  come();
  await closing;
  const [again] = broker.queue("orders").take(1, { leaseMs: 1_000, order: "none" });
  expect([again?.redelivered, again?.deliveryCount]).toEqual([false, 1]);
});

it("ends a delivery that was sent again with its charge, whatever is decided of it", async () => {
  const { consume, clock, send, seen, broker } = setup({
    twist: (link) => ({
      async charge(receipt, headers) {
        await link.acknowledge([receipt]);
        broker.send(queue, makeMessage({ body: "again", headers }));
        return "resent";
      },
    }),
  });
  send("x");
  void consume(async (delivery) => {
    if (text(delivery.message) === "x") expect(await delivery.charge([])).toBe("resent");
    return done;
  });
  await clock.advance(1_000);
  expect([seen.map(({ message }) => text(message)), broker.depth("orders")]).toEqual([["x", "again"], 0]);
});
