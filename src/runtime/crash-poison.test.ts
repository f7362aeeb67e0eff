import { expect, it } from "vitest";
import { headerText, makeMessage } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import type { BlockedKey } from "../stores/blocked-keys.ts";
import { memoryBlockedKeys } from "../stores/memory-blocked-keys.ts";
import { memoryInbox } from "../stores/memory-inbox.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { memoryCapabilities } from "../transports/memory.ts";
import { type MemoryBroker, memoryBroker } from "../transports/memory-broker.ts";
import { memoryLink } from "../transports/memory-link.ts";
import { pullTransport } from "../transports/pull-transport.ts";
import type { Handler } from "./attempt.ts";
import { createConsumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";

type Mortal = <Connection extends object>(connection: Connection) => Connection;

/** Connections that fall silent: whatever their process asks for after `die` is never answered, as if it were gone. */
function mortality(): { mortal: Mortal; die: () => void } {
  let dead = false;
  const mortal: Mortal = (connection) =>
    new Proxy(connection, {
      get(target, name) {
        const method = Reflect.get(target, name) as unknown;
        if (typeof method !== "function") return method;
        return (...values: unknown[]) =>
          dead ? new Promise(() => {}) : (Reflect.apply(method, target, values) as unknown);
      },
    });
  return {
    mortal,
    die: () => {
      dead = true;
    },
  };
}

/** What a handler does to its process: kills it, or succeeds and is killed before anybody hears of it. */
type Killing = boolean | "after success";

/** Starts processes one after the other, each until a handler kills it. */
function fleet(
  broker: MemoryBroker,
  kills: (payload: unknown) => Killing,
  optionsWith: (handler: Handler, mortal: Mortal) => Partial<ConsumerOptions> = () => ({}),
  { holdsBack = true } = {},
) {
  const processed: unknown[] = [];
  let deaths = 0;
  let ids = 0;
  const start = () => {
    const { mortal, die } = mortality();
    const link = mortal(memoryLink(broker, { holdsBack }));
    const host = { clock: broker.clock, random: () => 0.5, newId: () => `p${deaths}.${++ids}` };
    const transport = pullTransport(link, {
      broker: "memory",
      capabilities: memoryCapabilities(true, holdsBack),
      host,
    });
    const handler: Handler = async ({ payload }) => {
      const killing = kills(payload);
      if (killing !== true) processed.push(payload);
      if (killing === false) return;
      die();
      deaths++;
      start();
      if (killing === true) await new Promise(() => {});
    };
    const sizes = { concurrency: 50, prefetch: 250, leaseMs: 10_000 };
    const consumer = createConsumer({
      transport,
      queue: "orders",
      host,
      ...sizes,
      ...optionsWith(handler, mortal),
      handler,
    });
    void consumer.start();
  };
  start();
  return { processed, deaths: () => deaths };
}

it("quarantines exactly the one that kills, among a thousand innocents in hand with it", async () => {
  const clock = fakeClock();
  const broker = memoryBroker({ clock });
  for (let n = 0; n < 1_000; n++) broker.send({ name: "orders" }, makeMessage({ body: String(n) }));
  const { processed, deaths } = fleet(broker, (payload) => payload === 500);
  await clock.advance(300_000);
  expect(broker.depth("orders")).toBe(0);
  expect(broker.depth("orders.dlq")).toBe(0);
  const quarantined = broker.messages("orders.dlq.quarantine.poison");
  expect(quarantined.map(({ body }) => new TextDecoder().decode(body))).toEqual(["500"]);
  expect(headerText(quarantined[0]?.headers ?? [], wire.reason)).toBe("crash_poison");
  expect(new Set(processed).size).toBe(999);
  // Once among the others, then alone until it was certain.
  expect(deaths()).toBe(4);
});

it("finds several killers, each alone", async () => {
  const clock = fakeClock();
  const broker = memoryBroker({ clock });
  for (let n = 0; n < 100; n++) broker.send({ name: "orders" }, makeMessage({ body: String(n) }));
  const killers = new Set<unknown>([3, 50, 51]);
  const { processed } = fleet(broker, (payload) => killers.has(payload));
  await clock.advance(600_000);
  const quarantined = broker.messages("orders.dlq.quarantine.poison");
  expect(quarantined.map(({ body }) => Number(new TextDecoder().decode(body))).sort((a, b) => a - b)).toEqual([
    3, 50, 51,
  ]);
  expect(new Set(processed).size).toBe(97);
  expect(broker.depth("orders")).toBe(0);
});

it("finds a killer though the turn it leaves behind keeps the inbox busy", async () => {
  const clock = fakeClock();
  const broker = memoryBroker({ clock });
  broker.send({ name: "orders" }, makeMessage({ body: "1", headers: { [wire.key]: "order-1" } }));
  const inbox = { store: memoryInbox({ clock }) };
  const { deaths } = fleet(
    broker,
    () => true,
    () => ({ inbox }),
  );
  await clock.advance(600_000);
  expect(broker.depth("orders.dlq.quarantine.poison")).toBe(1);
  expect(deaths()).toBe(4);
});

it("does not quarantine what the inbox knows to have succeeded, though nobody heard of it", async () => {
  const clock = fakeClock();
  const broker = memoryBroker({ clock });
  broker.send({ name: "orders" }, makeMessage({ body: "1", headers: { [wire.key]: "order-1" } }));
  const ends: Killing[] = [true, "after success"];
  const options = { retry: { maxAttempts: 1 }, inbox: { store: memoryInbox({ clock }) } };
  const { processed } = fleet(
    broker,
    () => ends.shift() ?? false,
    () => options,
  );
  await clock.advance(120_000);
  expect(processed).toEqual([1]);
  expect(broker.queues().filter((name) => broker.depth(name) > 0)).toEqual([]);
});

it("quarantines what kills when it is merged, although the inbox knows it", async () => {
  const clock = fakeClock();
  const broker = memoryBroker({ clock });
  for (const body of ["1", "2"]) {
    broker.send({ name: "orders" }, makeMessage({ body, headers: { [wire.key]: "order-1" } }));
    await clock.advance(0);
  }
  const store = memoryInbox({ clock });
  const merging = (handler: Handler) => ({ concurrency: 1, inbox: { store, onDuplicate: { merge: handler } } });
  const { processed, deaths } = fleet(broker, (payload) => payload === 2, merging);
  await clock.advance(600_000);
  expect(processed).toEqual([1]);
  expect(deaths()).toBe(4);
  expect(broker.depth("orders.dlq.quarantine.poison")).toBe(1);
});

it.each([true, false])("finds a killer in its place among ordered messages (held back: %s)", async (holdsBack) => {
  const clock = fakeClock();
  const broker = memoryBroker({ clock });
  const blockedKeys = memoryBlockedKeys({ clock });
  for (let n = 0; n < 60; n++) broker.send({ name: "orders" }, makeMessage({ body: String(n), key: String(n % 3) }));
  const ordered = (_: Handler, mortal: Mortal) => ({ order: "key", blockedKeys: mortal(blockedKeys) }) as const;
  const { processed, deaths } = fleet(broker, (payload) => payload === 30, ordered, { holdsBack });
  await clock.advance(600_000);
  const quarantined = broker.messages("orders.dlq.quarantine.poison");
  expect(quarantined.map(({ body }) => new TextDecoder().decode(body))).toEqual(["30"]);
  expect(deaths()).toBe(4);
  const ofKey = (key: number) => [...new Set(processed)].filter((payload) => Number(payload) % 3 === key);
  const upTo = (key: number, end: number) => Array.from({ length: 20 }, (_, n) => 3 * n + key).filter((n) => n < end);
  expect([ofKey(0), ofKey(1), ofKey(2)]).toEqual([upTo(0, 30), upTo(1, 60), upTo(2, 60)]);
  const [blocked] = await blockedKeys.list("orders");
  expect(await blockedKeys.release([blocked as BlockedKey])).toEqual(["released"]);
  await clock.advance(60_000);
  expect(ofKey(0)).toEqual(upTo(0, 60).filter((n) => n !== 30));
});

it("does not hold a crash against a message that then succeeds", async () => {
  const clock = fakeClock();
  const broker = memoryBroker({ clock });
  broker.send({ name: "orders" }, makeMessage({ body: "1" }));
  let runs = 0;
  const { processed } = fleet(broker, () => ++runs === 1);
  await clock.advance(60_000);
  expect(processed).toEqual([1]);
  expect(broker.queues().filter((name) => broker.depth(name) > 0)).toEqual([]);
});

it("makes no attempt too many of what died at its last one and was put back by a consumer that stopped", async () => {
  const clock = fakeClock();
  const broker = memoryBroker({ clock });
  const at = "2026-01-01T00:00:00.000Z";
  const history = [
    { n: 1, at, started: true },
    { n: 2, at, suspect: true },
  ];
  const headers = { [wire.queue]: "orders", [wire.attempt]: "1", [wire.history]: JSON.stringify(history) };
  broker.send({ name: "orders" }, makeMessage({ body: "1", headers }));
  const { processed } = fleet(
    broker,
    () => false,
    () => ({ retry: { maxAttempts: 1 } }),
  );
  await clock.advance(60_000);
  expect(processed).toEqual([]);
  expect(broker.depth("orders.dlq.quarantine.poison")).toBe(1);
});
