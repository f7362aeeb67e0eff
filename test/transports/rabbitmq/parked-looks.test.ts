import { connect } from "amqplib";
import { expect, it, onTestFinished } from "vitest";
import type { Clock } from "../../../src/domain/clock.ts";
import { releaseMessage } from "../../../src/domain/key-release.ts";
import { wire } from "../../../src/domain/wire.ts";
import { createConsumer, makeMessage, Unprocessable } from "../../../src/index.ts";
import { postgresBlockedKeys } from "../../../src/postgres.ts";
import { rabbitmqTransport } from "../../../src/rabbitmq.ts";
import { systemClock } from "../../../src/system/host.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noPostgres } from "../../servers/postgres.ts";
import { noRabbitmq } from "../../servers/rabbitmq.ts";
import { usePostgres } from "../../servers/use-postgres.ts";
import { useRabbitmq } from "../../servers/use-rabbitmq.ts";

/** Twenty times as fast: whether release messages may be there is asked every other second. */
const hurried: Clock = { now: () => systemClock.now() * 20, after: (ms, run) => systemClock.after(ms / 20, run) };
const patience = { withinMs: 90_000 };

describeServer("a consumer on RabbitMQ behind whose dead message others are parked", noPostgres ?? noRabbitmq, () => {
  const [postgres, rabbitmq] = [usePostgres(), useRabbitmq()];

  it("leaves them where they are until one that asks for a release lies among them", async () => {
    const queue = `looks-${crypto.randomUUID().slice(0, 8)}`;
    const transport = rabbitmqTransport({ url: rabbitmq.url, orderedQueues: "all" });
    const store = postgresBlockedKeys({ database: postgres.database });
    let asked = 0;
    const { countParked } = store;
    const counting = {
      ...store,
      countParked: (of: string) => {
        asked += 1;
        return countParked(of);
      },
    };
    const ran: number[] = [];
    const consumer = createConsumer<{ readonly n: number }>({
      ...{ transport, queue, order: "key", blockedKeys: counting, retry: { maxAttempts: 1 }, breaker: false },
      host: { newId: () => crypto.randomUUID(), random: Math.random, clock: hurried },
      async handler({ payload: { n } }) {
        if (n === 1) throw new Unprocessable("it has no account");
        ran.push(n);
      },
    });
    void consumer.start();
    onTestFinished(async () => {
      await consumer.stop();
      await transport.close();
    });
    for (let n = 1; n <= 50; n++)
      await transport.send({ name: queue }, makeMessage({ body: JSON.stringify({ n }), key: "account-7" }));
    await eventually(async () => expect(await store.countParked(queue)).toBe(49), patience);
    const parked = { name: `${queue}.parked` };
    await eventually(async () => expect(await transport.depth?.(parked)).toBe(49), patience);
    asked = 0;
    await eventually(() => expect(asked).toBeGreaterThan(9), patience);
    expect(await looksAt(parked.name)).toEqual([undefined]);

    const [blocked] = await store.list(queue);
    const place = { queue, key: Buffer.from("account-7"), number: blocked?.number ?? 0 };
    await transport.send(parked, releaseMessage(place).message, { onward: true });
    await eventually(() => expect(ran).toHaveLength(49), patience);
    expect(ran).toEqual(ran.toSorted((a, b) => a - b));
  }, 300_000);

  /** Which looks for release messages have seen the messages of a queue. */
  async function looksAt(queue: string): Promise<unknown[]> {
    const connection = await connect(rabbitmq.url);
    const channel = await connection.createChannel();
    const looks = new Set<unknown>();
    for (let found = await channel.get(queue); found !== false; found = await channel.get(queue))
      looks.add(found.properties.headers?.[wire.pass]);
    // None was acknowledged: they go back.
    await connection.close();
    return [...looks];
  }
});
