import { expect, it } from "vitest";
import { makeMessage } from "../domain/message.ts";
import type { Inbox } from "../stores/inbox.ts";
import { fakeHost } from "../testing/fake-host.ts";
import { memoryTransport } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import { createConsumer } from "./consumer.ts";
import type { ConsumerOptions } from "./consumer-options.ts";

const never = () => new Promise<never>(() => {});

const silentInbox: Inbox = { once: never, without: never };
const silentCommit: Inbox = {
  async once(_entry, work) {
    await work({ tx: undefined, extend: async () => true, abandon: () => {} });
    return never();
  },
  without: never,
};
const silentSchema = { "~standard": { version: 1, vendor: "test", validate: never } } as const;

const hangs: [string, Partial<ConsumerOptions>][] = [
  ["an inbox that never answers", { inbox: { store: silentInbox } }],
  ["a commit that is never answered", { inbox: { store: silentCommit } }],
  ["a schema that never comes to a result", { schema: silentSchema }],
  ["a tracer that never runs the attempt", { observers: [{ around: never }] }],
];

it.each(hangs)("is not held up for ever by %s", async (_what, options) => {
  const host = fakeHost();
  const broker = memoryBroker({ clock: host.clock });
  const consumer = createConsumer({
    transport: memoryTransport({ broker, host }),
    queue: "orders",
    handler: async () => {},
    concurrency: 1,
    timeLimitMs: 1_000,
    leaseMs: 5_000,
    drainMs: 2_000,
    breaker: false,
    host,
    ...options,
  });
  const headers = { "idempotency-key": "k1" };
  broker.send({ name: "orders" }, makeMessage({ body: "1", headers }));
  void consumer.start();
  await host.clock.advance(500);
  expect(consumer.health().inHand).toBe(1);
  // Let go after twice the limit; the next hand-over needs the lease to lapse.
  await host.clock.advance(3_000);
  expect(consumer.health().inHand).toBe(0);
  expect(broker.depth("orders")).toBe(1);

  await host.clock.advance(5_000);
  let stopped = false;
  void consumer.stop().then(() => {
    stopped = true;
  });
  await host.clock.advance(4_000);
  expect(stopped).toBe(true);
});

it("does not wait for a tracer that hangs after the attempt", async () => {
  const host = fakeHost();
  const broker = memoryBroker({ clock: host.clock });
  const consumer = createConsumer({
    transport: memoryTransport({ broker, host }),
    queue: "orders",
    handler: async () => {},
    host,
    observers: [{ around: (_attempt, run) => run().then(never) }],
  });
  broker.send({ name: "orders" }, makeMessage({ body: "1" }));
  void consumer.start();
  await host.clock.advance(10);
  expect(broker.depth("orders")).toBe(0);
});
