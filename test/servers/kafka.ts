import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess, untilReady } from "./server-process.ts";

/** A Kafka of one's own, one node that is broker and controller, in a temporary folder. */
export interface KafkaServer extends KafkaBroker {
  /** As a crash would: nothing is written any more. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Again, on the same ports and data. */
  start(): Promise<void>;
}

/** A broker to test on; whose it is, is not said. */
export interface KafkaBroker {
  readonly brokers: readonly string[];
  /** How soon it is to notice that a consumer died, in milliseconds; sooner, and busy ones would be taken for dead. */
  readonly sessionTimeoutMs: number;
  /** Stops it and removes its data, if it is one's own. */
  close(): Promise<void>;
}

const java = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "java"))
  .find((file) => existsSync(file));
/** As scripts/setup-servers.mjs has fetched them. */
const jars = join(process.env.DLO_SERVER_JARS ?? join(homedir(), ".cache", "dlo-servers"), "kafka");
const givenBrokers = process.env.DLO_TEST_KAFKA_BROKERS;
const remedy = "node scripts/setup-servers.mjs (it takes Java, Maven and 44 MB of jars)";

/** Why no server can be started here, or undefined. */
export const noKafkaServer: string | undefined =
  java === undefined || !existsSync(join(jars, "complete")) ? `Kafka is not here: ${remedy}` : undefined;

/** Why there is no broker to test on, or undefined. */
export const noKafka: string | undefined =
  givenBrokers === undefined && noKafkaServer !== undefined
    ? `${noKafkaServer}, or set DLO_TEST_KAFKA_BROKERS`
    : undefined;

/** The brokers of `DLO_TEST_KAFKA_BROKERS`, or one started for it. */
export async function kafkaBroker(): Promise<KafkaBroker> {
  if (givenBrokers === undefined) return startKafka();
  return { brokers: givenBrokers.split(","), sessionTimeoutMs: 6_000, close: async () => {} };
}

export async function startKafka(): Promise<KafkaServer> {
  if (java === undefined || noKafkaServer !== undefined) throw new Error(noKafkaServer);
  const folder = makeFolder("kafka", undefined);
  const port = await freePort();
  const configuration = join(folder, "server.properties");
  writeFileSync(configuration, settings(folder, port, await freePort()));
  const command = (megabytes: number, main: string) => [...flags(megabytes), "-cp", join(jars, "libs", "*"), main];
  const format = ["format", "--cluster-id", "4L6g3nShT-eMCtK--X86sw", "-c", configuration];
  execFileSync(java, [...command(256, "kafka.tools.StorageTool"), ...format], { cwd: folder, stdio: "pipe" });
  let server: ServerProcess | undefined;

  const end = async (signal: NodeJS.Signals) => {
    server?.signal(signal);
    await server?.ended;
  };
  const self: KafkaServer = {
    brokers: [`127.0.0.1:${port}`],
    sessionTimeoutMs: 3_000,
    async start() {
      const args = [...command(512, "kafka.Kafka"), configuration];
      const starting = startProcess({ file: java, args, folder, account: undefined });
      server = starting;
      await untilReady(starting, () => listening(port), 60_000);
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    async close() {
      await end("SIGKILL");
      removeFolder(folder);
    },
  };
  await self.start();
  return self;
}

function flags(megabytes: number): string[] {
  return ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", `-Xmx${megabytes}m`];
}

/** One node, quick to notice the dead and to begin with whoever is there. */
function settings(folder: string, port: number, controllerPort: number): string {
  return [
    "process.roles=broker,controller",
    "node.id=1",
    `controller.quorum.voters=1@127.0.0.1:${controllerPort}`,
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port}`,
    "controller.listener.names=CONTROLLER",
    `log.dirs=${join(folder, "data")}`,
    "offsets.topic.num.partitions=1",
    "offsets.topic.replication.factor=1",
    "transaction.state.log.num.partitions=1",
    "transaction.state.log.replication.factor=1",
    "transaction.state.log.min.isr=1",
    "share.coordinator.state.topic.num.partitions=1",
    "share.coordinator.state.topic.replication.factor=1",
    "share.coordinator.state.topic.min.isr=1",
    "group.initial.rebalance.delay.ms=0",
    "group.min.session.timeout.ms=1000",
    "auto.create.topics.enable=false",
    "",
  ].join("\n");
}

function listening(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
  });
}
