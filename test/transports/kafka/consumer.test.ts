import { expect, it } from "vitest";
import { pause } from "../../../src/domain/clock.ts";
import { type Address, done, makeMessage, textHeader, type Verdict } from "../../../src/domain/message.ts";
import { systemClock } from "../../../src/system/host.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { Progress } from "../../../src/transports/kafka/progress.ts";
import type { Gate } from "../../../src/transports/transport.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noKafka } from "../../servers/kafka.ts";
import { useKafka } from "../../servers/use-kafka.ts";
import { consume, hold, open, ownQueue, text } from "./bench.ts";
import { cuttableTransport } from "./cuttable.ts";
import { joinGroup, withAdmin, withProducer } from "./oracle.ts";

describeServer("Kafka consumers", noKafka, () => {
  const kafka = useKafka();
  const one = () => ({ ...kafka, partitions: 1 });

  it("repeats nothing that finished behind a message that was in hand when a consumer died", async () => {
    const queue = ownQueue();
    const sender = open(one());
    for (const body of ["slow", "b", "c", "d"]) await sender.send(queue, makeMessage({ body }));
    const { transport, way } = await cuttableTransport({ ...one(), retryWaitsMs: [0, 300] });
    const slow = hold();
    const dying = consume(transport, queue, ({ message }) =>
      text(message) === "slow" ? slow.verdict : Promise.resolve(done),
    );
    await dying.until(4);
    await untilCommitted(kafka.brokers, queue, (metadata, offset) => {
      const progress = new Progress<never>(Math.max(offset, 0), metadata);
      return [1, 2, 3].every((finished) => progress.fateOf(finished) === "finished");
    });
    way.cut();
    const next = consume(open(one()), queue);
    await sender.send(queue, makeMessage({ body: "after" }));
    await next.until(2);
    expect(next.deliveries.map(({ message, redelivered }) => [text(message), redelivered])).toEqual([
      ["slow", true],
      ["after", false],
    ]);
    slow.give(done);
    await way.close();
  });

  it("calls what was in hand redelivered until its outcome is known, however often consumers die in between", async () => {
    const queue = ownQueue();
    await open(one()).send(queue, makeMessage({ body: "x" }));
    for (let deaths = 0; deaths < 3; deaths++) {
      const { transport, way } = await cuttableTransport({ ...one(), retryWaitsMs: [0, 300] });
      const dying = consume(transport, queue, () => hold().verdict);
      await dying.until(1);
      expect(dying.deliveries[0]?.redelivered).toBe(deaths > 0);
      way.cut();
    }
    const last = consume(open(one()), queue);
    await last.until(1);
    expect(last.deliveries[0]?.redelivered).toBe(true);
  });

  it("goes on with other messages of a partition while one waits to be sent onward again", async () => {
    const queue = ownQueue();
    const transport = open({ ...one(), topology: "make" });
    for (const body of ["bad", "b", "c"]) await transport.send(queue, makeMessage({ body }));
    const to = { name: "not a topic's name" };
    const received = consume(
      transport,
      queue,
      async ({ message }): Promise<Verdict> => (text(message) === "bad" ? { kind: "dead-letter", to, message } : done),
    );
    await eventually(() => received.bodies().filter((body) => body === "bad").length >= 3, { withinMs: 120_000 });
    expect(received.bodies()).toEqual(expect.arrayContaining(["b", "c"]));
    expect(new Set(received.incidents.map(({ kind }) => kind))).toEqual(new Set(["onward-failed"]));
    await untilCommitted(kafka.brokers, queue, (metadata, offset) => offset === 0 && metadata.length > 0);
  });

  it("waits longer than its longest wait, by several of them", async () => {
    const queue = ownQueue();
    const transport = open({ ...one(), retryWaitsMs: [0, 200] });
    const sentAt = Date.now();
    await transport.send(queue, makeMessage({ body: "x", headers: { own: "1" } }), { delayMs: 900 });
    const received = consume(transport, queue);
    await received.until(1);
    expect(Date.now() - sentAt).toBeGreaterThanOrEqual(895);
    expect(received.deliveries[0]?.message.headers).toEqual([textHeader("own", "1")]);
  });

  it("reads what waits in retry topics of waits that are no longer in use", async () => {
    const queue = ownQueue();
    await open({ ...one(), retryWaitsMs: [0, 250] }).send(queue, makeMessage({ body: "x" }), { delayMs: 250 });
    const received = consume(open({ ...one(), retryWaitsMs: [0, 5_000] }), queue);
    await received.until(1);
    expect(received.deliveries[0]?.position).toBe(`${queue.name}.${queue.group}.retry.250ms/0/0`);
  });

  it("forgets nothing that waits for a retry when another consumer takes over, and keeps its key blocked", async () => {
    const queue = ownQueue();
    const transport = open(one());
    for (const body of ["1", "2", "3"]) await transport.send(queue, makeMessage({ body, key: "k" }));
    let isFirst = true;
    const retryFirst = async ({ message }: { readonly message: ReturnType<typeof makeMessage> }): Promise<Verdict> => {
      if (!isFirst) return hold().verdict;
      isFirst = false;
      return { kind: "retry", delayMs: 300, message };
    };
    const first = consume(open(one()), queue, retryFirst, { order: "key" });
    await first.until(1);
    await first.stop();
    const second = consume(transport, queue, undefined, { order: "key" });
    await second.until(3);
    expect(second.bodies()).toEqual(["1", "2", "3"]);
  });

  it("understands what other clients write: no value, binary and repeated headers, no key", async () => {
    const queue = ownQueue();
    const transport = open(one());
    const received = consume(transport, queue);
    await transport.send(queue, makeMessage({ body: "first" }));
    await withProducer(kafka.brokers, {}, async (producer) => {
      const headers = { tag: ["one", "two"], count: Buffer.of(0, 0, 0, 3), raw: Buffer.of(0xff, 0x80) };
      await producer.send({ topic: queue.name, messages: [{ key: "k", value: null, headers }] });
    });
    await received.until(2);
    const message = received.deliveries[1]?.message;
    expect([message?.body.length, message?.properties, message?.key?.toString()]).toEqual([
      0,
      [{ name: "tombstone", value: { type: "boolean", value: true } }],
      "k",
    ]);
    expect(message?.headers).toEqual([
      textHeader("tag", "one"),
      textHeader("tag", "two"),
      textHeader("count", "\0\0\0\x03"),
      { name: "raw", value: { type: "bytes", value: Buffer.of(0xff, 0x80) } },
    ]);
  });

  it("stops soon though the broker is away and was not told what is in hand", async () => {
    const queue = ownQueue();
    const sender = open(one());
    for (let number = 0; number < 20; number++) await sender.send(queue, makeMessage({ body: String(number) }));
    const { transport, way } = await cuttableTransport({ ...one(), retryWaitsMs: [0, 300], answerWithinMs: 2_000 });
    const held = [hold(), hold()];
    const received = consume(
      transport,
      queue,
      ({ message }) => held[Number(text(message))]?.verdict ?? Promise.resolve(done),
      {
        ...{ concurrency: 2, prefetch: 4 },
      },
    );
    await received.until(2);
    way.cut();
    // What they make room for is taken, and the broker cannot be told.
    for (const { give } of held) give(done);
    await eventually(() => received.incidents.some(({ kind }) => kind === "connection-lost"), { withinMs: 120_000 });
    const stoppedAt = Date.now();
    await received.stop();
    expect(Date.now() - stoppedAt).toBeLessThan(60_000);
    await way.close();
    const next = consume(open(one()), queue);
    await eventually(() => expect(new Set(next.bodies()).size).toBeGreaterThanOrEqual(18), { withinMs: 120_000 });
  });

  it("takes a group over from another client, where that stopped, once its last member has left", async () => {
    const queue = ownQueue();
    const transport = open(one());
    await transport.send(queue, makeMessage({ body: "theirs" }));
    const theirs = await joinGroup(kafka.brokers, queue);
    await eventually(() => theirs.values.includes("theirs"), { withinMs: 120_000 });
    const ours = consume(transport, queue);
    await eventually(() => ours.incidents.some(({ kind }) => kind === "connection-lost"), { withinMs: 120_000 });
    await theirs.leave();
    await transport.send(queue, makeMessage({ body: "ours" }));
    await ours.until(1);
    expect(ours.bodies()).toEqual(["ours"]);
    expect(ours.incidents.at(-1)?.kind).toBe("connection-restored");
  });

  it("reads two queues of one group, each by its own consumers", async () => {
    const orders = ownQueue();
    const payments = { ...ownQueue(), group: orders.group };
    const transport = open(kafka);
    const [some, others] = [consume(transport, orders), consume(open(kafka), payments)];
    for (let number = 0; number < 20; number++) {
      await transport.send(orders, makeMessage({ body: "order" }));
      await transport.send(payments, makeMessage({ body: "payment" }));
    }
    await Promise.all([some.until(20), others.until(20)]);
    expect([new Set(some.bodies()), new Set(others.bodies())]).toEqual([new Set(["order"]), new Set(["payment"])]);
  });

  it("says once when all that was there has been handed over and settled", async () => {
    const [empty, queue] = [ownQueue(), ownQueue()];
    const transport = open(kafka);
    for (const body of ["a", "b", "c"]) await transport.send(queue, makeMessage({ body }));
    const settledThen: number[] = [];
    let settled = 0;
    const handle = async () => {
      settled += 1;
      return done;
    };
    consume(transport, queue, handle, { listening: () => settledThen.push(settled) });
    await eventually(() => settledThen.length > 0, { withinMs: 120_000 });
    let isEmpty = false;
    consume(transport, empty, handle, { listening: () => (isEmpty = true) });
    await eventually(() => isEmpty, { withinMs: 120_000 });
    expect(settledThen).toEqual([3]);
  });

  it("keeps the membership of a consumer whose gate is closed", async () => {
    const queue = ownQueue();
    const gate = movableGate(1);
    // Longer than a busy machine may stand still: else it would be taken for dead for that.
    const sessionTimeoutMs = 6_000;
    const transport = open({ ...one(), sessionTimeoutMs });
    const received = consume(transport, queue, undefined, { gate });
    await transport.send(queue, makeMessage({ body: "a" }));
    await received.until(1);
    gate.move(0);
    await transport.send(queue, makeMessage({ body: "b" }));
    // Longer than the session of one who is dead.
    await pause(systemClock, sessionTimeoutMs * 1.5);
    expect(received.bodies()).toEqual(["a"]);
    gate.move(1);
    await received.until(2);
    expect(received.incidents).toEqual([]);
  });
});

/** Waits until what is committed for the queue's one partition is so. */
async function untilCommitted(
  brokers: readonly string[],
  { name, group }: Required<Address>,
  isSo: (metadata: string, offset: number) => boolean,
): Promise<void> {
  await eventually(
    async () => {
      const [topic] = await withAdmin(brokers, (admin) => admin.fetchOffsets({ groupId: group, topics: [name] }));
      const partition = topic?.partitions[0];
      return isSo(partition?.metadata ?? "", Number(partition?.offset ?? -1));
    },
    { withinMs: 120_000 },
  );
}

function movableGate(limit: number): Gate & { move(limit: number): void } {
  let current = limit;
  let listener = () => {};
  return {
    get limit() {
      return current;
    },
    onChange(changed) {
      listener = changed;
      return () => {};
    },
    move(next) {
      current = next;
      listener();
    },
  };
}
