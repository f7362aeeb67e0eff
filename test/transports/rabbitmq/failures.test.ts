import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { done, makeMessage } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { rabbitmqTransport } from "../../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../../src/transports/transport.ts";
import { type FaultProxy, startFaultProxy } from "../../faults/proxy.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRabbitmqServer, type RabbitmqServer, startRabbitmq } from "../../servers/rabbitmq.ts";
import { closing, consume, insist, numbered, openTransport, ownQueue } from "./workbench.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describeServer("when RabbitMQ fails", noRabbitmqServer, () => {
  let server: RabbitmqServer;
  beforeAll(async () => {
    server = await startRabbitmq();
  });
  afterAll(() => server?.close());

  it("loses nothing when an administrator closes its connections in the middle of work", async () => {
    const queue = ownQueue();
    const name = `closed-${queue.name}`;
    const transport = openTransport(server.url, { name });
    const work = worker(transport, queue);
    const sending = sendAll(transport, queue, work.bodies);
    for (let round = 0; round < 3; round++) await closeConnections(server, name);
    await sending;
    await work.finished();
    expect(work.kinds()).toContain("connection-restored");
  });

  it.each(["stop", "kill"] as const)(
    "loses nothing when the server goes down in the middle of work (%s)",
    async (how) => {
      const queue = ownQueue();
      const transport = openTransport(server.url);
      const work = worker(transport, queue);
      await insist(transport, queue, "0000");
      // A quorum queue whose server is killed within the first second of its life never comes back: RabbitMQ 3.10 writes down
      // that it exists only now and then.
      await pause(4_000);
      const sending = sendAll(transport, queue, work.bodies);
      await eventually(() => work.seen.size > 50, { withinMs: 120_000 });
      await server[how]();
      await work.told("connection-lost");
      await pause(1_000);
      await server.start();
      await sending;
      await work.finished();
      const lostAndFound = work.kinds().filter((kind) => kind.startsWith("connection-"));
      expect(lostAndFound.slice(0, 2)).toEqual(["connection-lost", "connection-restored"]);
    },
  );

  it("loses no retry when the server dies as its delay queue is made, and does without that queue", async () => {
    const queue = ownQueue();
    const transport = closing(rabbitmqTransport({ url: server.url, answerWithinMs: 2_000 }));
    await insist(transport, queue, "again");
    const received = consume(transport, queue, async ({ message }) =>
      received.deliveries.length < 4 ? { kind: "retry", delayMs: 300, message } : done,
    );
    await received.count(1);
    const delayQueue = `${queue.name}.retry.300ms`;
    await eventually(async () => (await queueNamesOf(server)).some((name) => name.startsWith(delayQueue)), {
      withinMs: 120_000,
    });
    await server.kill();
    await server.start();
    await received.count(4);
  });

  it("finds out that a connection is dead though nobody says so, and goes on", async () => {
    const queue = ownQueue();
    const proxy = await openProxy(server);
    const transport = openTransport(proxy.through(server.url), { heartbeatMs: 1_000, answerWithinMs: 2_000 });
    const received = consume(transport, queue);
    await insist(transport, queue, "before");
    await received.count(1);
    proxy.break({ swallowed: ["requests", "replies"] });
    await received.told("connection-lost");
    proxy.heal();
    await received.told("connection-restored");
    await insist(transport, queue, "after");
    await received.count(2);
  });

  it("ends in time though the broker is gone without a word", async () => {
    const queue = ownQueue();
    const proxy = await openProxy(server);
    const transport = openTransport(proxy.through(server.url), { answerWithinMs: 500 });
    await insist(openTransport(server.url), queue, "x");
    let finish: () => void = () => {};
    const received = consume(transport, queue, async ({ message }) => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return { kind: "dead-letter", to: { name: `${queue.name}.dlq` }, message };
    });
    await received.count(1);
    proxy.break({ swallowed: ["requests", "replies"] });
    const stopping = received.stop();
    finish();
    const began = performance.now();
    await stopping;
    await transport.close();
    expect(performance.now() - began).toBeLessThan(60_000);
    // Nothing was acknowledged: it comes to the next.
    const next = consume(openTransport(server.url), queue);
    proxy.heal();
    await next.count(1);
    expect(next.deliveries[0]?.redelivered).toBe(true);
  });

  it("waits for a broker that is short of memory, goes on handling meanwhile, and says so", async () => {
    const [queue, out] = [ownQueue(), ownQueue()];
    const patient = openTransport(server.url);
    for (const body of numbered(40)) await patient.send(queue, makeMessage({ body }));
    await patient.send(out, makeMessage({ body: "makes the queue" }));
    const transport = openTransport(server.url, { answerWithinMs: 4_000 });
    onTestFinished(() => server.control("set_vm_memory_high_watermark", "absolute", "1GB"));
    await server.control("set_vm_memory_high_watermark", "absolute", "1MB");
    const received = consume(transport, queue, async ({ message }) =>
      message.body[3] === 0x30 ? { kind: "dead-letter", to: out, message } : done,
    );
    await received.told("broker-blocked");
    await received.count(40);
    let isSent = false;
    const sending = transport.send(out, makeMessage({ body: "later" })).then(() => {
      isSent = true;
    });
    await pause(5_000);
    expect([isSent, received.kinds()]).toEqual([false, ["broker-blocked"]]);
    await server.control("set_vm_memory_high_watermark", "absolute", "1GB");
    await sending;
    await received.told("broker-unblocked");
    const letters = consume(transport, out);
    await letters.count(6);
    expect(letters.bodies().sort()).toEqual(["0000", "0010", "0020", "0030", "later", "makes the queue"]);
  });

  it("gives up sending to a broker that is blocked for too long", async () => {
    const queue = ownQueue();
    const transport = openTransport(server.url, { answerWithinMs: 20_000, blockedWithinMs: 3_000 });
    await transport.send(queue, makeMessage({ body: "makes the queue" }));
    onTestFinished(() => server.control("set_vm_memory_high_watermark", "absolute", "1GB"));
    await server.control("set_vm_memory_high_watermark", "absolute", "1MB");
    for (const send of ["on its way", "not yet sent"]) {
      await expect(transport.send(queue, makeMessage({ body: send }))).rejects.toThrow(
        "RabbitMQ takes no messages at the moment (low on memory)",
      );
    }
  });
});

/** Handles numbered messages, each with a little work, and knows when all were seen. */
function worker(transport: Transport, queue: { readonly name: string }) {
  const bodies = numbered(400);
  const seen = new Set<string>();
  const consuming = consume(transport, queue, async ({ message }) => {
    await pause(5);
    seen.add(Buffer.from(message.body).toString());
    return done;
  });
  return {
    ...consuming,
    bodies,
    seen,
    finished: () => eventually(() => expect([...seen].sort()).toEqual(bodies), { withinMs: 120_000 }),
  };
}

async function sendAll(
  transport: Transport,
  queue: { readonly name: string },
  bodies: readonly string[],
): Promise<void> {
  for (const body of bodies) await insist(transport, queue, body);
}

async function queueNamesOf(server: RabbitmqServer): Promise<string[]> {
  const queues = await server.manage<{ readonly name: string }[]>("GET", "/api/queues?disable_stats=true");
  return queues.map(({ name }) => name);
}

/** Closes all connections of that name; the server's list of them is some seconds late. */
async function closeConnections(server: RabbitmqServer, name: string): Promise<void> {
  await eventually(
    async () => {
      const connections = await server.manage<ListedConnection[]>("GET", "/api/connections");
      const ours = connections.filter(({ client_properties }) => client_properties?.connection_name?.startsWith(name));
      for (const connection of ours) {
        await server.manage("DELETE", `/api/connections/${encodeURIComponent(connection.name)}`);
      }
      return ours.length > 0;
    },
    { withinMs: 120_000 },
  );
}

interface ListedConnection {
  readonly name: string;
  readonly client_properties?: { readonly connection_name?: string };
}

async function openProxy(server: RabbitmqServer): Promise<FaultProxy> {
  const proxy = await startFaultProxy({ port: Number(new URL(server.url).port) });
  onTestFinished(() => proxy.close());
  return proxy;
}
