import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { doorsHook } from "../test/documents/workshop.ts";
import { sqsCredentials, sqsServer } from "../test/servers/elasticmq.ts";
import { kafkaBroker } from "../test/servers/kafka.ts";
import { natsBroker } from "../test/servers/nats.ts";
import { postgresDatabase } from "../test/servers/postgres.ts";
import { rabbitmqBroker } from "../test/servers/rabbitmq.ts";
import { redisBroker } from "../test/servers/redis.ts";

/**
 * Runs an example against the sources, with the servers it needs: `npm run example -- rabbitmq`, or a program of one and
 * its arguments: `npm run example -- postgres/send-orders.ts 100`. A server that an address is set for is not started.
 */

interface Server {
  readonly address: string;
  close(): Promise<void>;
}

const starters: Readonly<Record<string, () => Promise<Server>>> = {
  DATABASE_URL: () => withUrl(postgresDatabase()),
  RABBITMQ_URL: () => withUrl(rabbitmqBroker()),
  REDIS_URL: () => withUrl(redisBroker()),
  NATS_URL: () => withUrl(natsBroker()),
  async SQS_ENDPOINT() {
    const { endpoint, close } = await sqsServer();
    process.env.AWS_ACCESS_KEY_ID ??= sqsCredentials.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY ??= sqsCredentials.secretAccessKey;
    return { address: endpoint, close };
  },
  async KAFKA_BROKERS() {
    const { brokers, close } = await kafkaBroker();
    return { address: brokers.join(","), close };
  },
};

/** What each folder needs an address of. */
const needs: Readonly<Record<string, readonly string[]>> = {
  postgres: ["DATABASE_URL"],
  rabbitmq: ["RABBITMQ_URL"],
  kafka: ["KAFKA_BROKERS"],
  redis: ["REDIS_URL"],
  nats: ["NATS_URL"],
  sqs: ["SQS_ENDPOINT"],
  lambda: ["SQS_ENDPOINT"],
  fastify: ["DATABASE_URL", "RABBITMQ_URL"],
  nestjs: ["DATABASE_URL", "RABBITMQ_URL"],
};

process.exitCode = await main(process.argv[2] ?? "", process.argv.slice(3));

async function main(asked: string, args: readonly string[]): Promise<number> {
  const program = asked.endsWith(".ts") ? asked : join(asked, "main.ts");
  const path = join(import.meta.dirname, program);
  if (asked === "" || !existsSync(path)) {
    console.error(`There is no example ${program}. They are listed in examples/README.md.`);
    return 2;
  }
  const servers = await startServers(needs[asked.split("/")[0] ?? ""] ?? []);
  try {
    return await run(path, args);
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

async function startServers(names: readonly string[]): Promise<Server[]> {
  const servers: Server[] = [];
  for (const name of names.filter((one) => process.env[one] === undefined)) {
    const server = await (starters[name] as () => Promise<Server>)();
    servers.push(server);
    process.env[name] = server.address;
    console.error(`started: export ${name}=${server.address}`);
  }
  return servers;
}

async function withUrl(starting: Promise<{ readonly url: string; close(): Promise<void> }>): Promise<Server> {
  const { url, close } = await starting;
  return { address: url, close };
}

function run(path: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, ["--import", doorsHook, path, ...args], { stdio: "inherit" });
  // The keyboard's interrupt reaches the example too; we stay until it has ended, and then stop its servers.
  process.on("SIGINT", () => {}).on("SIGTERM", () => child.kill("SIGTERM"));
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}
