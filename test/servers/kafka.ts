import { execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "./certificate.ts";
import { hasJars, java, javaArguments, listening } from "./jars.ts";
import { shared } from "./one-for-all.ts";
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

const givenBrokers = process.env.DLO_TEST_KAFKA_BROKERS;
const remedy = "node scripts/setup-servers.mjs (it takes Java, Maven and 44 MB of jars)";

/** Why no server can be started here, or undefined. */
export const noKafkaServer: string | undefined = hasJars("kafka") ? undefined : `Kafka is not here: ${remedy}`;

/** Why there is no broker to test on, or undefined. */
export const noKafka: string | undefined =
  givenBrokers === undefined && noKafkaServer !== undefined
    ? `${noKafkaServer}, or set DLO_TEST_KAFKA_BROKERS`
    : undefined;

export interface KafkaBrokerOptions {
  /** Not the one that tests share: for topics that everybody calls the same, or a look at all there are. @default false */
  readonly alone?: boolean;
}

/** The brokers of `DLO_TEST_KAFKA_BROKERS`, the one that tests share, or one started for it. */
export async function kafkaBroker({ alone = false }: KafkaBrokerOptions = {}): Promise<KafkaBroker> {
  const close = async () => {};
  if (givenBrokers !== undefined) return { brokers: givenBrokers.split(","), sessionTimeoutMs: 6_000, close };
  const used = alone ? undefined : await shared("kafka");
  return used === undefined ? startKafka() : { ...used, close };
}

/** A Kafka of one node. */
export async function startKafka(): Promise<KafkaServer> {
  const [node] = await startKafkaNodes(1);
  return node as KafkaServer;
}

/** Who may come in where a password is asked for. */
export const kafkaUser = { username: "office", password: "correct horse" } as const;

/** A Kafka of one node that also listens over TLS, and asks whoever comes there for a password: PLAIN or SCRAM-SHA-512. */
export async function startSecureKafka(
  certificate: Certificate,
): Promise<KafkaServer & { readonly secureBrokers: readonly string[] }> {
  const secure = { port: await freePort(), certificate };
  const [node] = await startKafkaNodes(1, secure);
  return { ...(node as KafkaServer), secureBrokers: [`127.0.0.1:${secure.port}`] };
}

interface SecureListener {
  readonly port: number;
  readonly certificate: Certificate;
}

/** Nodes of one cluster, each with what the others have. */
export async function startKafkaNodes(count: number, secure?: SecureListener): Promise<readonly KafkaServer[]> {
  if (noKafkaServer !== undefined) throw new Error(noKafkaServer);
  const places: Place[] = [];
  for (let id = 1; id <= count; id++) {
    const folder = makeFolder("kafka", undefined);
    places.push({ id, folder, port: await freePort(), controllerPort: await freePort() });
  }
  const isPlain = count === 1 && secure === undefined;
  for (const place of places) {
    const configuration = [...settings(place, places, secure), ...securitySettings(secure), ""].join("\n");
    writeFileSync(configurationOf(place.folder), configuration);
    const made = isPlain ? await shared("kafkaData") : undefined;
    if (made === undefined) format(place.folder, secure);
    else cpSync(made.folder, dataOf(place.folder), { recursive: true });
  }
  const nodes = places.map(makeNode);
  await Promise.all(nodes.map((node) => node.start()));
  return nodes;
}

/** The data of a new node that is alone, for others to copy: making them takes a second. */
export function makeKafkaData(): { readonly folder: string; remove(): void } {
  const folder = makeFolder("kafka-data", undefined);
  // Where it would listen is not written down in them.
  const place = { id: 1, folder, port: 9092, controllerPort: 9093 };
  writeFileSync(configurationOf(folder), settings(place, [place], undefined).join("\n"));
  format(folder, undefined);
  return { folder: dataOf(folder), remove: () => removeFolder(folder) };
}

interface Place {
  readonly id: number;
  readonly folder: string;
  readonly port: number;
  readonly controllerPort: number;
}

function configurationOf(folder: string): string {
  return join(folder, "server.properties");
}

function dataOf(folder: string): string {
  return join(folder, "data");
}

function format(folder: string, secure: SecureListener | undefined): void {
  const { username, password } = kafkaUser;
  const user = ["--add-scram", `SCRAM-SHA-512=[name=${username},password=${password}]`];
  const cluster = ["--cluster-id", "4L6g3nShT-eMCtK--X86sw"];
  const words = ["format", ...cluster, "-c", configurationOf(folder), ...(secure === undefined ? [] : user)];
  const command = [...commandOf(256, "kafka.tools.StorageTool"), ...words];
  execFileSync(java as string, command, { cwd: folder, stdio: "pipe" });
}

function commandOf(megabytes: number, main: string): string[] {
  return javaArguments("kafka", megabytes, main);
}

function makeNode({ folder, port }: Place): KafkaServer {
  let server: ServerProcess | undefined;

  const end = async (signal: NodeJS.Signals) => {
    server?.signal(signal);
    await server?.ended;
  };
  return {
    brokers: [`127.0.0.1:${port}`],
    sessionTimeoutMs: 3_000,
    async start() {
      const args = [...commandOf(512, "kafka.Kafka"), configurationOf(folder)];
      const starting = startProcess({ file: java as string, args, folder, account: undefined });
      server = starting;
      await untilReady(starting, () => listening(port), 240_000);
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    async close() {
      await end("SIGKILL");
      removeFolder(folder);
    },
  };
}

/** Quick to notice the dead and to begin with whoever is there. */
function settings(
  { id, folder, port, controllerPort }: Place,
  all: readonly Place[],
  secure: SecureListener | undefined,
): string[] {
  const open = [`PLAINTEXT://127.0.0.1:${port}`, ...(secure ? [`SECURE://127.0.0.1:${secure.port}`] : [])].join(",");
  const voters = all.map((place) => `${place.id}@127.0.0.1:${place.controllerPort}`).join(",");
  const own = ["offsets.topic", "transaction.state.log", "share.coordinator.state.topic"];
  return [
    "process.roles=broker,controller",
    `node.id=${id}`,
    `controller.quorum.voters=${voters}`,
    `listeners=${open},CONTROLLER://127.0.0.1:${controllerPort}`,
    `advertised.listeners=${open}`,
    "controller.listener.names=CONTROLLER",
    `log.dirs=${dataOf(folder)}`,
    ...own.flatMap((name) => [`${name}.num.partitions=1`, `${name}.replication.factor=${all.length}`]),
    ...["transaction.state.log.min.isr=1", "share.coordinator.state.topic.min.isr=1"],
    `default.replication.factor=${all.length}`,
    "group.initial.rebalance.delay.ms=0",
    "group.min.session.timeout.ms=1000",
    "broker.session.timeout.ms=3000",
    "broker.heartbeat.interval.ms=500",
    "auto.create.topics.enable=false",
  ];
}

function securitySettings(secure: SecureListener | undefined): string[] {
  if (secure === undefined) return [];
  const { certificate, key } = secure.certificate;
  const { username, password } = kafkaUser;
  const modules = "org.apache.kafka.common.security";
  return [
    "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL",
    "inter.broker.listener.name=PLAINTEXT",
    "ssl.keystore.type=PEM",
    `ssl.keystore.certificate.chain=${inOneLine(certificate)}`,
    `ssl.keystore.key=${inOneLine(key)}`,
    "listener.name.secure.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512",
    `listener.name.secure.plain.sasl.jaas.config=${modules}.plain.PlainLoginModule required user_${username}="${password}";`,
    `listener.name.secure.scram-sha-512.sasl.jaas.config=${modules}.scram.ScramLoginModule required;`,
  ];
}

/** As a file of properties has it. */
function inOneLine(text: string): string {
  return text.trim().replaceAll("\n", "\\n");
}
