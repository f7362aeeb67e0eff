import { describe, expect, it, onTestFinished } from "vitest";
import { type Header, makeMessage, textHeader } from "../../src/domain/message.ts";
import { peekQueue } from "../../src/office/intake/peek.ts";
import { openNats } from "../../src/sources/nats-source.ts";
import type { OpenedSource, OpenParts } from "../../src/sources/opened-source.ts";
import type { Peek, Peeked } from "../../src/sources/peek.ts";
import { postgresSource } from "../../src/sources/postgres-source.ts";
import { openRabbitmq } from "../../src/sources/rabbitmq-source.ts";
import { openRedis } from "../../src/sources/redis-source.ts";
import { openSqs } from "../../src/sources/sqs-source.ts";
import { systemHost } from "../../src/system/host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { RedisConnection } from "../../src/transports/redis/connection.ts";
import { describeServer } from "../servers/describe-server.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { noNats } from "../servers/nats.ts";
import { noRedis } from "../servers/redis.ts";
import { useNats } from "../servers/use-nats.ts";
import { useRedis } from "../servers/use-redis.ts";
import { openStranger, openTransport } from "../transports/nats/workbench.ts";
import { testRoom } from "./letters.ts";

const { clock } = systemHost;
const limits = { most: 3, bytesEach: 100, signal: new AbortController().signal };
const bodies = (found: readonly Peeked[] | undefined) =>
  found?.map(({ message }) => Buffer.from(message.body).toString());
const large = "x".repeat(101);

function peekingBy(peek: Peek | undefined, time = fakeClock()) {
  const transport = { broker: "postgres" } as OpenedSource["transport"];
  const open = async () => ({ transport, ...(peek === undefined ? {} : { peek }) });
  const request = { source: "s", queue: "orders.dlq", most: 2 };
  return { time, look: () => peekQueue({ open, room: testRoom(), clock: time }, request) };
}

describe("a look into a dead-letter queue", () => {
  it("makes of messages what a drain would, no more of them than were asked for", async () => {
    const headers = [
      textHeader("class", "TimeoutError"),
      textHeader("message", "took 5 s"),
      textHeader("queue", "orders"),
    ];
    const message = makeMessage({ body: "{}", headers });
    const { look } = peekingBy(async () => [1, 2, 3].map((n) => ({ position: `${n}`, message })));
    const letters = (await look()).map(({ letter }) => letter);
    expect(letters).toMatchObject([1, 2].map((n) => ({ queue: "orders", content: { position: `${n}` } })));
    expect(letters[0]).toMatchObject({
      error: { class: "TimeoutError", message: "took 5 s" },
      drainedFrom: "orders.dlq",
    });
  });

  it("is over after ten seconds, for whoever asked and for the one who reads", async () => {
    let signal: AbortSignal | undefined;
    const { look, time } = peekingBy((_queue, { signal: given }) => {
      signal = given;
      return new Promise(() => {});
    });
    const refused = expect(look()).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
    await time.advance(9_999);
    expect(signal?.aborted).toBe(false);
    await time.advance(1);
    await refused;
    expect(signal?.aborted).toBe(true);
  });

  it("is refused where looking would count, before anybody is asked", async () => {
    const nowhere = { clock, url: "amqp://127.0.0.1:1" } as OpenParts;
    const [rabbitmq, sqs] = [
      await openRabbitmq(nowhere),
      await openSqs({ clock, url: "sqs://127.0.0.1:1" } as OpenParts),
    ];
    onTestFinished(async () => void (await Promise.all([rabbitmq.close(), sqs.close()])));
    for (const peek of [rabbitmq.peek, sqs.peek, undefined]) {
      const { look } = peekingBy(peek);
      await expect(look()).rejects.toMatchObject({
        code: "PEEK_REFUSED",
        details: { hint: expect.stringContaining("dlo drain") as unknown },
      });
    }
  });
});

onEachDatabase("a look into a queue on PostgreSQL", (tested) => {
  it("shows what would be taken first, and changes no row", async () => {
    const { database } = tested;
    const transport = postgresTransport({ database });
    onTestFinished(() => transport.close());
    const source = postgresSource(transport, { database, schema: "dlo", clock });
    const queue = `looked-${crypto.randomUUID()}'; drop table x --.dlq`;
    const headers: readonly Header[] = [{ name: "n", value: { type: "integer", value: 9_007_199_254_740_993n } }];
    for (const body of ["first", large, "third", "fourth"])
      await transport.send({ name: queue }, makeMessage({ body, headers, key: "k" }));
    const rows = async () =>
      (await database.query("select m.*, xmin::text from dlo.messages m where queue = $1 order by id", [queue])).rows;
    const before = await rows();
    const found = await source.peek?.(queue, limits);
    expect(bodies(found)).toEqual(["first", "", "third"]);
    expect(found?.map(({ missingBodyBytes }) => missingBodyBytes)).toEqual([undefined, 101, undefined]);
    expect(found?.[0]).toMatchObject({ message: { headers }, position: expect.stringMatching(/^\d+$/) as unknown });
    expect(await rows()).toEqual(before);
    expect(before).toHaveLength(4);
  });

  it("makes no schema where there is none", async () => {
    const { database } = tested;
    const transport = postgresTransport({ database });
    onTestFinished(() => transport.close());
    const schema = `none_${crypto.randomUUID().slice(0, 8)}`;
    const source = postgresSource(transport, { database, schema, clock });
    await expect(source.peek?.("orders.dlq", limits)).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND" });
    const { rows } = await database.query("select 1 from pg_namespace where nspname = $1", [schema]);
    expect(rows).toEqual([]);
  });
});

describeServer("a look into a stream of Redis", noRedis, () => {
  const redis = useRedis();

  it("shows what the office has not read, without a group, and leaves large entries where they are", async () => {
    const opened = await openRedis({ url: redis.url, clock } as OpenParts);
    const way = { url: redis.url, tls: null, name: "test", silenceMs: 10_000, random: systemHost.random };
    const connection = new RedisConnection(way);
    onTestFinished(async () => void (await Promise.all([opened.close(), connection.close()])));
    const stream = `looked-${crypto.randomUUID()}.dlq`;
    await expect(opened.peek?.(stream, limits)).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND" });
    for (const body of ["first", large, "third", "fourth"]) await connection.call("XADD", [stream, "*", "body", body]);
    const facts = async () => JSON.stringify([await connection.call("XINFO", ["STREAM", stream, "FULL"])]);
    const before = await facts();
    const found = await opened.peek?.(stream, limits);
    expect(bodies(found)).toEqual(["first", "", "third"]);
    expect(found?.[1]?.missingBodyBytes).toBe("body".length + large.length);
    expect(await facts()).toBe(before);

    await connection.call("XGROUP", ["CREATE", stream, "dlo-office", "0"]);
    await connection.call("XREADGROUP", ["GROUP", "dlo-office", "one", "COUNT", 2, "STREAMS", stream, ">"]);
    const pending = await facts();
    expect(bodies(await opened.peek?.(stream, limits))).toEqual(["third", "fourth"]);
    expect(await facts()).toBe(pending);
  });
});

describeServer("a look into a stream of NATS", noNats, () => {
  const nats = useNats();

  it("shows messages by their numbers, and makes neither a stream nor a consumer", async () => {
    const opened = await openNats({ url: nats.url, clock } as OpenParts);
    onTestFinished(() => opened.close());
    const stranger = await openStranger(nats.url);
    const [dead, name] = [`dead-${crypto.randomUUID()}`, `orders-${crypto.randomUUID()}`];
    await expect(opened.peek?.(dead, limits)).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND" });
    await stranger.manager.streams.add({ name: dead, subjects: [`${dead}.*`] });
    for (const [n, body] of ["first", "second", large, "fourth"].entries())
      await stranger.publish(n === 1 ? `${dead}.other` : `${dead}.this`, body);
    await openTransport(nats.url).send({ name: `${name}.dlq` }, makeMessage({ body: "ours" }));
    const found = await opened.peek?.(`${dead}.this`, limits);
    expect(bodies(found)).toEqual(["first", "", "fourth"]);
    expect(found?.map(({ position }) => position)).toEqual([1, 3, 4].map((seq) => `${dead}:${seq}`));
    expect(bodies(await opened.peek?.(`${name}.dlq`, limits))).toEqual(["ours"]);
    expect(bodies(await opened.peek?.(`${name}.dlq`, limits))).toEqual(["ours"]);
    const { state } = await stranger.manager.streams.info(dead);
    expect(state).toMatchObject({ messages: 4, consumer_count: 0 });
  });
});
