import { expect, it } from "vitest";
import { Park, RetryLater, Unprocessable } from "../domain/handler-errors.ts";
import { headerText, type Message, makeMessage } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { memoryInbox } from "../stores/memory-inbox.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import { createBreaker } from "./breaker.ts";
import { createConsumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";
import type { ConsumerEvent } from "./events.ts";

type Options = Partial<Omit<ConsumerOptions, "transport" | "queue">>;

/** A consumer of the queue "orders" on a broker in memory, in fake time. */
function setup(handler: ConsumerOptions["handler"], options: Options = {}) {
  const host = fakeHost();
  const { clock } = host;
  const broker = memoryBroker({ clock });
  const events: ConsumerEvent[] = [];
  const consumer = createConsumer({
    transport: memoryTransport({ broker, host }),
    queue: "orders",
    handler,
    retry: { backoff: { strategy: "fixed", delayMs: 1_000, jitter: "none" } },
    host,
    observers: [{ event: (event) => events.push(event) }],
    ...options,
  });
  const send = (parts: Parameters<typeof makeMessage>[0]) => broker.send({ name: "orders" }, makeMessage(parts));
  void consumer.start();
  return { clock, broker, consumer, events, send, types: () => events.map((event) => event.type) };
}

const text = (message: Message | undefined, name: string) => headerText(message?.headers ?? [], name);

it("acknowledges a message whose handler returned", async () => {
  const seen: unknown[] = [];
  const { clock, broker, send } = setup(async ({ payload, attempt }) => void seen.push([payload, attempt]));
  send({ body: '{"id":7}' });
  await clock.advance(10);
  expect(seen).toEqual([[{ id: 7 }, 1]]);
  expect(broker.depth("orders")).toBe(0);
});

it("retries what failed, after the backoff, with the attempt counted in the message", async () => {
  const attempts: number[] = [];
  const { clock, broker, send } = setup(async ({ attempt }) => {
    attempts.push(attempt);
    if (attempt < 3) throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
  });
  send({ body: "{}" });
  await clock.advance(10);
  expect(attempts).toEqual([1]);
  expect(text(broker.messages("orders")[0], wire.attempt)).toBe("1");
  await clock.advance(2_000);
  expect(attempts).toEqual([1, 2, 3]);
  expect(broker.depth("orders")).toBe(0);
});

it("dead-letters with everything that is known once the attempts are used up", async () => {
  const { clock, broker, send } = setup(
    async () => {
      throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
    },
    { retry: { maxAttempts: 2, backoff: { strategy: "immediate" } }, service: "shop", version: "1.2.3" },
  );
  send({ body: "{}", headers: { "x-mine": "kept", "idempotency-key": "k1" }, key: "customer-1" });
  await clock.advance(10);
  expect(broker.depth("orders")).toBe(0);
  const [letter] = broker.messages("orders.dlq");
  expect(text(letter, "x-mine")).toBe("kept");
  expect(text(letter, wire.reason)).toBe("attempts_exhausted");
  expect(text(letter, wire.category)).toBe("transient");
  expect(text(letter, wire.attempt)).toBe("2");
  expect(text(letter, wire.queue)).toBe("orders");
  expect(text(letter, wire.key)).toBe("k1");
  expect(JSON.parse(text(letter, wire.history) ?? "")).toMatchObject([
    { n: 1, class: "Error", message: "down", kind: "transient", delayMs: 0 },
    { n: 2, class: "Error", message: "down", kind: "transient" },
  ]);
  expect(JSON.parse(text(letter, wire.error) ?? "")).toMatchObject({
    class: "Error",
    message: "down",
    code: "ECONNREFUSED",
  });
  expect(JSON.parse(text(letter, wire.consumer) ?? "")).toMatchObject({ service: "shop", version: "1.2.3" });
  expect(letter?.key).toEqual(new TextEncoder().encode("customer-1"));
});

it("does as the handler says: dead-letter now, retry after, park", async () => {
  const says: Record<string, Error> = {
    never: new Unprocessable("no such product"),
    later: new RetryLater("closed", { afterMs: 60_000 }),
    aside: new Park("needs a look"),
  };
  const { clock, broker, send } = setup(async ({ payload }) => {
    throw says[payload as string] as Error;
  });
  for (const word of Object.keys(says)) send({ body: JSON.stringify(word) });
  await clock.advance(10);
  expect(text(broker.messages("orders.dlq")[0], wire.reason)).toBe("unprocessable");
  expect(broker.depth("orders.parked")).toBe(1);
  expect(broker.depth("orders")).toBe(1);
  await clock.advance(59_000);
  expect(text(broker.messages("orders")[0], wire.attempt)).toBe("1");
});

it("dead-letters what cannot be decoded before any handler sees it", async () => {
  let ran = 0;
  const { clock, broker, send } = setup(async () => void ran++);
  send({ body: "{not json" });
  send({ body: Uint8Array.of(0xff, 0xfe) });
  await clock.advance(10);
  expect(ran).toBe(0);
  expect(broker.messages("orders.dlq").map((letter) => text(letter, wire.reason))).toEqual([
    "schema_mismatch",
    "schema_mismatch",
  ]);
});

it("quarantines what fails the same way three times without being known to be transient", async () => {
  const { clock, broker, send, types } = setup(async () => {
    throw new TypeError("cannot read properties of undefined");
  });
  send({ body: "{}" });
  await clock.advance(5_000);
  const [letter] = broker.messages("orders.dlq.quarantine.poison");
  expect(text(letter, wire.attempt)).toBe("3");
  expect(text(letter, wire.reason)).toBe("poison");
  expect(types()).toContain("quarantined");
});

it("blames the handler, not the messages, when many fail alike", async () => {
  const { clock, broker, send, types } = setup(
    async () => {
      throw new TypeError("cannot read properties of undefined");
    },
    {
      concurrency: 50,
      breaker: false,
      retry: { maxAttempts: 4, backoff: { strategy: "fixed", delayMs: 1_000, jitter: "none" } },
    },
  );
  for (let n = 0; n < 20; n++) send({ body: JSON.stringify({ n }), headers: { "idempotency-key": `k${n}` } });
  await clock.advance(10_000);
  expect(types().filter((type) => type === "handler-failing")).toHaveLength(1);
  expect(types()).not.toContain("quarantined");
  expect(broker.depth("orders.dlq")).toBe(20);
});

it("gives up a handler that never returns, aborts its signal and retries", async () => {
  const reasons: string[] = [];
  const { clock, send, types } = setup(
    ({ signal, attempt }) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => reasons.push((signal.reason as Error).name));
        if (attempt === 2) resolve();
      }),
    { timeLimitMs: 500 },
  );
  send({ body: "{}" });
  await clock.advance(3_000);
  expect(reasons).toEqual(["TimeLimitExceeded"]);
  expect(types()).toContain("attempt-succeeded");
});

it("keeps a message that takes long for itself by extending its lease", async () => {
  let runs = 0;
  const { clock, broker, send } = setup(
    ({ signal: _ }) => {
      runs++;
      return new Promise((resolve) => void clock.after(4_000, resolve));
    },
    { leaseMs: 300, timeLimitMs: 60_000 },
  );
  send({ body: "{}" });
  await clock.advance(5_000);
  expect(runs).toBe(1);
  expect(broker.depth("orders")).toBe(0);
});

it("pauses while the breaker is open and lets messages stay with the broker", async () => {
  let down = true;
  const { clock, broker, send, types, consumer } = setup(
    async () => {
      if (down) throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
    },
    { concurrency: 1, breaker: { rule: { kind: "consecutive", failures: 3 }, recoveryMs: 10_000 } },
  );
  for (let n = 0; n < 20; n++) send({ body: "{}" });
  await clock.advance(1_000);
  expect(consumer.health().status).toBe("paused");
  const attempts = types().filter((type) => type === "attempt-started").length;
  expect(attempts).toBe(3);
  down = false;
  await clock.advance(60_000);
  expect(broker.depth("orders")).toBe(0);
  expect(broker.depth("orders.dlq")).toBe(0);
  expect(types()).toContain("resumed");
});

it("begins anew when somebody puts a dead letter back as it is", async () => {
  const attempts: number[] = [];
  const { clock, broker, send } = setup(async ({ attempt }) => {
    attempts.push(attempt);
    if (attempts.length === 1) throw new Unprocessable("no");
  });
  send({ body: "{}" });
  await clock.advance(10);
  const [letter] = broker.messages("orders.dlq");
  broker.send({ name: "orders" }, letter as Message);
  await clock.advance(10);
  expect(attempts).toEqual([1, 1]);
});

it("ignores the log of another queue, copied along by a service", async () => {
  const attempts: number[] = [];
  const { clock, send } = setup(async ({ attempt }) => void attempts.push(attempt));
  send({ body: "{}", headers: { [wire.queue]: "invoices", [wire.attempt]: "5" } });
  await clock.advance(10);
  expect(attempts).toEqual([1]);
});

it("puts over-budget retries into the dead-letter queue, marked as such", async () => {
  const { clock, broker, send } = setup(
    async () => {
      throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
    },
    { breaker: false, retry: { budget: { ratio: 0, floorPerSecond: 0.2, windowMs: 10_000 } } },
  );
  for (let n = 0; n < 5; n++) send({ body: "{}" });
  await clock.advance(10);
  const reasons = broker.messages("orders.dlq").map((letter) => text(letter, wire.reason));
  expect(reasons).toEqual(["retry_budget_exhausted", "retry_budget_exhausted", "retry_budget_exhausted"]);
});

it("stops: takes no more, waits for the handler at work, acknowledges it", async () => {
  let finish: () => void = () => {};
  const { clock, broker, send, consumer } = setup(() => new Promise((resolve) => (finish = resolve)), {
    concurrency: 1,
  });
  send({ body: "{}" });
  send({ body: "{}" });
  await clock.advance(10);
  const stopped = consumer.stop();
  await clock.advance(10);
  finish();
  await clock.advance(10);
  await stopped;
  expect(broker.depth("orders")).toBe(1);
  expect(consumer.health().status).toBe("stopped");
});

it("gives up what outlasts its drain deadline; the message goes back and the attempt counts", async () => {
  const { clock, broker, send, consumer } = setup(() => new Promise(() => {}), { drainMs: 1_000 });
  send({ body: "{}" });
  await clock.advance(10);
  const stopped = consumer.stop();
  await clock.advance(1_100);
  await stopped;
  expect(text(broker.messages("orders")[0], wire.attempt)).toBe("1");
});

it("makes the last attempt again that its drain deadline cut short, and no more than that one", async () => {
  const attempts: number[] = [];
  const { clock, broker, send, consumer, events } = setup(
    ({ attempt }) => {
      attempts.push(attempt);
      return attempt < 2 ? Promise.reject(new Error("no")) : new Promise(() => {});
    },
    { drainMs: 1_000, retry: { maxAttempts: 2, backoff: { strategy: "fixed", delayMs: 0, jitter: "none" } } },
  );
  send({ body: "{}" });
  await clock.advance(10);
  const stopped = consumer.stop();
  await clock.advance(1_100);
  await stopped;
  expect(attempts).toEqual([1, 2]);
  expect(events).toContainEqual(expect.objectContaining({ type: "retried", because: "stopping", attempt: 1 }));
  const again: number[] = [];
  const next = createConsumer({
    transport: memoryTransport({ broker, host: fakeHost(clock) }),
    queue: "orders",
    handler: ({ attempt }) => {
      again.push(attempt);
      return Promise.reject(new Error("no"));
    },
    retry: { maxAttempts: 2 },
    host: fakeHost(clock),
  });
  void next.start();
  await clock.advance(60_000);
  expect(again).toEqual([2]);
  expect(broker.messages("orders.dlq").map((letter) => text(letter, wire.reason))).toEqual(["attempts_exhausted"]);
});

it("is stalled when something is in hand and nothing finishes", async () => {
  // The schema hangs, where no handler's limit ends it.
  const schema = { "~standard": { version: 1, vendor: "test", validate: () => new Promise<never>(() => {}) } } as const;
  const { clock, send, consumer } = setup(async () => {}, { schema, timeLimitMs: 6_000, stalledAfterMs: 7_000 });
  send({ body: "{}" });
  await clock.advance(1_000);
  expect(consumer.health().status).toBe("working");
  await clock.advance(9_000);
  expect(consumer.health().status).toBe("stalled");
});

it("dead-letters, once, a message whose key rule throws", async () => {
  const store = memoryInbox();
  const key = ({ body }: Message) => (JSON.parse(new TextDecoder().decode(body)) as { id: string }).id.toString();
  const { clock, broker, send } = setup(async () => {}, { inbox: { store, key } });
  send({ body: "{}" });
  await clock.advance(3_600_000);
  expect(broker.depth("orders")).toBe(0);
  expect(broker.messages("orders.dlq").map((letter) => text(letter, wire.reason))).toEqual(["schema_mismatch"]);
});

it("waits as usual when a backoff of somebody's own throws or gives nonsense", async () => {
  for (const backoff of [() => Number.NaN, () => -5, () => Number.POSITIVE_INFINITY, throwing]) {
    const { clock, broker, send } = setup(
      async () => {
        throw Object.assign(new Error("down"), { code: "ECONNREFUSED" });
      },
      { retry: { backoff, maxAttempts: 2 } },
    );
    send({ body: "{}" });
    await clock.advance(500);
    expect(text(broker.messages("orders")[0] ?? broker.messages("orders.dlq")[0], wire.attempt)).toMatch(/^[12]$/);
  }
});

function throwing(): number {
  throw new Error("own backoff");
}

it("charges for what another breaker refuses, and waits as long as that one asks", async () => {
  const elsewhere = createBreaker({ name: "elsewhere", recoveryMs: 40_000 });
  elsewhere.forceOpen();
  const { clock, broker, send } = setup(() => elsewhere.run(async () => {}), { breaker: false });
  send({ body: "{}" });
  await clock.advance(1_000);
  expect(text(broker.messages("orders")[0], wire.attempt)).toBe("1");
  await clock.advance(20_000);
  expect(text(broker.messages("orders")[0], wire.attempt)).toBe("1");
  await elsewhere.close();
});

it("does not let a few bad messages pause the consumer for the good ones", async () => {
  let done = 0;
  const { clock, send, types } = setup(
    async ({ payload }) => {
      if (payload === "bad") throw new Error("cannot be true");
      done++;
    },
    { concurrency: 1 },
  );
  for (let n = 0; n < 4; n++) send({ body: '"bad"' });
  for (let n = 0; n < 20; n++) send({ body: '"good"' });
  await clock.advance(10_000);
  expect(done).toBe(20);
  expect(types()).not.toContain("paused");
});

it("refuses options that could not work, before the first message", () => {
  const refused: [Options, RegExp][] = [
    [{ deadLetter: { queue: "orders" } }, /deadLetter.queue/],
    [{ deadLetter: { queue: () => "" } }, /deadLetter.queue/],
    [{ stalledAfterMs: 1_000 }, /stalledAfterMs/],
    [{ breaker: { probeLeaseMs: 1_000 } }, /breaker.probeLeaseMs/],
    [{ prefetch: 1, concurrency: 2 }, /prefetch/],
    [{ retry: { maxAttempts: 0 } }, /retry.maxAttempts/],
    [{ concurency: 5 } as Options, /Did you mean `concurrency`/],
    [{ observers: {} as never }, /observers/],
    [{ handles: [{ name: "order", versions: 3 }] as never }, /handles/],
  ];
  for (const [options, complaint] of refused) expect(() => setup(async () => {}, options)).toThrow(complaint);
});

it("refuses a second start", async () => {
  const { consumer } = setup(async () => {});
  await expect(consumer.start()).rejects.toMatchObject({ code: "CONSUMER_ALREADY_STARTED" });
});
