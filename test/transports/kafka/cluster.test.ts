import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { type KafkaServer, noKafkaServer, startKafkaNodes } from "../../servers/kafka.ts";
import { type Consuming, consume, open, ownQueue } from "./bench.ts";
import { Tally } from "./tally.ts";

const ordered = { order: "key", concurrency: 8, prefetch: 16 } as const;
const soon = { withinMs: 120_000 };

describeServer("a Kafka of several brokers", noKafkaServer, () => {
  let nodes: readonly KafkaServer[] = [];
  beforeAll(async () => {
    nodes = await startKafkaNodes(3);
  });
  afterAll(() => Promise.all(nodes.map((node) => node.close())));

  it("goes on while each of them is killed in turn: others lead its partitions and its group", async () => {
    const queue = ownQueue();
    const tally = new Tally({ keys: 12, retries: 0.05 });
    const brokers = nodes.flatMap((node) => node.brokers);
    const kafka = { brokers, sessionTimeoutMs: 6_000, partitions: 6, retryWaitsMs: [0, 300], answerWithinMs: 5_000 };
    const producer = open(kafka);
    const consumers = [1, 2].map(() => consume(open(kafka), queue, tally.handle, ordered));
    const connection = ({ incidents }: Consuming) => incidents.findLast(({ kind }) => kind.startsWith("connection-"));
    await eventually(() => tally.send(producer, queue), soon);
    await eventually(() => expect(tally.missing).toEqual([]), soon);
    for (const node of nodes) {
      const sending = sendRounds(5, tally, producer, queue);
      await node.kill();
      await sending;
      // With one of three away for good, and nobody who misses it.
      await eventually(() => expect(tally.missing).toEqual([]), soon);
      for (const one of consumers) await eventually(() => connection(one)?.kind !== "connection-lost", soon);
      await node.start();
    }
    await tally.send(producer, queue);
    await eventually(() => expect(tally.missing).toEqual([]), soon);
    expect(tally.outOfOrder).toEqual([]);
  });
});

/** One round after the other: of two that are sent at once the first may be refused, and then it is behind when it is sent again. */
async function sendRounds(rounds: number, tally: Tally, ...to: Parameters<Tally["send"]>): Promise<void> {
  for (let sent = 0; sent < rounds; sent++) await tally.send(...to);
}
