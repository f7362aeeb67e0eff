import { expect, it } from "vitest";
import { type MessageParts, makeMessage } from "../domain/message.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { memoryBroker } from "./memory-broker.ts";
import type { MemoryQueue } from "./memory-queue.ts";

const inOrder = { leaseMs: 1_000, order: "key" } as const;
const anyOrder = { leaseMs: 1_000, order: "none" } as const;

function setup() {
  const clock = fakeClock(0);
  const broker = memoryBroker({ clock });
  const send = (parts: MessageParts, delayMs?: number) => broker.send({ name: "q" }, makeMessage(parts), delayMs);
  return { clock, broker, queue: broker.queue("q"), send };
}

const bodies = (taken: ReturnType<MemoryQueue["take"]>) =>
  taken.map(({ message }) => Buffer.from(message.body).toString());

it("stays fast with a hundred thousand messages, ready, delayed or of one key", async () => {
  const { clock, queue, send } = setup();
  const count = 100_000;
  for (let index = 0; index < count; index++) {
    send({ body: "ready" });
    send({ body: "delayed" }, count - index);
    send({ body: "keyed", key: "one" });
  }
  await clock.advance(count);
  let removed = 0;
  // Work that grows with the square of what is there would take minutes.
  for (let taken = queue.take(500, inOrder); taken.length > 0; taken = queue.take(500, inOrder)) {
    for (const { receipt } of taken) if (queue.remove(receipt)) removed += 1;
  }
  expect([removed, queue.depth]).toEqual([3 * count, 0]);
}, 20_000);

it("hands out again at the very moment a lease lapses, and takes nothing from the late receipt", async () => {
  const { clock, queue, send } = setup();
  send({ body: "x" });
  const [first] = queue.take(1, anyOrder);
  await clock.advance(999);
  expect(queue.take(1, anyOrder)).toEqual([]);
  await clock.advance(1);
  expect(first && queue.remove(first.receipt)).toBe(false);
  const [second] = queue.take(1, anyOrder);
  expect([second?.redelivered, second?.deliveryCount]).toEqual([true, 2]);
  expect(first && queue.extend(first.receipt, 1_000)).toBe(false);
  expect(second && queue.remove(second.receipt)).toBe(true);
});

it("puts what is given back where it stood, neither counted nor marked", () => {
  const { queue, send } = setup();
  for (const body of ["a", "b", "c"]) send({ body });
  const taken = queue.take(2, anyOrder);
  for (const { receipt } of taken.toReversed()) queue.giveBack(receipt);
  const again = queue.take(3, anyOrder);
  expect(bodies(again)).toEqual(["a", "b", "c"]);
  expect(again.map(({ redelivered, deliveryCount }) => [redelivered, deliveryCount])).toEqual([
    [false, 1],
    [false, 1],
    [false, 1],
  ]);
});

it("still marks as redelivered what was lost before it was given back", async () => {
  const { clock, queue, send } = setup();
  send({ body: "x" });
  queue.take(1, anyOrder);
  await clock.advance(1_000);
  const [again] = queue.take(1, anyOrder);
  if (again) queue.giveBack(again.receipt);
  const [third] = queue.take(1, anyOrder);
  expect([third?.redelivered, third?.deliveryCount]).toEqual([true, 2]);
});

it("holds the later messages of a key back, and frees them for whoever does not ask for order", () => {
  const { queue, send } = setup();
  for (const body of ["a1", "a2", "a3"]) send({ body, key: "a" });
  expect(bodies(queue.take(5, inOrder))).toEqual(["a1"]);
  expect(bodies(queue.take(5, inOrder))).toEqual([]);
  expect(bodies(queue.take(5, anyOrder))).toEqual(["a2", "a3"]);
});

it("does not take two keys for one", () => {
  const { queue, send } = setup();
  send({ body: "text", key: "\u00ff" });
  send({ body: "byte", key: Uint8Array.of(0xff) });
  send({ body: "empty", key: "" });
  send({ body: "none" });
  expect(bodies(queue.take(5, inOrder))).toEqual(["text", "byte", "empty", "none"]);
});

it("wakes its watchers when something comes, becomes due, lapses or is given back, and not after they left", async () => {
  const { clock, queue, send } = setup();
  let wakes = 0;
  const cancel = queue.watch(() => {
    wakes += 1;
  });
  const woken = async (ms: number) => {
    wakes = 0;
    await clock.advance(ms);
    return wakes;
  };
  send({ body: "now" });
  send({ body: "later" }, 100);
  expect(await woken(0)).toBe(1);
  const [now] = queue.take(1, anyOrder);
  expect(await woken(99)).toBe(0);
  expect(await woken(1)).toBe(1);
  expect(await woken(900)).toBe(1);
  expect(now && queue.remove(now.receipt)).toBe(false);
  for (const { receipt } of queue.take(2, anyOrder)) queue.giveBack(receipt);
  expect(await woken(0)).toBe(1);
  cancel();
  send({ body: "unseen" });
  send({ body: "unseen" }, 10);
  expect([await woken(1_000), clock.timers]).toEqual([0, 0]);
});

it("shows all messages of a queue in the order they were sent, wherever they are", () => {
  const { broker, queue, send } = setup();
  send({ body: "taken" });
  send({ body: "delayed" }, 1_000);
  send({ body: "ready" });
  queue.take(1, anyOrder);
  expect(broker.messages("q").map(({ body }) => Buffer.from(body).toString())).toEqual(["taken", "delayed", "ready"]);
  expect([broker.depth("q"), broker.queues(), broker.depth("none"), broker.messages("none")]).toEqual([
    3,
    ["q"],
    0,
    [],
  ]);
});

it("lets each lease lapse at its own time, whichever of them are extended", async () => {
  const { clock, queue, send } = setup();
  for (const body of ["a", "b", "c"]) send({ body });
  const [a] = queue.take(3, anyOrder);
  await clock.advance(500);
  expect(a && queue.extend(a.receipt, 1_000)).toBe(true);
  await clock.advance(500);
  expect(bodies(queue.take(3, { ...anyOrder, leaseMs: 5_000 }))).toEqual(["b", "c"]);
  await clock.advance(500);
  expect(bodies(queue.take(3, anyOrder))).toEqual(["a"]);
});
