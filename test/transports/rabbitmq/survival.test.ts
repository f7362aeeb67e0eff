import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createConsumer } from "../../../src/index.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import type { Incident, Transport } from "../../../src/transports/transport.ts";
import { startFaultProxy } from "../../faults/proxy.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRabbitmqServer, type RabbitmqServer, startRabbitmq } from "../../servers/rabbitmq.ts";
import { insist, numbered, openTransport, ownQueue } from "./workbench.ts";

/** How long the broker is away, in milliseconds. A minute, on demand: DLO_TEST_OUTAGE_MS=60000 */
const outageMs = Number(process.env.DLO_TEST_OUTAGE_MS ?? 4_000);

describeServer("a consumer on RabbitMQ", noRabbitmqServer, () => {
  let server: RabbitmqServer;
  beforeAll(async () => {
    server = await startRabbitmq();
  });
  afterAll(() => server?.close());

  it("waits while the broker is away, says so once, and goes on by itself", async () => {
    const queue = ownQueue();
    const transport = openTransport(server.url);
    await insist(transport, queue, '"makes the queue"');
    const shop = openShop(transport, queue);
    await eventually(() => shop.handled.size === 1, { withinMs: 120_000 });
    // RabbitMQ notes down within a second which queues there are.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await server.kill();
    await shop.told("connection-lost");
    await new Promise((resolve) => setTimeout(resolve, outageMs));
    expect(shop.kinds()).toEqual(["connection-lost"]);
    await server.start();
    await shop.told("connection-restored");
    for (const body of numbered(20)) await insist(transport, queue, JSON.stringify(body));
    await eventually(() => shop.handled.size === 21, { withinMs: 120_000 });
    expect(shop.kinds()).toEqual(["connection-lost", "connection-restored"]);
  });

  it.each([
    { what: "replies are swallowed", swallowed: ["replies"] as const },
    { what: "what it says is swallowed", swallowed: ["requests"] as const },
    { what: "the connection is half open", swallowed: ["requests", "replies"] as const },
  ])("loses nothing when $what, and finds another connection", async ({ swallowed }) => {
    const queue = ownQueue();
    const proxy = await startFaultProxy({ port: Number(new URL(server.url).port) });
    onTestFinished(() => proxy.close());
    const options = { heartbeatMs: 1_000, answerWithinMs: 1_500 };
    const transport = openTransport(proxy.through(server.url), options);
    const shop = openShop(transport, queue);
    const bodies = numbered(60);
    const sending = (async () => {
      for (const body of bodies) await insist(transport, queue, JSON.stringify(body));
    })();
    await eventually(() => shop.handled.size > 10, { withinMs: 120_000 });
    proxy.break({ swallowed });
    await shop.told("connection-lost");
    proxy.heal();
    await sending;
    await eventually(() => expect([...shop.handled].sort()).toEqual(bodies), { withinMs: 120_000 });
    expect(proxy.lostBytes).toBeGreaterThan(0);
    expect(shop.kinds()).toContain("connection-restored");
  });
});

/** A consumer that notes what it has handled, and what it was told of its broker. */
function openShop(transport: Transport, { name }: { readonly name: string }) {
  const handled = new Set<string>();
  const incidents: Incident["kind"][] = [];
  const consumer = createConsumer<string>({
    transport,
    queue: name,
    handler: async ({ payload }) => void handled.add(payload),
    observers: [{ event: (event) => event.type === "incident" && incidents.push(event.incident.kind) }],
  });
  void consumer.start();
  onTestFinished(() => consumer.stop());
  const kinds = () => incidents.filter((kind) => kind.startsWith("connection-"));
  return {
    handled,
    kinds,
    told: (kind: Incident["kind"]) => eventually(() => incidents.includes(kind), { withinMs: 120_000 }),
  };
}
