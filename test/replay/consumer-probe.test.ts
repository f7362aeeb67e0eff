import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { headerText, makeMessage } from "../../src/domain/message.ts";
import { queueNames, wire } from "../../src/domain/wire.ts";
import { openOffice } from "../../src/office.ts";
import { officeReports } from "../../src/reports/office-reports.ts";
import { createConsumer } from "../../src/runtime/consumer.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { redisTransport } from "../../src/transports/redis/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { tester } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { noRedis } from "../servers/redis.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { useRedis } from "../servers/use-redis.ts";

interface ProbedBroker {
  /** Of its source, in the configuration. */
  readonly config: () => string;
  readonly transport: () => Transport;
  /** Of consumers, where the broker asks for one. */
  readonly group?: string;
}

describeProbed("rabbitmq", noRabbitmq, () => {
  const server = useRabbitmq();
  return {
    config: () => `broker: rabbitmq, url: "${server.url}", management: "${server.managementUrl}"`,
    transport: () => rabbitmqTransport({ url: server.url }),
  };
});

describeProbed("kafka", noKafka, () => {
  const server = useKafka();
  const config = () => `broker: kafka, url: "kafka://${server.brokers.join(",")}"`;
  const transport = () => kafkaTransport({ brokers: server.brokers, retryWaitsMs: [0, 1_000] });
  return { config, transport, group: "billing" };
});

describeProbed("redis", noRedis, () => {
  const server = useRedis();
  const config = () => `broker: redis, url: "${server.url}"`;
  return { config, transport: () => redisTransport({ url: server.url }) };
});

describeProbed("postgres", noPostgres, () => {
  const server = usePostgres();
  const config = () => `broker: postgres, url: "${server.url}"`;
  return { config, transport: () => postgresTransport({ database: server.database }) };
});

function describeProbed(broker: string, missing: string | undefined, use: () => ProbedBroker): void {
  describeServer(`a letter of ${broker} whose effect may have happened`, noPostgres ?? missing, () => {
    const ledger = usePostgres();
    const { config, transport, group } = use();

    it("goes where its own consumer, asked through the broker, says that nothing happened", async () => {
      const queue = `charges-${crypto.randomUUID()}`;
      await runConsumer(transport(), group === undefined ? { name: queue } : { name: queue, group });
      const failedIn = group === undefined ? queue : `${queue}.${group}`;
      const office = await runOffice(ledger.url, config());
      const drained = {
        ...{ source: "ours", queue: queueNames.deadLetters(failedIn), actor: tester },
        ...{ signal: new AbortController().signal, tuning: { idleMs: 1_000 } },
      };
      await eventually(
        async () => {
          await office.drain(drained);
          expect((await office.call("letters.count", tester, { q: `queue:${failedIn}` })).n).toBe(3);
        },
        { withinMs: 120_000 },
      );
      await office.startWork(["replay"]);
      await eventually(
        async () =>
          expect((await office.call("consumers.list", tester, {})).items).toMatchObject([{ queue: failedIn }]),
        { withinMs: 120_000 },
      );
      // The consumer has no inbox, so that one run too many would not be noticed; that is not what is asked here.
      const place = { source: "ours", queue: failedIn };
      await office.call("queues.acceptDuplicates", tester, { ...place, because: "harmless", reason: "a test" });
      // An answer is waited for a while only; a busy consumer is asked again.
      await eventually(
        async () => {
          const { reasons } = await office.call("replays.plan", tester, { q: `queue:${failedIn}` });
          expect(Object.fromEntries(reasons.map(({ code, n }) => [code, n]))).toEqual({
            ...{ ready: 1, "side_effect.done": 1, "probe.failed": 1 },
          });
        },
        { withinMs: 120_000 },
      );
    });
  });
}

/** Charges, and then finds its database away, which says nothing of the charge. Asked, it answers with the message's key. */
async function runConsumer(
  transport: Transport,
  queue: { readonly name: string; readonly group?: string },
): Promise<void> {
  const reports = officeReports({ transport });
  const failures: string[] = [];
  const consumer = createConsumer({
    ...{ transport, queue, retry: { maxAttempts: 1 }, observers: [reports] },
    probe: ({ message }) => headerText(message.headers, wire.key) as "none",
    async handler({ message }) {
      failures.push(headerText(message.headers, wire.key) ?? "");
      throw Object.assign(new Error("connect ECONNREFUSED 10.0.0.9:5432"), { code: "ECONNREFUSED" });
    },
  });
  onTestFinished(async () => {
    await consumer.stop();
    await reports.close();
    await transport.close();
  });
  for (const key of ["none", "done", "perhaps"]) {
    await transport.send({ name: queue.name }, makeMessage({ body: "{}", headers: { [wire.key]: key } }));
  }
  void consumer.start();
  await eventually(() => expect(failures.toSorted()).toEqual(["done", "none", "perhaps"]), { withinMs: 120_000 });
}

async function runOffice(databaseUrl: string, source: string) {
  const folder = mkdtempSync(join(tmpdir(), "dlo-probe-"));
  const configFile = join(folder, "dlo.config.yaml");
  writeFileSync(configFile, `version: 1\nsources: [{ name: ours, ${source} }]\n`);
  const office = await openOffice({ databaseUrl, configFile, dataFolder: folder, env: {}, version: "0.0.0" });
  onTestFinished(async () => {
    await office.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return office;
}
