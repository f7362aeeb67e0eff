import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { pause } from "../../../src/domain/clock.ts";
import { type Address, makeMessage } from "../../../src/domain/message.ts";
import { createConsumer } from "../../../src/runtime/consumer.ts";
import { systemClock } from "../../../src/system/host.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import type { Transport } from "../../../src/transports/transport.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { type KafkaServer, noKafkaServer, startKafka } from "../../servers/kafka.ts";
import { type Consuming, consume, open, ownQueue } from "./bench.ts";
import { cuttableTransport, type Way } from "./cuttable.ts";
import { Tally } from "./tally.ts";

const ordered = { order: "key", concurrency: 8, prefetch: 16 } as const;
const soon = { withinMs: 120_000 };
/** The whole minute takes long: DLO_OUTAGE_MS=60000. */
const outageMs = Number(process.env.DLO_OUTAGE_MS ?? 5_000);

const troubles: Readonly<Record<string, (way: Way) => void>> = {
  "is cut": (way) => way.cut(),
  "is half open": (way) => way.swallow("requests", "replies"),
  "swallows the broker's replies": (way) => way.swallow("replies"),
};

const outage = ["connection-lost", "connection-restored"] as const;

describeServer("the network to Kafka", noKafkaServer, () => {
  let server: KafkaServer;
  const kafka = () => ({ brokers: server.brokers, partitions: 3, retryWaitsMs: [0, 300] });
  beforeAll(async () => {
    server = await startKafka();
  });
  afterAll(() => server?.close());

  it.each(Object.entries(troubles))("%s: nothing is lost, and every key stays in order", async (_, break_) => {
    const queue = ownQueue();
    const tally = new Tally({ keys: 6, retries: 0.1 });
    const { transport, way } = await cuttableTransport({ ...kafka(), sessionTimeoutMs: 3_000, answerWithinMs: 1_500 });
    onTestFinished(() => transport.close().then(() => way.close()));
    const producer = open(kafka());
    const received = consume(transport, queue, tally.handle, ordered);
    await tally.send(producer, queue);
    for (let round = 1; round <= 3; round++) {
      await eventually(() => expect(tally.missing).toEqual([]), soon);
      const sending = sendOften(tally, producer, queue);
      break_(way);
      await eventually(() => count(received, "connection-lost") >= round, soon);
      way.mend();
      await sending;
      await eventually(() => count(received, "connection-restored") >= round, soon);
    }
    await eventually(() => expect(tally.missing).toEqual([]), soon);
    expect(tally.outOfOrder).toEqual([]);
  });

  it("does without its broker for a while: it pauses, says so, and goes on by itself", async () => {
    const queue = ownQueue();
    const handled: string[] = [];
    const told: string[] = [];
    const transport = open({ ...kafka(), sessionTimeoutMs: 3_000 });
    const consumer = createConsumer<{ id: string }>({
      ...{ transport, queue, concurrency: 4, prefetch: 8 },
      handler: async ({ payload }) => void handled.push(payload.id),
      observers: [{ event: (event) => void (event.type === "incident" && told.push(event.incident.kind)) }],
    });
    void consumer.start();
    onTestFinished(() => consumer.stop().then(() => {}));
    const producer = open(kafka());
    const send = (id: string) => producer.send(queue, makeMessage({ body: JSON.stringify({ id }) }));
    await send("before");
    await eventually(() => handled.includes("before"), soon);
    await server.stop();
    await eventually(() => told.includes("connection-lost"), soon);
    const before = handled.length;
    await pause(systemClock, outageMs);
    expect([handled.length, consumer.health().status]).toEqual([before, "disconnected"]);
    await server.start();
    for (const id of ["after 1", "after 2", "after 3"]) await eventually(() => send(id), soon);
    // What had to be sent again may have come twice.
    const all = ["after 1", "after 2", "after 3", "before"];
    await eventually(() => expect([...new Set(handled)].toSorted()).toEqual(all), soon);
    const kinds = () => told.filter((type) => type.startsWith("connection-"));
    await eventually(() => kinds().at(-1) === "connection-restored", soon);
    // Once each, however often it was tried in between; a busy machine may lose the connection once more.
    for (const [index, kind] of kinds().entries()) expect(kind).toBe(outage[index % 2]);
  });
});

/** So that there is work in all stages when something breaks. */
async function sendOften(tally: Tally, producer: Transport, queue: Address): Promise<void> {
  for (let rounds = 0; rounds < 10; rounds++) await tally.send(producer, queue);
}

function count({ incidents }: Consuming, kind: string): number {
  return incidents.filter((incident) => incident.kind === kind).length;
}
