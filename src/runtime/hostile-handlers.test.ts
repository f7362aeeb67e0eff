import { expect, it } from "vitest";
import { headerText, makeMessage } from "../domain/message.ts";
import { wire } from "../domain/wire.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import type { Handler } from "./attempt.ts";
import { createConsumer } from "./consumer.ts";
import type { ConsumerEvent } from "./events.ts";

/** One message through a handler that misbehaves, until it has settled. */
async function endOf(handler: Handler, options: { timeLimitMs?: number } = {}) {
  const host = fakeHost();
  const { clock } = host;
  const broker = memoryBroker({ clock });
  const events: ConsumerEvent[] = [];
  const consumer = createConsumer({
    transport: memoryTransport({ broker, host }),
    queue: "orders",
    handler,
    retry: { maxAttempts: 2, backoff: { strategy: "immediate" } },
    host,
    observers: [{ event: (event) => events.push(event) }],
    ...options,
  });
  broker.send({ name: "orders" }, makeMessage({ body: "{}" }));
  void consumer.start();
  await clock.advance(60_000);
  const letters = [...broker.messages("orders.dlq"), ...broker.messages("orders.dlq.quarantine.poison")];
  const errors = letters.map(({ headers }) => JSON.parse(headerText(headers, wire.error) ?? "null") as unknown);
  return { left: broker.depth("orders"), errors, types: events.map(({ type }) => type) };
}

const hostile: [string, () => unknown, object][] = [
  ["a string", () => "broken", { message: "broken" }],
  ["null", () => null, { message: "null" }],
  ["undefined", () => undefined, { message: "undefined" }],
  ["an error that is its own cause", () => ownCause(), { message: "round" }],
  ["an object with a getter that throws", () => trap(), {}],
  ["a proxy that answers everything with a throw", () => revoked(), {}],
  ["an error whose name throws", () => Object.defineProperty(new Error("x"), "name", { get: fail }), {}],
  ["an error of ten megabytes", () => new Error("x".repeat(10_000_000)), { class: "Error" }],
];

it.each(hostile)("dead-letters what throws %s", async (_what, thrown, expected) => {
  const { left, errors } = await endOf(async () => {
    throw thrown();
  });
  expect(left).toBe(0);
  expect(errors).toMatchObject([expected]);
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function fail(): never {
  throw new Error("no name");
}

function ownCause(): Error {
  const error: Error & { cause?: unknown } = new Error("round");
  error.cause = error;
  return error;
}

function trap(): object {
  return {
    get message(): string {
      throw new Error("gotcha");
    },
  };
}

it("waits for a handler that is a plain function, and takes a synchronous throw for a failure", async () => {
  // Somebody without types: the handler returns nothing, or throws before it returns a promise.
  const plain = (() => undefined) as unknown as Handler;
  expect(await endOf(plain)).toMatchObject({ left: 0, errors: [] });
  const throwing = (() => {
    throw new Error("at once");
  }) as unknown as Handler;
  expect((await endOf(throwing)).errors).toMatchObject([{ message: "at once" }]);
});

it("ends a message whose handler never returns", async () => {
  const { left, errors } = await endOf(() => new Promise(() => {}), { timeLimitMs: 1_000 });
  expect(left).toBe(0);
  expect(errors).toMatchObject([{ class: "TimeLimitExceeded" }]);
});

it("says so when a handler that was given up returns, or throws, after all", async () => {
  const late: (() => void)[] = [];
  const { left, errors, types } = await endOf(
    ({ attempt }) =>
      new Promise((resolve, reject) => {
        late.push(resolve, () => reject(new Error("too late")));
        if (attempt === 2) for (const end of late) end();
      }),
    { timeLimitMs: 1_000 },
  );
  expect({ left, errors }).toEqual({ left: 0, errors: [] });
  expect(types).toContain("handler-late");
});

it("gives the handler a context that can be copied", async () => {
  const seen: unknown[] = [];
  await endOf(async (context) => {
    const { signal, log, attempt } = { ...context };
    log.info("copied");
    seen.push(signal instanceof AbortSignal, attempt);
  });
  expect(seen).toEqual([true, 1]);
});

it("goes on when an observer throws, before, around and after", async () => {
  const host = fakeHost();
  const { clock } = host;
  const broker = memoryBroker({ clock });
  let ran = 0;
  const consumer = createConsumer({
    transport: memoryTransport({ broker, host }),
    queue: "orders",
    handler: async () => void ran++,
    host,
    observers: [
      {
        event() {
          throw new Error("observer");
        },
      },
      {
        // Typed as returning nothing, and async all the same.
        event: () => Promise.reject(new Error("async observer")) as unknown as undefined,
        around() {
          throw new Error("tracer");
        },
      },
      { around: async (_attempt, run) => Promise.all([run(), run()]).then(() => {}) },
    ],
  });
  broker.send({ name: "orders" }, makeMessage({ body: "{}" }));
  void consumer.start();
  await clock.advance(1_000);
  expect(ran).toBe(1);
  expect(broker.depth("orders")).toBe(0);
});
