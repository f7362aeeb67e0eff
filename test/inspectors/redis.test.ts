import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { done, makeMessage } from "../../src/domain/message.ts";
import { eventually } from "../../src/testing/eventually.ts";
import type { FindingCode } from "../../src/wiring/finding.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { matching } from "../matching.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedisServer, startRedis } from "../servers/redis.ts";
import { consume, openTransport } from "../transports/redis/workbench.ts";
import { lookAtPlace } from "./looking.ts";

describeServer("doctor on Redis", noRedisServer, () => {
  /** A server of its own: settings are the whole server's, and all its streams are looked at. */
  async function setup() {
    const server = await startRedis();
    onTestFinished(() => server.close());
    const client = new Redis(server.url);
    client.on("error", () => {});
    onTestFinished(() => client.disconnect());
    const look = (url = server.url) => lookAtPlace("redis", { url });
    return { server, client, look };
  }

  it("sees streams, how much is in each and for how long, whose letters they are, and changes nothing", async () => {
    const { server, client, look } = await setup();
    const transport = openTransport(server.url);
    for (const name of ["orders", "orders.billing.dlq", "orders.billing.dlq", "mails"]) {
      await transport.send({ name }, makeMessage({ body: "x" }));
    }
    await client.set("text", "no stream");
    const before = await client.info("keyspace");
    const { wiring, codes } = await look();
    expect(wiring.product).toMatch(/^Redis \d/u);
    expect(wiring.queues.map(({ name, depth }) => [name, depth])).toEqual([
      ["mails", 1],
      ["orders", 1],
      ["orders.billing.dlq", 2],
    ]);
    expect(wiring.queues.every(({ oldestAgeMs }) => oldestAgeMs !== null && oldestAgeMs < 600_000)).toBe(true);
    expect(wiring.queues[1]).toMatchObject({ deadLettering: { targets: ["orders.billing.dlq"] } });
    expect(wiring.queues[2]).toMatchObject({ deadLettering: null });
    expect(codes).toEqual([]);
    expect(await client.info("keyspace")).toBe(before);
    expect(await client.xinfo("GROUPS", "orders")).toEqual([]);
  });

  it.each<[FindingCode, settings: Readonly<Record<string, string>>]>([
    ["broker.forgets", { appendonly: "no" }],
    ["broker.flushes_late", { appendfsync: "everysec" }],
    ["broker.evicts", { maxmemory: "100mb", "maxmemory-policy": "allkeys-lru" }],
  ])("finds %s, with a command that mends it", async (code, settings) => {
    const { client, look } = await setup();
    expect((await look()).codes).toEqual([]);
    for (const [name, value] of Object.entries(settings)) await client.config("SET", name, value);
    const { findings } = await look();
    expect(findings).toMatchObject([{ code, queue: null, remedy: matching(/^redis-cli CONFIG SET /u) }]);
    const [command = "", ...args] = (findings[0]?.remedy ?? "").replace("redis-cli ", "").split(" ");
    await client.call(command, args);
    await eventually(async () => expect((await look()).codes).toEqual([]));
  });

  it("says nothing of eviction where it cannot happen", async () => {
    const { client, look } = await setup();
    await client.config("SET", "maxmemory-policy", "allkeys-lru");
    expect((await look()).codes).toEqual([]);
    await client.config("SET", "maxmemory-policy", "volatile-ttl");
    await client.config("SET", "maxmemory", "100mb");
    expect((await look()).codes).toEqual([]);
  });

  it("finds a stream that was trimmed of what a group had not read, and none that was worked off", async () => {
    const { server, client, look } = await setup();
    const transport = openTransport(server.url, { pollMs: 50 });
    for (const name of ["trimmed", "worked-off"]) {
      for (const body of ["a", "b", "c"]) await transport.send({ name }, makeMessage({ body }));
    }
    const consuming = consume(transport, "worked-off", () => done);
    await eventually(async () => (await client.xlen("worked-off")) === 0);
    await consuming.stop();
    await client.xgroup("CREATE", "trimmed", "billing", "0");
    await client.xreadgroup("GROUP", "billing", "somebody", "COUNT", 1, "STREAMS", "trimmed", ">");
    expect((await look()).codes).toEqual([]);
    await client.xtrim("trimmed", "MAXLEN", 0);
    expect((await look()).findings).toMatchObject([
      { code: "queue.trimmed", queue: "trimmed", sentence: matching(/`billing`/u) },
    ]);
  });

  it("needs no more than the rights it asks for, and says so where settings may not be read", async () => {
    const { server, client, look } = await setup();
    await client.call("ACL", ["SETUSER", "dlo", "on", ">hunter2", "~*", "+@read", "+@connection", "+info", "+time"]);
    await client.xadd("orders", "*", "body", "x");
    const url = server.url.replace("//", "//dlo:hunter2@");
    const blind = await look(url);
    expect([blind.codes, blind.wiring.queues.length]).toEqual([["rights.missing"], 1]);
    const [command = "", ...args] = (blind.findings[0]?.remedy ?? "").replace("redis-cli ", "").split(" ");
    await client.call(command, args);
    expect((await look(url)).codes).toEqual([]);
  });

  it.each([
    ["nobody there", () => "redis://u:hunter2@127.0.0.1:2", "TRANSPORT_UNAVAILABLE", /^(?!.*hunter2).*ECONNREFUSED/u],
    ["a name nobody knows", (url: string) => url.replace("//", "//u:hunter2@"), "ACCESS_REFUSED", /^(?!.*hunter2)/u],
    ["something that is no address", () => "hunter2", "INVALID_CONFIG", /^(?!.*hunter2)/u],
  ])("says what is wrong with %s", async (_about, urlOf, code, message) => {
    const { server, look } = await setup();
    await expect(look(urlOf(server.url))).rejects.toMatchObject({ code, message: matching(message) });
  });

  it("does not wait for ever for a server that is half open", async () => {
    const { server } = await setup();
    const proxy = await startFaultProxy({ port: Number(new URL(server.url).port) });
    onTestFinished(() => proxy.close());
    proxy.break({ accept: "silence" });
    const looking = lookAtPlace("redis", { url: proxy.through(server.url) }, 500);
    await expect(looking).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
  });
});
