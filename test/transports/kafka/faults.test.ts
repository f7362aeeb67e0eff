import { afterAll, beforeAll, expect, it } from "vitest";
import { pause } from "../../../src/domain/clock.ts";
import { type Delivery, makeMessage } from "../../../src/domain/message.ts";
import { queueNames } from "../../../src/domain/wire.ts";
import { createConsumer } from "../../../src/runtime/consumer.ts";
import { systemClock } from "../../../src/system/host.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noKafkaServer, startKafka } from "../../servers/kafka.ts";
import { type Consuming, consume, open, ownQueue } from "./bench.ts";
import { cuttableTransport } from "./cuttable.ts";
import { makeTopic, readUpTo } from "./oracle.ts";
import { Tally } from "./tally.ts";

const ordered = { order: "key", concurrency: 8, prefetch: 16 } as const;
const outage = ["connection-lost", "connection-restored"] as const;
const soon = { withinMs: 120_000 };

describeServer("Kafka faults", noKafkaServer, () => {
  let server: Awaited<ReturnType<typeof startKafka>>;
  const kafka = () => ({ brokers: server.brokers, sessionTimeoutMs: 3_000, partitions: 6, retryWaitsMs: [0, 300] });

  beforeAll(async () => {
    server = await startKafka();
  });
  afterAll(() => server?.close());

  it("loses nothing and keeps the order of each key while consumers come and go fifty times", async () => {
    const queue = ownQueue();
    const tally = new Tally({ keys: 12, retries: 0.05 });
    const producer = open(kafka());
    const consumers: Consuming[] = [];
    // However busy the machine: whoever leaves says so, and nobody is to be taken for dead.
    const patient = { ...kafka(), sessionTimeoutMs: 30_000 };
    const come = () => void consumers.push(consume(open(patient), queue, tally.handle, ordered));
    const go = async () => void (await consumers.splice(Math.floor(Math.random() * consumers.length), 1)[0]?.stop());
    await tally.send(producer, queue);
    come();
    for (let changes = 0; changes < 50; changes++) {
      const grows = consumers.length < 2 || (consumers.length < 5 && Math.random() < 0.5);
      await Promise.all([grows ? come() : go(), tally.send(producer, queue), pause(systemClock, 150)]);
    }
    await eventually(() => expect(tally.missing).toEqual([]), soon);
    expect(tally.outOfOrder).toEqual([]);
    // Nobody was taken for dead, so nothing had to be repeated.
    expect(tally.duplicates).toBe(0);
  });

  it("loses nothing and keeps the order of each key while consumers die", async () => {
    const queue = ownQueue();
    const tally = new Tally({ keys: 12, retries: 0.05 });
    const producer = open(kafka());
    const survivor = consume(open(kafka()), queue, tally.handle, ordered);
    for (let deaths = 0; deaths < 8; deaths++) {
      const { transport, way } = await cuttableTransport({ ...kafka(), sessionTimeoutMs: 1_000 });
      const doomed = consume(transport, queue, tally.handle, ordered);
      await tally.send(producer, queue);
      await eventually(async () => {
        await tally.send(producer, queue);
        return doomed.deliveries.length >= 5;
      }, soon);
      way.cut();
      void way.close();
    }
    await eventually(() => expect(tally.missing).toEqual([]), soon);
    expect(tally.outOfOrder).toEqual([]);
    expect(survivor.deliveries.length).toBeGreaterThan(0);
  });

  it("loses nothing and keeps the order of each key while the broker is killed and started again", async () => {
    const queue = ownQueue();
    const tally = new Tally({ keys: 12, retries: 0.05 });
    const producer = open(kafka());
    const consumers = [1, 2].map(() => consume(open(kafka()), queue, tally.handle, ordered));
    for (let kills = 0; kills < 3; kills++) {
      for (let rounds = 0; rounds < 10; rounds++) await tally.send(producer, queue);
      const sending = tally.send(producer, queue);
      await server.kill();
      await server.start();
      await sending;
    }
    await eventually(() => expect(tally.missing).toEqual([]), soon);
    expect(tally.outOfOrder).toEqual([]);
    for (const { incidents } of consumers) {
      const kinds = () => incidents.map(({ kind }) => kind).filter((kind) => kind.startsWith("connection"));
      await eventually(() => kinds().at(-1) === "connection-restored", soon);
      // Once each, however often it was tried in between.
      for (const [index, kind] of kinds().entries()) expect(kind).toBe(outage[index % 2]);
    }
  });

  it("sends a message once, though the answers of the broker get lost", async () => {
    const { name: topic } = ownQueue();
    await makeTopic(server.brokers, topic);
    const { transport, way } = await cuttableTransport(kafka());
    const count = 300;
    const send = (number: number) => transport.send({ name: topic }, makeMessage({ body: String(number) }));
    // One after the other, however late a busy machine comes to them: each loses an answer of its own.
    let losing = Promise.resolve();
    const loseOne = (number: number) => {
      losing = losing.then(() => {
        way.loseNextAnswer();
        return send(number);
      });
      return losing;
    };
    const sends = Array.from({ length: count }, async (_, number) => {
      await pause(systemClock, number * 5);
      await (number % 30 === 10 ? loseOne(number) : send(number));
    });
    await Promise.all(sends);
    expect(way.lostAnswers).toBeGreaterThan(5);
    await transport.send({ name: topic }, makeMessage({ body: "the end" }));
    const bodies = (await readUpTo(server.brokers, topic, "the end")).map(({ value }) => value?.toString());
    expect(bodies.length).toBe(count + 1);
    expect(new Set(bodies).size).toBe(count + 1);
    await transport.close();
    await way.close();
  });

  it("quarantines the one message that kills its consumer, and none of those that were in hand with it", async () => {
    const queue = ownQueue();
    const sender = open(kafka());
    for (let number = 0; number < 20; number++) {
      await sender.send(queue, makeMessage({ body: JSON.stringify({ kills: number === 7 }) }));
    }
    const processed = new Set<string>();
    const killed = () =>
      consume(sender, { name: queueNames.quarantine(`${queue.name}.${queue.group}`, "poison"), group: "watch" });
    const quarantined = killed();
    for (let lives = 0; quarantined.deliveries.length === 0 && lives < 12; lives++) {
      const { transport, way } = await cuttableTransport({ ...kafka(), sessionTimeoutMs: 1_000 });
      let isDead = false;
      const consumer = createConsumer<{ kills: boolean }>({
        ...{ transport, queue, concurrency: 5, prefetch: 10 },
        handler: ({ payload, message }) => {
          if (isDead) return new Promise(() => {});
          if (!payload.kills)
            return Promise.resolve(void processed.add(Buffer.from(message.body).toString() + processed.size));
          isDead = true;
          way.cut();
          return new Promise(() => {});
        },
      });
      void consumer.start();
      await eventually(() => isDead || quarantined.deliveries.length > 0, soon);
      void way.close();
    }
    expect(quarantined.deliveries.map(({ message }: Delivery) => Buffer.from(message.body).toString())).toEqual([
      JSON.stringify({ kills: true }),
    ]);
    await eventually(() => processed.size >= 19, soon);
  });
});
