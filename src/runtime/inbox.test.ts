import { expect, it } from "vitest";
import { Unprocessable } from "../domain/handler-errors.ts";
import { headerText, makeMessage } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import type { Inbox } from "../stores/inbox.ts";
import { memoryInbox } from "../stores/memory-inbox.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import { createConsumer } from "./consumer.ts";
import type { ConsumerOptions, InboxOptions } from "./consumer-options.ts";

type Ledger = string[];

/** A consumer whose handler writes into a transaction that is committed with the inbox. */
function setup(
  options: Partial<ConsumerOptions<unknown, Ledger>>,
  inbox: Partial<InboxOptions<unknown, Ledger>> = {},
  wrap: (store: Inbox<Ledger>) => Inbox<Ledger> = (store) => store,
) {
  const host = fakeHost();
  const { clock } = host;
  const broker = memoryBroker({ clock });
  const effects: string[] = [];
  const store = memoryInbox<Ledger>({
    clock,
    transactions: { begin: () => [], commit: (tx) => void effects.push(...tx), rollback: (tx) => void tx.splice(0) },
  });
  const consumer = createConsumer<unknown, Ledger>({
    transport: memoryTransport({ broker, host }),
    queue: "payments",
    handler: async ({ payload, tx }) => void tx.push(`charge ${String(payload)}`),
    retry: { backoff: { strategy: "fixed", delayMs: 1_000, jitter: "none" } },
    inbox: { store: wrap(store), ...inbox },
    host,
    ...options,
  });
  const send = (body: string, key: string) =>
    broker.send({ name: "payments" }, makeMessage({ body, headers: { "idempotency-key": key } }));
  void consumer.start();
  return { clock, broker, effects, send };
}

it("processes a key once, however often it comes", async () => {
  const { clock, broker, effects, send } = setup({});
  for (let n = 0; n < 5; n++) send("1", "k1");
  send("2", "k2");
  await clock.advance(5_000);
  expect(effects.toSorted()).toEqual(["charge 1", "charge 2"]);
  expect(broker.depth("payments")).toBe(0);
});

it("does not remember an attempt that failed, nor keep what it wrote", async () => {
  const { clock, effects, send } = setup({
    async handler({ payload, tx, attempt }) {
      tx.push(`charge ${String(payload)}`);
      if (attempt === 1) throw new Error("after the write");
    },
  });
  send("1", "k1");
  await clock.advance(5_000);
  expect(effects).toEqual(["charge 1"]);
});

it("keeps nothing that a handler writes after it was given up", async () => {
  const late: Ledger[] = [];
  const { clock, effects, send } = setup({
    timeLimitMs: 500,
    handler({ payload, tx, attempt }) {
      if (attempt > 1) return Promise.resolve(void tx.push(`charge ${String(payload)}`));
      late.push(tx);
      return new Promise(() => {});
    },
  });
  send("1", "k1");
  await clock.advance(1_000);
  late[0]?.push("charge twice");
  await clock.advance(10_000);
  expect(effects).toEqual(["charge 1"]);
});

it("hands a duplicate to the merge function, with a transaction of its own", async () => {
  const { clock, effects, send } = setup(
    {},
    { onDuplicate: { merge: async ({ payload, tx }) => void tx.push(`merge ${String(payload)}`) } },
  );
  send("1", "k1");
  await clock.advance(100);
  send("2", "k1");
  await clock.advance(100);
  expect(effects).toEqual(["charge 1", "merge 2"]);
});

it("dead-letters a duplicate where that is declared", async () => {
  const { clock, broker, send } = setup({}, { onDuplicate: "fail" });
  send("1", "k1");
  await clock.advance(100);
  send("1", "k1");
  await clock.advance(100);
  expect(headerText(broker.messages("payments.dlq")[0]?.headers ?? [], wire.reason)).toBe("duplicate");
});

it("puts a message back, at no cost, while the inbox cannot be asked", async () => {
  let away = true;
  const attempts: number[] = [];
  const { clock, effects, send } = setup(
    {
      async handler({ tx, attempt }) {
        attempts.push(attempt);
        tx.push("charge");
      },
    },
    {},
    (store) => ({
      without: (work) => store.without(work),
      once: (entry, work) =>
        away ? Promise.reject(Object.assign(new Error("gone"), { code: "ECONNREFUSED" })) : store.once(entry, work),
    }),
  );
  send("1", "k1");
  await clock.advance(60_000);
  expect(effects).toEqual([]);
  away = false;
  await clock.advance(60_000);
  expect(effects).toEqual(["charge"]);
  expect(attempts).toEqual([1]);
});

it("costs a message nothing, and pauses, when the inbox refuses for good", async () => {
  let asked = 0;
  const refuse = () => {
    asked++;
    return Promise.reject(Object.assign(new Error("no such table"), { code: "42P01" }));
  };
  const { clock, broker, send } = setup({}, {}, (store) => ({ without: (work) => store.without(work), once: refuse }));
  for (let n = 0; n < 100; n++) send("1", `k${n}`);
  await clock.advance(60_000);
  expect(broker.depth("payments")).toBe(100);
  // The breaker opened: otherwise it would have been asked some 1,200 times.
  expect(asked).toBeLessThan(60);
});

it("takes an empty key, or none, for no key at all", async () => {
  for (const key of ["", null, undefined]) {
    const { clock, effects, send } = setup({}, { key: () => key as string | undefined });
    for (let n = 0; n < 3; n++) send(String(n), "unused");
    await clock.advance(1_000);
    expect(effects).toHaveLength(3);
  }
});

it("does not believe a key that was copied from a message of another queue", async () => {
  const { clock, broker, effects } = setup({});
  const headers = { [wire.queue]: "orders", [wire.key]: "order-1" };
  for (const body of ["1", "2", "3"]) broker.send({ name: "payments" }, makeMessage({ body, headers }));
  await clock.advance(1_000);
  expect(effects).toHaveLength(3);
});

it("keeps keys apart that differ only after what a header can hold, also when they died and were put back", async () => {
  let dies = true;
  const { clock, broker, effects, send } = setup({
    async handler({ payload, tx }) {
      if (dies) throw new Unprocessable("not yet");
      tx.push(`charge ${String(payload)}`);
    },
  });
  send("1", `${"x".repeat(600)}1`);
  send("2", `${"x".repeat(600)}2`);
  await clock.advance(1_000);
  dies = false;
  for (const letter of broker.messages("payments.dlq")) broker.send({ name: "payments" }, letter);
  await clock.advance(1_000);
  expect(effects.toSorted()).toEqual(["charge 1", "charge 2"]);
});

it("processes without deduplication what carries no key, in a transaction all the same", async () => {
  const { clock, broker, effects } = setup({ handler: async ({ tx }) => void tx.push("ran") });
  broker.send({ name: "payments" }, makeMessage({ body: "1" }));
  broker.send({ name: "payments" }, makeMessage({ body: "1" }));
  await clock.advance(100);
  expect(effects).toEqual(["ran", "ran"]);
});
