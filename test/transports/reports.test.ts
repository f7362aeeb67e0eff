import { expect, it, onTestFinished } from "vitest";
import { type Address, makeMessage, queueName } from "../../src/domain/message.ts";
import type { Report } from "../../src/domain/report.ts";
import { queueNames, wire } from "../../src/domain/wire.ts";
import { officeReports } from "../../src/reports/office-reports.ts";
import { type Consumer, createConsumer } from "../../src/runtime/consumer.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";

const title = "tells the office what became of a replayed message";

describeServer("reports on PostgreSQL", noPostgres, () => {
  const postgres = usePostgres();
  it(title, () => showsReports(postgresTransport({ database: postgres.database })));
});

describeServer("reports on RabbitMQ", noRabbitmq, () => {
  const broker = useRabbitmq();
  it(title, () => showsReports(rabbitmqTransport({ url: broker.url })));
});

describeServer("reports on Kafka", noKafka, () => {
  const broker = useKafka({ alone: true });
  it(title, async () => {
    const { brokers, sessionTimeoutMs } = broker;
    await showsReports(kafkaTransport({ brokers, sessionTimeoutMs, retryWaitsMs: [0, 300] }), "of-the-test");
  });
});

async function showsReports(transport: Transport, group?: string): Promise<void> {
  const at = (name: string): Address => (group === undefined ? { name } : { name, group });
  const orders = at("reported-orders");
  const heard: Report[] = [];
  const office = createConsumer<Report>({
    transport,
    queue: at(queueNames.reports),
    handler: async ({ payload }) => void heard.push(payload),
  });
  const reports = officeReports({ transport });
  const shop = createConsumer({
    transport,
    queue: orders,
    handler: async () => {},
    service: "shop",
    observers: [reports],
  });
  onTestFinished(async () => {
    await Promise.all([shop.stop(), office.stop()]);
    await reports.close();
    await transport.close();
  });
  const headers = { [wire.queue]: queueName(orders), [wire.letter]: "ltr_1", [wire.replay]: "rpl_1/1" };
  await transport.send(orders, makeMessage({ body: "{}", headers }));
  for (const consumer of [shop, office]) void quietly(consumer);
  const outcome = { kind: "outcome", letter: "ltr_1", replay: "rpl_1/1", result: "done", service: "shop" };
  const heartbeat = { kind: "heartbeat", service: "shop" };
  for (const report of [outcome, heartbeat])
    await eventually(() => expect(heard).toContainEqual(expect.objectContaining(report)), { withinMs: 120_000 });
}

/** What ends a consumer shows in what the office did not hear. */
async function quietly(consumer: Consumer): Promise<void> {
  await consumer.start().catch(() => {});
}
