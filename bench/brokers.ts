import type { UsedBroker } from "../test/replay/brokers.ts";
import { noSqs, sqsServer } from "../test/servers/elasticmq.ts";
import { kafkaBroker, noKafka } from "../test/servers/kafka.ts";
import { natsBroker, noNats } from "../test/servers/nats.ts";
import { noPostgres, startPostgres } from "../test/servers/postgres.ts";
import { noRabbitmqServer, startRabbitmq } from "../test/servers/rabbitmq.ts";
import { noRedis, redisBroker } from "../test/servers/redis.ts";
import { childVariant } from "./child-variant.ts";
import { durable } from "./ledger.ts";
import { table } from "./print-report.ts";
import { type Report, runSuite, thenClose } from "./suite.ts";

/** Taken beside each other in one run, each of them in a process of its own. */
const rounds = 3;

interface Server {
  readonly used: UsedBroker;
  /** What the children of this broker find in their environment. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<unknown>;
}

interface BenchBroker {
  readonly name: string;
  readonly missing: string | undefined;
  start(): Promise<Server>;
  /** The file of its consumers, ours and the one it is compared with. */
  readonly consume: { readonly file: string; readonly ours: string; readonly theirs: string };
}

const benchBrokers: readonly BenchBroker[] = [
  {
    ...{ name: "RabbitMQ", missing: noRabbitmqServer },
    async start() {
      const { url, managementUrl, close } = await startRabbitmq();
      const env = { DLO_BENCH_RABBITMQ_URL: url, DLO_BENCH_RABBITMQ_API: managementUrl };
      return { used: { kind: "rabbitmq", url }, env, close };
    },
    consume: {
      file: "./rabbitmq-variants.ts",
      ours: "runtime, acknowledging each",
      theirs: "amqplib alone, acknowledging each",
    },
  },
  {
    ...{ name: "Kafka", missing: noKafka },
    async start() {
      const { brokers, close } = await kafkaBroker();
      return { used: { kind: "kafka", brokers }, env: { DLO_BENCH_KAFKA_BROKERS: brokers.join(",") }, close };
    },
    consume: { file: "./kafka-variants.ts", ours: "runtime", theirs: "@platformatic/kafka alone" },
  },
  {
    ...{ name: "SQS (ElasticMQ)", missing: noSqs },
    async start() {
      const { endpoint, close } = await sqsServer();
      return { used: { kind: "sqs", endpoint }, env: { DLO_BENCH_SQS_ENDPOINT: endpoint }, close };
    },
    consume: { file: "./sqs-variants.ts", ours: "runtime", theirs: "client alone, received and deleted by ten" },
  },
  {
    ...{ name: "NATS", missing: noNats },
    async start() {
      const { url, close } = await natsBroker();
      return { used: { kind: "nats", url }, env: { DLO_BENCH_NATS_URL: url }, close };
    },
    consume: { file: "./nats-variants.ts", ours: "runtime", theirs: "@nats-io/jetstream alone, consume and ack" },
  },
  {
    ...{ name: "Redis", missing: noRedis },
    async start() {
      const { url, close } = await redisBroker();
      return { used: { kind: "redis", url }, env: { DLO_BENCH_REDIS_URL: url }, close };
    },
    consume: {
      file: "./redis-variants.ts",
      ours: "runtime, deleting what is acknowledged",
      theirs: "ioredis alone, XREADGROUP, XACK and XDEL by the batch",
    },
  },
  {
    ...{ name: "PostgreSQL", missing: noPostgres },
    start: async () => ({ used: { kind: "postgres" }, env: {}, close: async () => {} }),
    consume: {
      file: "./postgres-variants.ts",
      ours: "dead-letter-office, runtime",
      theirs: "graphile-worker, local queue of 4,000, completions batched",
    },
  },
];

interface Row {
  readonly broker: string;
  /** Why there are no figures, or the figures. */
  readonly missing?: string;
  readonly report?: Report;
}

/** Consuming, draining and replaying with each broker, one broker after the other, each beside its bare client. */
export async function measureBrokers(letters: number): Promise<{ readonly report: object; readonly text: string }> {
  const rows: Row[] = [];
  for (const broker of benchBrokers) {
    const { name, missing } = broker;
    rows.push(
      missing === undefined ? { broker: name, report: await measured(broker, letters) } : { broker: name, missing },
    );
  }
  return { report: rows, text: printed(rows, letters) };
}

async function measured({ start, consume }: BenchBroker, letters: number): Promise<Report> {
  const [postgres, server] = await Promise.all([startPostgres(durable), start()]);
  const broker = { DLO_BENCH_BROKER: JSON.stringify(server.used), DLO_BENCH_LETTERS: String(letters) };
  Object.assign(process.env, { DLO_BENCH_POSTGRES_URL: postgres.url(), ...broker, ...server.env });
  const child = (name: string, file: string) => childVariant(name, new URL(file, import.meta.url));
  const moved = new URL("./moving-variants.ts", import.meta.url);
  const moving = ["drain", "bare drain", "replay", "bare send"].map((name) => childVariant(name, moved));
  const variants = [child(consume.ours, consume.file), child(consume.theirs, consume.file), ...moving];
  const close = async () => void (await Promise.all([postgres.close(), server.close()]));
  const ratio = (ours: string, theirs: string) => ({
    ...{ name: ours, goal: 0, is: "at least" as const },
    value: (median: (name: string) => number) => median(ours) / median(theirs),
  });
  const ratios = [ratio(consume.ours, consume.theirs), ratio("drain", "bare drain"), ratio("replay", "bare send")];
  return runSuite({ about: "", unit: "a second", rounds, variants: thenClose(variants, { close }), ratios });
}

const about = (
  letters: number,
) => `Each broker in turn, on one machine with its clients and PostgreSQL (fsync on): messages of 1 KB handled a second by the runtime;
dead letters of 3 KB taken into the ledger a second; letters sent back a second; ${letters} letters a sample. Each beside the bare
client: one that handles as many; one that takes them, writes rows made ready before by COPY and acknowledges; one that sends
messages made ready before. For PostgreSQL that is graphile-worker, and a table with SKIP LOCKED.
Medians of ${rounds} interleaved samples.
`;

function printed(rows: readonly Row[], letters: number): string {
  const titles = ["consume", "bare", "ratio", "drain", "bare", "ratio", "replay", "bare", "ratio"];
  const lines = rows.map(({ broker, missing, report }) => [
    broker,
    ...(report === undefined ? [missing ?? ""] : cellsOf(report)),
  ]);
  return `${about(letters)}\n${table([["a second", ...titles], ...lines])}`;
}

/** Ours, theirs, and ours as a share of theirs, three times. */
function cellsOf({ variants, ratios }: Report): string[] {
  return ratios.flatMap(({ value }, pair) => [
    ...[0, 1].map((side) => Math.round(variants[2 * pair + side]?.median ?? Number.NaN).toLocaleString("en")),
    value.toFixed(2),
  ]);
}
