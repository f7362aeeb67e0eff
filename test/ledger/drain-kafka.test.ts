import { beforeAll, expect, it, onTestFinished } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { type DrainProgress, drain } from "../../src/office/intake/drain.ts";
import { openKafka } from "../../src/sources/kafka-source.ts";
import type { OpenParts } from "../../src/sources/opened-source.ts";
import { systemHost } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { noPostgres } from "../servers/postgres.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { tester, testRoom } from "./letters.ts";

describeServer("a drain of Kafka", noPostgres ?? noKafka, () => {
  const postgres = usePostgres();
  const kafka = useKafka();
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: postgres.database });
  });

  it("takes a topic that nobody of ours made, once for each position, and knows it again", async () => {
    const topic = `orders-${crypto.randomUUID()}.DLT`;
    const sender = kafkaTransport({ brokers: kafka.brokers });
    onTestFinished(() => sender.close());
    for (let n = 0; n < 50; n++) await sender.send({ name: topic }, makeMessage({ body: `${n}`, key: `k${n % 7}` }));
    const take = async (group: string) => {
      const transport = kafkaTransport({ brokers: kafka.brokers, retryWaitsMs: [0, 1_000] });
      const parts = { transport, source: "kafka", room: testRoom(), actor: tester, host: systemHost, ledger };
      const signal = new AbortController().signal;
      try {
        return await drain({ ...parts, from: { name: topic, group }, signal }, { idleMs: 4_000 });
      } finally {
        await transport.close();
      }
    };
    const { signal } = new AbortController();
    const url = `kafka://${kafka.brokers.join(",")}`;
    const source = await openKafka({ url, source: { name: "kafka" }, clock: systemHost.clock } as OpenParts);
    onTestFinished(() => source.close());
    const look = (most: number) => source.peek?.(topic, { most, bytesEach: 1_000, signal });
    await eventually(async () => {
      const lying = await look(60);
      expect(new Set(lying?.map(({ message }) => String(message.body))).size).toBe(50);
      expect(await look(3)).toEqual(lying?.slice(0, 3));
    });
    await expect(source.peek?.("nowhere", { most: 1, bytesEach: 1, signal })).rejects.toThrow("no queue `nowhere`");
    // A look was no reading: the drain takes all of them, and after it nothing is left to look at.
    expect(await whenLetIn(() => take("dlo-office"))).toMatchObject({ held: 50, known: 0 });
    await eventually(async () => expect(await look(3)).toEqual([]));
    expect(await whenLetIn(() => take("another"))).toMatchObject({ held: 0, known: 50 });
    const { rows } = await postgres.pool.query<{ position: string; reading: Buffer }>(
      "select b.position, b.reading from dlo.bodies b join dlo.letters l on l.id = b.letter_id where l.drained_from = $1",
      [topic],
    );
    expect(new Set(rows.map(({ position }) => position)).size).toBe(50);
  });

  it("does not take the time to join a group for an empty topic", async () => {
    const topic = `orders-${crypto.randomUUID()}.DLT`;
    const transport = kafkaTransport({ brokers: kafka.brokers, retryWaitsMs: [0, 1_000] });
    onTestFinished(() => transport.close());
    await transport.send({ name: topic }, makeMessage({ body: "1" }));
    const parts = { transport, source: "kafka", room: testRoom(), actor: tester, host: systemHost, ledger };
    const { signal } = new AbortController();
    const from = { name: topic, group: "dlo-office" };
    const progress = await whenLetIn(() => drain({ ...parts, from, signal }, { idleMs: 20 }));
    expect(progress).toMatchObject({ held: 1 });
  });
});

/** A broker that is too busy to let it in refuses it, with nothing taken. */
async function whenLetIn(run: () => Promise<DrainProgress>): Promise<DrainProgress> {
  let progress: DrainProgress | undefined;
  await eventually(
    async () => {
      progress = await run();
    },
    { withinMs: 120_000 },
  );
  return progress as DrainProgress;
}
