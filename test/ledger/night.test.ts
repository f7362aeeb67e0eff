import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { dloHere } from "../cli/terminal.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { causes, runtimeLetter, springCauses, springRecord } from "./night-letters.ts";

interface Group {
  readonly queue: string;
  readonly category: string;
  readonly open: number;
}

describeServer("the night somebody was paged", noPostgres ?? noRabbitmq ?? noKafka, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  const kafka = useKafka();
  const folder = mkdtempSync(join(tmpdir(), "dlo-night-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const run = (...line: readonly string[]) =>
    dloHere([...line, "--json", "--config", join(folder, "dlo.config.yaml")], {
      ...{ DATABASE_URL: postgres.url, USER: "ops-1" },
    });

  it("leaves 2,400 letters of RabbitMQ and a topic of Spring's, and makes nine groups of them", {
    timeout: 300_000,
  }, async () => {
    const id = crypto.randomUUID();
    const [queue, topic] = [`night-${id}.dlq`, `events-${id}`];
    const sources = [
      `  - { name: rabbit, broker: rabbitmq, url: "${rabbitmq.url}" }`,
      `  - { name: kafka, broker: kafka, url: "kafka://${kafka.brokers.join(",")}" }`,
    ];
    writeFileSync(join(folder, "dlo.config.yaml"), ["version: 1", "sources:", ...sources].join("\n"));
    const [rabbit, sender] = [rabbitmqTransport({ url: rabbitmq.url }), kafkaTransport({ brokers: kafka.brokers })];
    onTestFinished(async () => void (await Promise.all([rabbit.close(), sender.close()])));
    for (const cause of causes) {
      const letters = Array.from({ length: cause.n }, (_, n) => runtimeLetter(cause, n));
      await Promise.all(letters.map((letter) => rabbit.send({ name: queue }, letter)));
    }
    for (const cause of springCauses) {
      for (let n = 0; n < cause.n; n++) await sender.send({ name: `${topic}.DLT` }, springRecord(topic, cause, n));
    }

    const ofRabbit = await run("drain", `rabbit/${queue}`);
    expect(JSON.parse(ofRabbit.stdout)).toMatchObject({ held: 2_400, known: 0 });
    const ofKafka = await run("drain", `kafka/${topic}.DLT`);
    expect(JSON.parse(ofKafka.stdout)).toMatchObject({ held: 240, known: 0 });

    const { items } = JSON.parse((await run("groups")).stdout) as { readonly items: readonly Group[] };
    const expected = [...causes, ...springCauses.map((cause) => ({ ...cause, queue: topic }))];
    expect(items.map(({ queue: of, category, open }) => `${of} ${category} ${open}`).sort()).toEqual(
      expected.map((cause) => `${cause.queue} ${cause.category} ${cause.n}`).sort(),
    );
  });
});
