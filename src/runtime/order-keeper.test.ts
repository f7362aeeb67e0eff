import { describe, expect, it } from "vitest";
import { Park, Unprocessable } from "../domain/handler-errors.ts";
import { releaseMessage } from "../domain/key-release.ts";
import { headerText, makeMessage, replaceHeaders, textHeader } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import type { BlockedKeys } from "../stores/blocked-keys.ts";
import { memoryBlockedKeys } from "../stores/memory-blocked-keys.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import { createConsumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";
import type { ConsumerEvent } from "./events.ts";

const queue = { name: "accounts" };

/** An ordered consumer in fake time. `plan` says what each message throws, the first time or always. */
function bench(
  plan: Readonly<Record<string, () => unknown>>,
  {
    holdsBack = false,
    keys,
    ...options
  }: Partial<ConsumerOptions<string>> & { holdsBack?: boolean; keys?: BlockedKeys } = {},
) {
  const host = fakeHost();
  const { clock } = host;
  const broker = memoryBroker({ clock });
  const store = keys ?? memoryBlockedKeys({ clock });
  const succeeded: string[] = [];
  const events: ConsumerEvent[] = [];
  const consumer = createConsumer<string>({
    transport: memoryTransport({ broker, host, holdsBack }),
    ...{ queue, host, order: "key", blockedKeys: store, decode: "text", breaker: false, concurrency: 4 },
    retry: { maxAttempts: 3, backoff: { strategy: "fixed", delayMs: 5_000 }, budget: false },
    observers: [{ event: (event) => events.push(event) }],
    async handler({ payload }) {
      const error = plan[payload]?.();
      if (error !== undefined) throw error;
      succeeded.push(payload);
    },
    ...options,
  });
  const send = (...bodies: readonly string[]) => {
    for (const body of bodies) broker.send(queue, makeMessage({ body, key: body.slice(0, 1) }));
  };
  const texts = (name: string) => broker.messages(name).map(({ body }) => Buffer.from(body).toString());
  void consumer.start();
  return { host, clock, broker, store, succeeded, events, consumer, send, texts };
}

function once(error: unknown): () => unknown {
  let isOver = false;
  return () => {
    const thrown = isOver ? undefined : error;
    isOver = true;
    return thrown;
  };
}

/** A store whose `arrive` fails otherwise. */
function askedOnlyIf(isThere: () => boolean): BlockedKeys {
  const store = memoryBlockedKeys();
  const { arrive } = store;
  store.arrive = (...of) => (isThere() ? arrive.apply(store, of) : Promise.reject(new Error("no database")));
  return store;
}

function laneOf(key: string) {
  return { queue: "accounts", key: new TextEncoder().encode(key) };
}

/** Lets a key go on behind the dead message that blocks it. */
async function release(store: BlockedKeys, key: string): Promise<readonly string[]> {
  const [{ blocked } = { blocked: null }] = await store.find([{ ...laneOf(key), number: null }]);
  return store.release([{ ...laneOf(key), number: blocked?.number ?? 0 }]);
}

/** Another copy of the first message of a key is handled to its end. */
async function finishCopy(store: BlockedKeys, key: string): Promise<void> {
  const [{ blocked } = { blocked: null }] = await store.find([{ ...laneOf(key), number: null }]);
  if (blocked === null) return;
  const [mark, turn] = [Uint8Array.of(1), "of the copy"];
  await store.arrive(laneOf(key), { number: blocked.number, revived: false, mark, turn });
  await store.leave(laneOf(key), blocked.number, turn);
}

const unavailable = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

describe.each([
  { broker: "a broker that holds back", holdsBack: true },
  { broker: "a broker whose retries wait elsewhere", holdsBack: false },
])("on $broker", ({ holdsBack }) => {
  it("handles nothing of a key before its message that waits for a retry, and other keys meanwhile", async () => {
    const { send, clock, succeeded, texts, store } = bench({ a1: once(unavailable) }, { holdsBack });
    send("a1", "a2", "b1", "a3");
    await clock.advance(1_000);
    expect(succeeded).toEqual(["b1"]);
    await clock.advance(20_000);
    send("a4");
    await clock.advance(20_000);
    expect(succeeded).toEqual(["b1", "a1", "a2", "a3", "a4"]);
    expect([texts("accounts.parked"), await store.list("accounts")]).toEqual([[], []]);
  });

  it("parks the later messages of a key behind one that is dead, until the key is released", async () => {
    const { send, clock, succeeded, texts, store, broker } = bench(
      { a1: () => new Unprocessable("never") },
      { holdsBack },
    );
    send("a1", "a2", "a3", "b1");
    await clock.advance(60_000);
    send("a4");
    await clock.advance(60_000);
    expect(succeeded).toEqual(["b1"]);
    expect([texts("accounts.dlq"), texts("accounts.parked").toSorted()]).toEqual([["a1"], ["a2", "a3", "a4"]]);
    expect(await store.list("accounts")).toMatchObject([{ state: "dead", behind: 3 }]);
    const parked = broker.messages("accounts.parked").map(({ headers, body }) => {
      return { text: Buffer.from(body).toString(), number: Number(headerText(headers, wire.lane)) };
    });
    parked.sort((one, other) => one.number - other.number);
    expect(parked.map(({ text }) => text)).toEqual(["a2", "a3", "a4"]);
    expect(await release(store, "a")).toEqual(["released"]);
    await clock.advance(20_000);
    expect(succeeded).toEqual(["b1", "a2", "a3", "a4"]);
    expect([texts("accounts.dlq"), texts("accounts.parked"), await store.list("accounts")]).toEqual([["a1"], [], []]);
  });

  it("lets a dead letter that is put back go first, then its followers", async () => {
    const { send, clock, succeeded, broker } = bench({ a1: once(new Unprocessable("not yet")) }, { holdsBack });
    send("a1", "a2");
    await clock.advance(10_000);
    const [letter] = broker.messages("accounts.dlq");
    if (letter) broker.send(queue, letter);
    await clock.advance(20_000);
    expect(succeeded).toEqual(["a1", "a2"]);
  });

  it("takes a dead letter for a new message when its key went on without it", async () => {
    const { send, clock, succeeded, broker, store } = bench(
      { a1: once(new Unprocessable("not yet")), a2: once(unavailable) },
      { holdsBack },
    );
    send("a1", "a2");
    await clock.advance(10_000);
    await release(store, "a");
    await clock.advance(20_000);
    const [letter] = broker.messages("accounts.dlq");
    if (letter) broker.send(queue, letter);
    await clock.advance(20_000);
    expect(succeeded).toEqual(["a2", "a1"]);
  });

  it("keeps a dead letter that is tried again while its key is let go on without it", async () => {
    const failures = [new Unprocessable("not yet"), unavailable];
    const letGoOn = () => {
      void finishCopy(store, "a");
      return failures.shift();
    };
    const { send, clock, succeeded, broker, store } = bench({ a1: letGoOn }, { holdsBack });
    send("a1", "a2");
    await clock.advance(10_000);
    const [letter] = broker.messages("accounts.dlq");
    if (letter) broker.send(queue, letter);
    await clock.advance(90_000);
    expect(succeeded.toSorted()).toEqual(["a1", "a2"]);
  });

  it("runs a replayed letter in its own place, tries it again there, and lets no second copy overtake the others", async () => {
    const failures = [new Unprocessable("not yet"), unavailable];
    const { send, clock, succeeded, broker, store } = bench({ a1: () => failures.shift() }, { holdsBack });
    send("a1", "a2", "a3");
    await clock.advance(10_000);
    const [letter = makeMessage({ body: "none" })] = broker.messages("accounts.dlq");
    const kept = letter.headers.filter(({ name }) => name === wire.queue || name === wire.lane);
    const replayed = {
      ...letter,
      headers: [...kept, textHeader(wire.letter, "ltr_1"), textHeader(wire.replay, "rpl_1/1")],
    };
    broker.send(queue, replayed);
    broker.send(queue, replayed);
    await clock.advance(60_000);
    // Where its retry waited elsewhere, the second copy ran in that place, and the first was dropped.
    expect([succeeded, await store.list("accounts")]).toEqual([["a1", "a2", "a3", ...(holdsBack ? ["a1"] : [])], []]);
  });

  it("keeps what a handler parked as a dead letter with its number, and lets its key go on only when that is released", async () => {
    const { send, clock, succeeded, broker, texts, store } = bench(
      { a1: () => new Park("until monday") },
      { holdsBack },
    );
    send("a1", "a2", "a3");
    await clock.advance(30_000);
    expect(succeeded).toEqual([]);
    const [letter] = broker.messages("accounts.dlq");
    const [blocked] = await store.list("accounts");
    expect(["dlo-reason", "dlo-lane"].map((name) => headerText(letter?.headers ?? [], name))).toEqual([
      ...["parked", String(blocked?.number)],
    ]);
    await release(store, "a");
    await clock.advance(30_000);
    expect([succeeded, texts("accounts.parked"), texts("accounts.dlq")]).toEqual([["a2", "a3"], [], ["a1"]]);
  });

  it("drops the second copy of what is done with, and says so", async () => {
    const { send, clock, succeeded, broker, store, events } = bench(
      { a1: () => new Unprocessable("never") },
      { holdsBack },
    );
    send("a1", "a2");
    await clock.advance(10_000);
    const [parked] = broker.messages("accounts.parked");
    await release(store, "a");
    await clock.advance(20_000);
    if (parked) broker.send(queue, parked);
    await clock.advance(1_000);
    expect([succeeded, broker.depth("accounts")]).toEqual([["a2"], 0]);
    expect(events.filter(({ type }) => type === "copy-dropped")).toHaveLength(1);
  });

  it("drops a copy at once whose number is done with before its attempt is charged", async () => {
    const keys = memoryBlockedKeys();
    const { charge } = keys;
    keys.charge = async (...of) => {
      await finishCopy(keys, "a");
      return charge.apply(keys, of);
    };
    const { send, clock, broker, events } = bench({ a1: () => new Unprocessable("never") }, { holdsBack, keys });
    send("a1");
    await clock.advance(10_000);
    const [letter = makeMessage({ body: "none" })] = broker.messages("accounts.dlq");
    const suspicion = textHeader(wire.history, '[{"n":1,"at":"2026-01-01T00:00:00.000Z","suspect":true}]');
    const unexplained = letter.headers.filter(({ name }) => name !== wire.reason);
    broker.send(queue, { ...letter, headers: replaceHeaders(unexplained, [suspicion]) });
    await clock.advance(1_000);
    expect(broker.depth("accounts")).toBe(0);
    expect(events.filter(({ type }) => type === "copy-dropped")).toHaveLength(1);
  });

  it("does not take the number of another queue for its own, however often it is retried", async () => {
    const { clock, succeeded, broker } = bench({ a1: once(unavailable) }, { holdsBack });
    const headers = { "dlo-queue": "elsewhere", "dlo-lane": "7", "dlo-attempt": "2" };
    broker.send(queue, makeMessage({ body: "a1", key: "a", headers }));
    await clock.advance(20_000);
    expect(succeeded).toEqual(["a1"]);
  });

  it("waits for a store that cannot be asked, and runs nothing meanwhile", async () => {
    let isAway = true;
    const keys = askedOnlyIf(() => !isAway);
    const { send, clock, succeeded, events } = bench({}, { holdsBack, keys, leaseMs: 8_000 });
    send("a1", "a2");
    await clock.advance(30_000);
    expect(succeeded).toEqual([]);
    expect(events.some(({ type }) => type === "order-unavailable")).toBe(true);
    isAway = false;
    await clock.advance(30_000);
    expect(succeeded).toEqual(["a1", "a2"]);
  });

  it("stops, and leaves no timer behind", async () => {
    const { send, clock, consumer } = bench({ a1: () => new Unprocessable("never") }, { holdsBack });
    send("a1", "a2");
    await clock.advance(10_000);
    const stopped = consumer.stop();
    await clock.advance(10_000);
    await stopped;
    expect(clock.timers).toBe(0);
  });
});

it("fetches the messages of one key past those that have to stay, and leaves these in their order", async () => {
  const never = () => new Unprocessable("never");
  const { send, clock, succeeded, texts, store } = bench({ a1: never, b1: never, c1: () => new Park("later") });
  send("c1", "b1", "a1", "c2", "b2", "a2", "c3", "b3", "a3");
  await clock.advance(10_000);
  await release(store, "b");
  await clock.advance(30_000);
  expect(succeeded).toEqual(["b2", "b3"]);
  const parked = texts("accounts.parked");
  expect(parked.filter((body) => body.startsWith("a"))).toEqual(["a2", "a3"]);
  expect(parked.filter((body) => body.startsWith("c")).sort()).toEqual(["c2", "c3"]);
});

it("reads a release message among the parked ones, releases that number once, and hands it to no handler", async () => {
  const never = () => new Unprocessable("never");
  const { send, clock, succeeded, texts, store, broker, events } = bench({ a1: never, b1: never, a2: never });
  send("a1", "b1", "a2", "a3", "b2");
  await clock.advance(10_000);
  const [blocked] = await store.list("accounts");
  const place = { ...laneOf("a"), number: blocked?.number ?? 0 };
  for (const { number } of [place, place, { number: 999 }]) {
    const { to, message } = releaseMessage({ ...place, number });
    broker.send(to, message);
  }
  await clock.advance(600_000);
  const left = [texts("accounts.parked").toSorted(), texts("accounts.dlq").toSorted()];
  expect([succeeded, ...left]).toEqual([[], ["a3", "b2"], ["a1", "a2", "b1"]]);
  const outcomes = events.flatMap((event) => (event.type === "key-released" ? [event.outcome] : []));
  expect(outcomes.toSorted()).toEqual(["gone", "gone", "released"]);
  expect((await store.list("accounts")).map(({ state, behind }) => [state, behind])).toEqual([
    ["dead", 1],
    ["dead", 1],
  ]);
});

it("lets a message fail again that had waited, and keeps the rest behind it", async () => {
  const { send, clock, succeeded, texts } = bench({
    a1: once(unavailable),
    a2: once(unavailable),
    a3: once(unavailable),
  });
  send("a1", "a2", "a3", "a4");
  await clock.advance(120_000);
  expect(succeeded).toEqual(["a1", "a2", "a3", "a4"]);
  expect([texts("accounts"), texts("accounts.parked")]).toEqual([[], []]);
});

it("handles messages without a key in no order, and asks no store about them", async () => {
  const { clock, broker, succeeded } = bench({}, { keys: askedOnlyIf(() => false) });
  broker.send(queue, makeMessage({ body: "x" }));
  await clock.advance(1_000);
  expect(succeeded).toEqual(["x"]);
});

it("carries the ordering key and the number on a dead letter", async () => {
  const { send, clock, broker } = bench({ a1: () => new Unprocessable("never") });
  send("a1");
  await clock.advance(1_000);
  const [letter] = broker.messages("accounts.dlq");
  expect(Buffer.from(letter?.key ?? []).toString()).toBe("a");
  expect(Number(headerText(letter?.headers ?? [], wire.lane))).toBeGreaterThan(0);
});

it("sends nothing under another's name that equal messages have in common", async () => {
  const { clock, broker, succeeded } = bench({ "+1": once(unavailable) });
  for (const _ of [1, 2, 3]) broker.send(queue, makeMessage({ body: "+1", key: "a" }));
  await clock.advance(60_000);
  expect(succeeded).toEqual(["+1", "+1", "+1"]);
});

it.each([
  {
    what: "order where the transport does not keep it",
    given: { order: "key", blockedKeys: memoryBlockedKeys() },
    says: '`order` must be "none": tin cans does not keep the order of a key (strings cross).',
  },
  { what: "another order", given: { order: "size" }, says: "`order` must be one of none, key." },
])("refuses $what", ({ given, says }) => {
  const inner = memoryTransport();
  const transport = {
    ...{ broker: "tin cans", shortcomings: { order: "strings cross" } },
    capabilities: { ...inner.capabilities, order: false },
    ...{ send: inner.send.bind(inner), consume: inner.consume.bind(inner), close: inner.close.bind(inner) },
  };
  const options = { transport, queue, handler: async () => {}, ...(given as object) };
  expect(() => createConsumer(options)).toThrow(says);
});

it("refuses order without a store of blocked keys, and names the stores there are", () => {
  const options = { transport: memoryTransport(), queue, handler: async () => {}, order: "key" } as const;
  expect(() => createConsumer(options)).toThrow(
    /^`blockedKeys` must be a store.*memoryBlockedKeys.*postgresBlockedKeys/,
  );
});

it("binds a parked message to its queue without adopting a stranger's log", async () => {
  const { clock, broker } = bench({ a1: () => new Unprocessable("never") });
  broker.send(queue, makeMessage({ body: "a1", key: "a" }));
  const headers = [textHeader(wire.queue, "elsewhere"), textHeader(wire.attempt, "4")];
  broker.send(queue, makeMessage({ body: "a2", key: "a", headers }));
  await clock.advance(1_000);
  const [parked] = broker.messages("accounts.parked");
  expect(headerText(parked?.headers ?? [], wire.queue)).toBe("accounts");
  expect(headerText(parked?.headers ?? [], wire.attempt)).toBe("0");
});
