import { expect, it, onTestFinished } from "vitest";
import { done, makeMessage } from "../../../src/domain/message.ts";
import { systemClock } from "../../../src/system/host.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { NatsConnection } from "../../../src/transports/nats/connection.ts";
import { Puller } from "../../../src/transports/nats/puller.ts";
import type { Transport } from "../../../src/transports/transport.ts";
import { startFaultProxy } from "../../faults/proxy.ts";
import { rewritingProxy } from "../../faults/rewriting-proxy.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { type NatsServer, noNatsServer, startNats } from "../../servers/nats.ts";
import { consume, openLink, openStranger, openTransport } from "./workbench.ts";

const name = "orders";

async function startServer(settings?: string): Promise<NatsServer> {
  const server = await startNats(settings);
  onTestFinished(() => server.close());
  return server;
}

/** Sends until it is known to have arrived, as a careful producer does. */
async function insist(transport: Transport, body: string): Promise<void> {
  await eventually(() => transport.send({ name }, makeMessage({ body })), { withinMs: 120_000 });
}

describeServer("when NATS fails", noNatsServer, () => {
  it("reports answers that it can't read", async () => {
    const server = await startServer();
    const odd = (answer: string) => answer.replaceAll("NATS/1.0 404 ", "NATS/1.0 204 ");
    const link = openLink(await rewritingProxy(server.url, odd));
    const asking = link.take({ name }, 1, { leaseMs: 30_000, order: "none" });
    await expect(asking).rejects.toMatchObject({ code: "UNKNOWN_ANSWER" });
  });

  it("loses nothing of what was sent, and goes on, when the server is killed while it consumes", async () => {
    const server = await startServer();
    const transport = openTransport(server.url, { pollMs: 50, ackWaitMs: 1_000 });
    const seen = new Set<string>();
    const consuming = consume(transport, name, async ({ message, deliveryCount }) => {
      const body = Buffer.from(message.body).toString();
      if (deliveryCount === 1 && body.endsWith("7")) return { kind: "retry", delayMs: 100, message };
      seen.add(body);
      return done;
    });
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

  it("brings a retry at its time though the server was restarted meanwhile", async () => {
    const server = await startServer();
    // A server that is killed may forget that it was asked to wait, and then waits for an answer.
    const link = openLink(server.url, { pollMs: 1, ackWaitMs: 5_000 });
    const leased = { leaseMs: 60_000, order: "none" } as const;
    await link.send({ name }, makeMessage({ body: "a" }), 0);
    const [first] = await link.take({ name }, 1, leased);
    if (first === undefined) throw new Error("One was sent.");
    const delayMs = 3_000;
    const putBackAt = Date.now();
    await link.replace(first.receipt, makeMessage({ body: "again" }), delayMs);
    // Looked at, and left to wait by the server.
    await eventually(async () => expect(await link.take({ name }, 1, leased)).toEqual([]));
    await server.kill();
    await server.start();
    const other = openLink(server.url, { answerWithinMs: 2_000 });
    const taken: string[] = [];
    await eventually(
      async () => {
        taken.push(
          ...(await other.take({ name }, 1, leased)).map(({ message }) => Buffer.from(message.body).toString()),
        );
        expect(taken).toEqual(["again"]);
      },
      { withinMs: 120_000 },
    );
    expect(Date.now() - putBackAt).toBeGreaterThanOrEqual(delayMs);
  });

  it("notices a server that swallows everything, and goes on when it answers again", async () => {
    const server = await startServer();
    const proxy = await startFaultProxy({ port: Number(new URL(server.url).port) });
    onTestFinished(() => proxy.close());
    const transport = openTransport(proxy.through(server.url), { pollMs: 50, answerWithinMs: 1_000, ackWaitMs: 1_000 });
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

  it("takes silence for no empty queue, and finds out whether what it asked for is gone", async () => {
    const server = await startServer();
    const connection = new NatsConnection({
      ...{ url: server.url, tls: null, credentials: null, name: "test", answerWithinMs: 3_000 },
    });
    onTestFinished(() => connection.close());
    const { client } = await openStranger(server.url);
    // Somebody hears it and says nothing, as the server of one that was deleted.
    client.subscribe("$JS.API.CONSUMER.MSG.NEXT.S.silent", { callback: () => {} });
    await client.flush();
    const reader = { stream: "S", subject: name, consumer: "silent", ackWaitMs: 1_000 };
    const pulling = new Puller(connection, systemClock, reader).pull(1);
    await expect(pulling).rejects.toThrow("stream not found");
  });

  it("needs no more rights than its guide says, and says which it needs when one is missing", async () => {
    const publish = `["$JS.API.>", "$JS.ACK.>", "dlo.>", "orders"]`;
    const subscribe = `["_INBOX.>", "dlo.>", "orders"]`;
    const user = `{ user: "billing", password: "p", permissions: { publish: ${publish}, subscribe: ${subscribe} } }`;
    const server = await startServer(`authorization: { users: [${user}] }`);
    const transport = openTransport(server.url.replace("//", "//billing:p@"));
    await transport.send({ name }, makeMessage({ body: "late" }), { delayMs: 10 });
    await transport.send({ name }, makeMessage({ body: "dead" }));
    const letters = consume(transport, "orders.dlq");
    const consuming = consume(transport, name, async (delivery) => {
      const { message, deliveryCount } = delivery;
      await delivery.extend(1_000);
      if (deliveryCount === 1) return { kind: "retry", delayMs: 1, message };
      return { kind: "dead-letter", to: { name: "orders.dlq" }, message };
    });
    await eventually(() => expect(letters.bodies.toSorted()).toEqual(["dead", "late"]));
    await Promise.all([consuming.stop(), letters.stop()]);
    const refused = { code: "ACCESS_REFUSED" };
    await expect(transport.send({ name: "elsewhere" }, makeMessage({}))).rejects.toMatchObject(refused);
    const stranger = openTransport(server.url);
    await expect(stranger.send({ name }, makeMessage({}))).rejects.toMatchObject(refused);
  });

  it("says so when a message is too large", async () => {
    const server = await startServer();
    const message = makeMessage({ body: new Uint8Array(9_000_000) });
    await expect(openTransport(server.url).send({ name }, message)).rejects.toMatchObject({
      code: "MESSAGE_TOO_LARGE",
    });
  });
});
