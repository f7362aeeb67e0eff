import { expect, it, onTestFinished } from "vitest";
import { makeId, showId } from "../../src/domain/ids.ts";
import { type Message, makeMessage } from "../../src/domain/message.ts";
import { showSend } from "../../src/domain/send-mark.ts";
import { defaultSchema } from "../../src/schema/migrate.ts";
import { loggedLine } from "../../src/sources/logged-line.ts";
import { markedLine, plainLine, type SendLine } from "../../src/sources/send-line.ts";
import { systemClock } from "../../src/system/host.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { markedSends } from "../../src/transports/postgres/marked-sends.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { describeServer } from "../servers/describe-server.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { noKafka } from "../servers/kafka.ts";
import { noNats } from "../servers/nats.ts";
import { noRedis } from "../servers/redis.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { useNats } from "../servers/use-nats.ts";
import { useRedis } from "../servers/use-redis.ts";
import { kafkaDriver, openNats, openRedis, readAll } from "./brokers.ts";
import { bodiesOf } from "./world.ts";

function newReplay(): Uint8Array {
  return makeId(Date.now(), crypto.randomUUID());
}

function marked(replay: Uint8Array, n: number): Message {
  return makeMessage({ body: `letter ${n}`, headers: { "dlo-replay": showSend({ replay, n }) } });
}

/** What became of the first `count` sends of an intent. */
async function findOut(line: SendLine, queue: string, { note = null as string | null, intent = 1, count = 3 } = {}) {
  const lost = Array.from({ length: count }, (_, index) => ({ n: index + 1, intent, queue, note }));
  return Object.fromEntries(await line.findOut(lost));
}

onEachDatabase("evidence of sends to PostgreSQL", (tested) => {
  tellsOfEachSend(() => ({
    lineOf: (replay) =>
      markedLine(markedSends({ database: tested.database, schema: defaultSchema, clock: systemClock, replay })),
    transport: postgresTransport({ database: tested.database }),
  }));
});

describeServer("evidence of sends to Redis", noRedis, () => {
  const redis = useRedis();
  tellsOfEachSend(() => {
    const { transport, line, close } = openRedis(redis.url);
    onTestFinished(close);
    return { lineOf: line, transport };
  });
});

describeServer("evidence of sends to NATS", noNats, () => {
  const nats = useNats();

  function setup() {
    const { transport, line, close } = openNats(nats.url);
    onTestFinished(close);
    const [queue, replay] = [crypto.randomUUID(), newReplay()];
    return { transport, lineOf: () => line(replay), queue, send: (n: number) => marked(replay, n) };
  }

  it("tells of each whether it happened, and sends nothing by asking", async () => {
    const { transport, lineOf, queue, send } = setup();
    const line = lineOf();
    const note = await line.note(queue);
    await Promise.all([1, 2].map((n) => line.send(queue, send(n), { n, intent: 1 })));
    expect(await findOut(line, queue, { note })).toEqual({ 1: "sent", 2: "sent", 3: "unsent" });
    expect(bodiesOf(await readAll(transport, queue, 2)).toSorted()).toEqual(["letter 1", "letter 2"]);
    // What was consumed is known to have been sent, too.
    expect(await findOut(lineOf(), queue, { note })).toEqual({ 1: "sent", 2: "sent", 3: "unsent" });
  });

  it("sends once what is sent again under another intent, though the first sender wakes up late", async () => {
    const { transport, lineOf, queue, send } = setup();
    const [asleep, successor] = [lineOf(), lineOf()];
    const note = await asleep.note(queue);
    expect(await findOut(successor, queue, { note, count: 1 })).toEqual({ 1: "unsent" });
    await successor.send(queue, send(1), { n: 1, intent: 2 });
    await asleep.send(queue, send(1), { n: 1, intent: 1 });
    expect(bodiesOf(await readAll(transport, queue, 1))).toEqual(["letter 1"]);
  });

  it("does not claim to know what the stream may have forgotten", async () => {
    const { lineOf, queue } = setup();
    const line = lineOf();
    const note = JSON.parse((await line.note(queue)) ?? "{}") as { at: number; windowMs: number };
    const asked = async (change: object) => findOut(line, queue, { note: JSON.stringify({ ...note, ...change }) });
    expect(await asked({})).toEqual({ 1: "unsent", 2: "unsent", 3: "unsent" });
    for (const change of [{ at: note.at - note.windowMs }, { created: "earlier" }, { server: "another" }]) {
      expect(await asked(change)).toEqual({});
    }
  });
});

interface Marking {
  readonly lineOf: (replay: Uint8Array) => SendLine;
  readonly transport: Transport;
}

/** Where the mark is one step with the send. */
function tellsOfEachSend(open: () => Marking): void {
  it("tells of each whether it happened", async () => {
    const { lineOf } = open();
    const queue = crypto.randomUUID();
    const replay = newReplay();
    const line = lineOf(replay);
    await Promise.all([1, 2].map((n) => line.send(queue, marked(replay, n), { n, intent: 1 })));
    expect(await findOut(line, queue)).toEqual({ 1: "sent", 2: "sent", 3: "unsent" });
  });

  it("keeps a sender that wakes up late from sending what was found not to be there", async () => {
    const { lineOf, transport } = open();
    const queue = crypto.randomUUID();
    const replay = newReplay();
    const [asleep, successor] = [lineOf(replay), lineOf(replay)];
    expect(await findOut(successor, queue, { count: 1 })).toEqual({ 1: "unsent" });
    const late = asleep.send(queue, marked(replay, 1), { n: 1, intent: 1 });
    await expect(late).rejects.toMatchObject({ code: "DELIVERY_LOST" });
    await successor.send(queue, marked(replay, 1), { n: 1, intent: 2 });
    expect(await findOut(successor, queue, { intent: 2, count: 1 })).toEqual({ 1: "sent" });
    expect(bodiesOf(await readAll(transport, queue, 1))).toEqual(["letter 1"]);
  });

  it("sends once what is asked for twice under one intent", async () => {
    const { lineOf, transport } = open();
    const queue = crypto.randomUUID();
    const replay = newReplay();
    for (const line of [lineOf(replay), lineOf(replay)]) {
      await line.send(queue, marked(replay, 1), { n: 1, intent: 1 });
    }
    expect(bodiesOf(await readAll(transport, queue, 1))).toEqual(["letter 1"]);
  });
}

describeServer("evidence of sends to Kafka", noKafka, () => {
  const kafka = useKafka();

  /** A topic that was read by `readers`, and lines of one replay to it. */
  async function topicRead() {
    const transport = kafkaTransport({ brokers: kafka.brokers, partitions: 2, retryWaitsMs: [0, 1_000] });
    const driver = kafkaDriver(kafka.brokers);
    onTestFinished(async () => {
      await Promise.all([transport.close(), driver.close()]);
    });
    const topic = `orders-${crypto.randomUUID()}`;
    await transport.send({ name: topic }, makeMessage({ body: "an earlier one" }));
    await readAll(transport, topic, 1);
    const replay = newReplay();
    const plain = plainLine((name, message) => transport.send({ name }, message));
    const name = `dlo.${showId("replay", replay)}.test`;
    const lineOf = (isOurs = true) => loggedLine(driver, { replay, plain, name, isOurs: async () => isOurs });
    const send = async (line: SendLine, ...numbers: readonly number[]) => {
      for (const n of numbers) await line.send(topic, marked(replay, n), { n, intent: 1 });
    };
    return { transport, driver, topic, lineOf, send };
  }

  it("tells what was committed from what was not sent, and lets nobody send late", async () => {
    const { transport, topic, lineOf, send } = await topicRead();
    const dead = lineOf();
    const note = await dead.note(topic);
    await send(dead, 1, 2);
    await dead.commit();
    const successor = lineOf();
    expect(await findOut(successor, topic, { note })).toEqual({ 1: "sent", 2: "sent", 3: "unsent" });
    await expect(send(dead, 3)).rejects.toBeDefined();
    await successor.note(topic);
    await send(successor, 3);
    await successor.commit();
    expect(bodiesOf(await readAll(transport, topic, 3)).toSorted()).toEqual(["letter 1", "letter 2", "letter 3"]);
  });

  it("takes what a dead sender did not commit for unsent where only readers of committed messages are", async () => {
    const { transport, topic, lineOf, send } = await topicRead();
    const dead = lineOf();
    const note = await dead.note(topic);
    await send(dead, 1);
    expect(await findOut(lineOf(), topic, { note, count: 1 })).toEqual({ 1: "unsent" });
    await expect(dead.commit()).rejects.toBeDefined();
    expect(bodiesOf(await readAll(transport, topic, 0))).toEqual([]);
  });

  it("leaves it in doubt where somebody may have read it all the same", async () => {
    const { topic, lineOf, send } = await topicRead();
    const dead = lineOf();
    const note = await dead.note(topic);
    await send(dead, 1);
    expect(await findOut(lineOf(false), topic, { note, count: 2 })).toEqual({ 2: "unsent" });
  });

  it("says nothing of what may have been there before the log was trimmed", async () => {
    const { driver, topic, lineOf, send } = await topicRead();
    const dead = lineOf();
    const note = await dead.note(topic);
    await send(dead, 1, 2);
    await dead.commit();
    for (const partition of [0, 1]) {
      await driver.trim({ topic, partition, offset: await driver.edgeOffset({ topic, partition }, "written") });
    }
    expect(await findOut(lineOf(), topic, { note })).toEqual({});
  });
});
