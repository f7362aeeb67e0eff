import { expect, it, onTestFinished } from "vitest";
import { type Delivery, done, makeMessage, type Verdict } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import type { Incident, Transport } from "../../../src/transports/transport.ts";
import { startFaultProxy } from "../../faults/proxy.ts";
import { rewritingProxy } from "../../faults/rewriting-proxy.ts";
import { matching } from "../../matching.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRedisServer, type RedisServer, startRedis } from "../../servers/redis.ts";
import { consume, openClient, openLink, openTransport } from "./workbench.ts";

const name = "orders";

async function startServer(settings?: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(settings);
  onTestFinished(() => server.close());
  return server;
}

/** Sends until it is known to have arrived, as a careful producer does. */
async function insist(transport: Transport, body: string): Promise<void> {
  await eventually(() => transport.send({ name }, makeMessage({ body })), { withinMs: 120_000 });
}

describeServer("when Redis fails", noRedisServer, () => {
  it("loses nothing of what was sent, and goes on, when the server is killed while it consumes", async () => {
    const server = await startServer();
    const transport = openTransport(server.url, { pollMs: 50 });
    const seen = new Set<string>();
    const handle = async ({ message }: Delivery) => {
      await new Promise((resolve) => setImmediate(resolve));
      seen.add(Buffer.from(message.body).toString());
      return done;
    };
    // What was in hand when the server died comes again soon.
    const consuming = consume(transport, name, handle, { leaseMs: 1_000 });
    const sent: string[] = [];
    let sending = true;
    const producing = (async () => {
      while (sending) {
        const burst = Array.from({ length: 20 }, (_, index) => `${sent.length + index}`);
        await Promise.all(burst.map((body) => insist(transport, body)));
        sent.push(...burst);
      }
    })();
    for (let kills = 1; kills <= 3; kills++) {
      await eventually(() => seen.size > kills * 200, { withinMs: 120_000 });
      await server.kill();
      await server.start();
    }
    sending = false;
    await producing;
    await eventually(() => expect(sent.filter((body) => !seen.has(body))).toEqual([]), { withinMs: 120_000 });
    expect(consuming.kinds()).toContain("connection-lost");
    expect(consuming.kinds()).toContain("connection-restored");
    await consuming.stop();
  });

  it("goes on when the server forgets its scripts", async () => {
    const server = await startServer();
    const [client, link] = [openClient(server.url), openLink(server.url)];
    const leased = { leaseMs: 60_000, order: "none" } as const;
    for (const body of ["a", "b"]) {
      await link.send({ name }, makeMessage({ body }), 0);
      await client.script("FLUSH");
      const [taken] = await link.take({ name }, 1, leased);
      await client.script("FLUSH");
      await link.acknowledge(taken === undefined ? [] : [taken.receipt]);
    }
    expect(await client.xlen(name)).toBe(0);
  });

  it.each(["take", "settlement"])("does nothing twice when the answer to a %s is lost", async (what) => {
    const server = await startServer();
    const proxy = await startFaultProxy({ port: Number(new URL(server.url).port) });
    onTestFinished(() => proxy.close());
    const [client, transport] = [openClient(server.url), openTransport(proxy.through(server.url), { pollMs: 50 })];
    const faults = { take: "delayed-entries", settlement: "orders.dlq" };
    const handle = async ({ message }: Delivery): Promise<Verdict> => {
      const isSecond = Buffer.from(message.body).toString() === "second";
      if (isSecond && what === "settlement") proxy.break({ loseReplyTo: faults.settlement });
      return { kind: "dead-letter", to: { name: "orders.dlq" }, message };
    };
    // What nobody heard that they have comes again after that; what they have does not, however busy the machine.
    const consuming = consume(transport, name, handle, { leaseMs: 5_000 });
    const deadAndLeft = async () => [await client.xlen("orders.dlq"), await client.xlen(name)];
    // By then the server knows the scripts: to be told them is an answer, too.
    await transport.send({ name }, makeMessage({ body: "first" }));
    await eventually(async () => expect(await deadAndLeft()).toEqual([1, 0]));
    if (what === "take") proxy.break({ loseReplyTo: faults.take });
    // By a way of its own: the connection that loses an answer would take that of a send along, which is then sent again.
    await openTransport(server.url).send({ name }, makeMessage({ body: "second" }));
    await eventually(async () => expect(await deadAndLeft()).toEqual([2, 0]));
    await eventually(() => proxy.endedConnections >= 1);
    await consuming.stop();
    expect(consuming.bodies).toEqual(["first", "second"]);
    expect(await deadAndLeft()).toEqual([2, 0]);
  });

  it("notices a server that swallows everything, and goes on when it answers again", async () => {
    const server = await startServer();
    const proxy = await startFaultProxy({ port: Number(new URL(server.url).port) });
    onTestFinished(() => proxy.close());
    const transport = openTransport(proxy.through(server.url), { pollMs: 50, answerWithinMs: 1_000 });
    const consuming = consume(transport, name);
    await insist(transport, "before");
    await eventually(() => consuming.bodies.includes("before"), { withinMs: 120_000 });
    proxy.break({ swallowed: ["requests", "replies"] });
    await eventually(() => consuming.kinds().has("connection-lost"));
    proxy.heal();
    await insist(transport, "after");
    await eventually(() => consuming.bodies.includes("after"), { withinMs: 120_000 });
    expect(consuming.kinds()).toContain("connection-restored");
    await consuming.stop();
  });

  it("reports answers that it can't read, and hands the messages over once it can", async () => {
    const server = await startServer();
    let isOdd = true;
    const odd = (answer: string) => (isOdd ? answer.replace("%1\r\n", "*1\r\n*1\r\n*2\r\n") : answer);
    const transport = openTransport(await rewritingProxy(server.url, odd), { pollMs: 50 });
    const incidents: Incident[] = [];
    const report = (incident: Incident) => void incidents.push(incident);
    const consuming = consume(transport, name, () => done, { leaseMs: 1_000, report });
    await openTransport(server.url).send({ name }, makeMessage({ body: "unread" }));
    const lost = { kind: "connection-lost", error: { code: "UNKNOWN_ANSWER", message: matching(/XREADGROUP/u) } };
    await eventually(() => expect(incidents).toMatchObject([lost]));
    isOdd = false;
    await eventually(() => consuming.bodies.includes("unread"));
    await eventually(() => expect(incidents).toMatchObject([lost, { kind: "connection-restored" }]));
    await consuming.stop();
  });

  it("refuses a cluster, for good", async () => {
    const server = await startServer(["--cluster-enabled", "yes"]);
    const transport = openTransport(server.url);
    const refused = { code: "INVALID_OPTION", message: matching(/Redis Cluster/u) };
    await expect(transport.send({ name }, makeMessage({}))).rejects.toMatchObject(refused);
    await expect(consume(transport, name).over).rejects.toMatchObject(refused);
  });

  it("goes on taking and acknowledging when memory is short, which makes room again", async () => {
    const server = await startServer(["--maxmemory", "3mb"]);
    const [client, link] = [openClient(server.url), openLink(server.url)];
    const leased = { leaseMs: 60_000, order: "none" } as const;
    const message = makeMessage({ body: new Uint8Array(20_000) });
    const fill = async () => {
      for (;;) await link.send({ name }, message, 0);
    };
    await expect(fill()).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
    const [first, ...others] = await link.take({ name }, 10, leased);
    if (first === undefined) throw new Error("Some were sent.");
    const sent = await client.xlen(name);
    await link.acknowledge([first, ...others].map(({ receipt }) => receipt));
    expect(await client.xlen(name)).toBe(sent - 1 - others.length);
  });

  it("says so when a password is refused, or memory is short", async () => {
    const server = await startServer(["--maxmemory", "1mb"]);
    await openClient(server.url).config("SET", "requirepass", "secret");
    const stranger = openTransport(server.url);
    await expect(stranger.send({ name }, makeMessage({}))).rejects.toMatchObject({ code: "ACCESS_REFUSED" });
    const known = openTransport(server.url.replace("//", "//:secret@"));
    const message = makeMessage({ body: new Uint8Array(100_000) });
    await expect(
      (async () => {
        for (let sent = 0; sent < 20; sent++) await known.send({ name }, message);
      })(),
    ).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE", message: matching(/out of memory/u) });
  });
});
