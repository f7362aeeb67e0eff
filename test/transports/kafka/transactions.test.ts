import type { Producer } from "kafkajs";
import { expect, it } from "vitest";
import { pause } from "../../../src/domain/clock.ts";
import { type Address, makeMessage } from "../../../src/domain/message.ts";
import { systemClock } from "../../../src/system/host.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noKafka } from "../../servers/kafka.ts";
import { useKafka } from "../../servers/use-kafka.ts";
import { consume, open, ownQueue } from "./bench.ts";
import { makeTopic, readUpTo, withProducer } from "./oracle.ts";

/** One transaction: what is sent in it, and how it ends. */
interface Transaction {
  readonly producer?: string;
  readonly sends: readonly string[];
  readonly ends: "commit" | "abort";
}

const commit = (...sends: readonly string[]): Transaction => ({ sends, ends: "commit" });
const abort = (...sends: readonly string[]): Transaction => ({ sends, ends: "abort" });

/** What other clients got wrong, each by itself. */
const histories: Readonly<Record<string, readonly Transaction[]>> = {
  "an abort between commits, and an empty one at the end": [
    commit("c1"),
    abort("a1"),
    commit("c2"),
    commit("c3"),
    abort(),
  ],
  "several aborts in a row": [abort("a1"), abort("a2"), abort("a3"), commit("c1")],
  "aborts and commits in turn": [abort("a1"), commit("c1"), abort("a2"), commit("c2"), abort("a3"), commit("c3")],
  "nothing but aborts": [abort("a1", "a2"), abort("a3")],
  "large transactions": [
    commit(...Array.from({ length: 300 }, (_, index) => `c${index}`)),
    abort(...Array.from({ length: 300 }, (_, index) => `a${index}`)),
    commit("last"),
  ],
};

describeServer("Kafka transactions", noKafka, () => {
  const kafka = useKafka();

  it.each(Object.entries(histories))("reads what was committed and nothing else: %s", async (_, history) => {
    const queue = ownQueue();
    await makeTopic(kafka.brokers, queue.name);
    await withProducer(kafka.brokers, { transactionalId: queue.name }, async (producer) => {
      for (const transaction of history) await run(producer, queue.name, transaction);
    });
    await expectSameAsOracle(queue);
  });

  it("reads what was committed among what was aborted, of producers at work at the same time", async () => {
    const queue = ownQueue();
    const { name: topic } = queue;
    await makeTopic(kafka.brokers, topic);
    await withProducer(kafka.brokers, { transactionalId: `${topic}-1` }, async (one) => {
      await withProducer(kafka.brokers, { transactionalId: `${topic}-2` }, async (other) => {
        for (let round = 0; round < 3; round++) {
          const [kept, dropped] = [await one.transaction(), await other.transaction()];
          for (let index = 0; index < 3; index++) {
            await kept.send({ topic, messages: [{ value: `c${round}${index}` }] });
            await dropped.send({ topic, messages: [{ value: `a${round}${index}` }] });
          }
          await (round === 1 ? kept : dropped).abort();
          await (round === 1 ? dropped : kept).commit();
        }
      });
    });
    await withProducer(kafka.brokers, {}, async (producer) => {
      await producer.send({ topic, messages: [{ value: "plain" }] });
    });
    await expectSameAsOracle(queue);
  });

  it("waits for the end of a transaction that is still open", async () => {
    const queue = ownQueue();
    const { name: topic } = queue;
    await makeTopic(kafka.brokers, topic);
    const transport = open(kafka);
    const received = consume(transport, queue);
    await transport.send(queue, makeMessage({ body: "before" }));
    await received.until(1);
    await withProducer(kafka.brokers, { transactionalId: topic }, async (producer) => {
      const transaction = await producer.transaction();
      await transaction.send({ topic, messages: [{ value: "open" }] });
      await transport.send(queue, makeMessage({ body: "behind" }));
      await pause(systemClock, 600);
      expect(received.bodies()).toEqual(["before"]);
      await transaction.commit();
    });
    await received.until(3);
    expect(received.bodies().sort()).toEqual(["before", "behind", "open"]);
  });

  async function expectSameAsOracle(queue: Required<Address>): Promise<void> {
    await withProducer(kafka.brokers, {}, async (producer) => {
      await producer.send({ topic: queue.name, messages: [{ value: "the end" }] });
    });
    const expected = (await readUpTo(kafka.brokers, queue.name, "the end")).map(({ value }) => value?.toString());
    const received = consume(open(kafka), queue, undefined, { concurrency: 1, prefetch: 100 });
    await received.until(expected.length);
    expect(received.bodies()).toEqual(expected);
  }
});

async function run(producer: Producer, topic: string, { sends, ends }: Transaction): Promise<void> {
  const transaction = await producer.transaction();
  if (sends.length > 0) await transaction.send({ topic, messages: sends.map((value) => ({ value })) });
  if (ends === "commit") await transaction.commit();
  else await transaction.abort();
}
