import { expect, it, onTestFinished } from "vitest";
import { done, headerText, makeMessage, type Verdict } from "../../../src/domain/message.ts";
import { type ConsumerOptions, createConsumer } from "../../../src/index.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import type { Gate, Transport } from "../../../src/transports/transport.ts";
import { startFaultProxy } from "../../faults/proxy.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRabbitmq } from "../../servers/rabbitmq.ts";
import { useRabbitmq } from "../../servers/use-rabbitmq.ts";
import { consume, numbered, openClient, openTransport, ownQueue } from "./workbench.ts";

describeServer("consuming from RabbitMQ", noRabbitmq, () => {
  const rabbitmq = useRabbitmq();

  it.each(["coalesced", "each"] as const)("lets one slow handler stall nobody (%s)", async (acknowledge) => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url, { acknowledge });
    const bodies = numbered(3_000);
    await Promise.all(bodies.map((body) => transport.send(queue, makeMessage({ body }))));
    let release: (verdict: Verdict) => void = () => {};
    const slow = new Promise<Verdict>((resolve) => {
      release = resolve;
    });
    // Far more than may be in hand: whatever waited for the slow one would soon be all there is.
    const received = consume(
      transport,
      queue,
      () => (received.deliveries.length === 1 ? slow : Promise.resolve(done)),
      {
        concurrency: 50,
        prefetch: 100,
      },
    );
    await received.count(bodies.length);
    release(done);
    await received.stop();
    const channel = await (await openClient(rabbitmq.url)).createChannel();
    expect((await channel.checkQueue(queue.name)).messageCount).toBe(0);
    expect([received.bodies().sort(), received.incidents]).toEqual([bodies, []]);
  });

  it("takes nothing more than it may while the gate is narrow, and everything once it is wide", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    for (const body of numbered(30)) await transport.send(queue, makeMessage({ body }));
    const gate = movableGate(1);
    const holds: ((verdict: Verdict) => void)[] = [];
    const received = consume(transport, queue, () => new Promise((resolve) => holds.push(resolve)), {
      gate,
      concurrency: 10,
      prefetch: 20,
    });
    await received.count(1);
    const other = consume(openTransport(rabbitmq.url), queue);
    await other.count(29);
    await other.stop();
    gate.move(Number.POSITIVE_INFINITY);
    for (const body of numbered(12)) await transport.send(queue, makeMessage({ body }));
    await received.count(10);
    await eventually(() => {
      for (const give of holds) give(done);
      return received.deliveries.length === 13;
    });
    expect(received.deliveries.every(({ redelivered }) => !redelivered)).toBe(true);
  });

  it("retries on the broker, dead-letters with all that is known, and leaves no trace of the delays", async () => {
    const queue = ownQueue();
    const transport = openTransport(rabbitmq.url);
    startConsumer({
      transport,
      queue: queue.name,
      retry: { maxAttempts: 3, backoff: { strategy: "fixed", delayMs: 50 } },
      handler: async () => {
        throw Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
      },
    });
    await transport.send(queue, makeMessage({ body: '{"id":1}', headers: { own: "header" } }));
    const letters = consume(transport, { name: `${queue.name}.dlq` });
    await letters.count(1);
    const { message, redelivered } = letters.deliveries[0] as (typeof letters.deliveries)[number];
    expect([headerText(message.headers, "dlo-attempt"), headerText(message.headers, "own"), redelivered]).toEqual([
      "3",
      "header",
      false,
    ]);
    expect(message.headers.filter(({ name }) => name.startsWith("x-"))).toEqual([]);
  });

  it("runs what comes back without a result alone, its attempt charged first", async () => {
    const queue = ownQueue();
    const proxy = await startFaultProxy({ port: Number(new URL(rabbitmq.url).port || 5_672) });
    onTestFinished(() => proxy.close());
    const transport = openTransport(proxy.through(rabbitmq.url));
    await transport.send(queue, makeMessage({ body: '"killer?"' }));
    const attempts: number[] = [];
    startConsumer({
      transport,
      queue: queue.name,
      leaseMs: 200,
      handler: async ({ attempt, signal }) => {
        attempts.push(attempt);
        if (attempts.length > 1) return;
        proxy.break({ accept: "reset" });
        proxy.reset();
        setTimeout(() => proxy.heal(), 100);
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    await eventually(() => attempts.length === 2, { withinMs: 120_000 });
    const channel = await (await openClient(rabbitmq.url)).createChannel();
    await eventually(async () => (await channel.checkQueue(queue.name)).messageCount === 0);
    expect(attempts).toEqual([1, 1]);
  });
});

function startConsumer(options: ConsumerOptions & { readonly transport: Transport }): void {
  const consumer = createConsumer(options);
  void consumer.start();
  onTestFinished(() => consumer.stop());
}

function movableGate(limit: number): Gate & { move(limit: number): void } {
  const listeners = new Set<() => void>();
  const gate = {
    limit,
    onChange(changed: () => void) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    move(next: number) {
      gate.limit = next;
      for (const changed of listeners) changed();
    },
  };
  return gate;
}
