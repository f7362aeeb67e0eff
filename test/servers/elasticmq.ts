import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasJars, java, javaArguments, listening } from "./jars.ts";
import { shared } from "./one-for-all.ts";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess, untilReady } from "./server-process.ts";

/** An ElasticMQ of one's own, which speaks SQS, in a temporary folder. */
export interface ElasticmqServer extends SqsServer {
  /** As a crash would: nothing is written any more. */
  kill(): Promise<void>;
  /** Again, on the same port and data. */
  start(): Promise<void>;
}

/** A server to test on; whose it is, is not said. */
export interface SqsServer {
  readonly endpoint: string;
  /** Stops it and removes its data, if it is one's own. */
  close(): Promise<void>;
}

/** ElasticMQ lets anybody in; the client wants to be somebody. */
export const sqsCredentials = { accessKeyId: "tester", secretAccessKey: "a secret of no worth" } as const;

const givenEndpoint = process.env.DLO_TEST_SQS_ENDPOINT;
const remedy = "node scripts/setup-servers.mjs (it takes Java, Maven and 37 MB of jars)";

/** Why no server can be started here, or undefined. */
export const noElasticmq: string | undefined = hasJars("elasticmq") ? undefined : `ElasticMQ is not here: ${remedy}`;

/** Why there is no server to test on, or undefined. */
export const noSqs: string | undefined =
  givenEndpoint === undefined && noElasticmq !== undefined ? `${noElasticmq}, or set DLO_TEST_SQS_ENDPOINT` : undefined;

/** The server of `DLO_TEST_SQS_ENDPOINT`, the one that tests share, or one started for it. */
export async function sqsServer(): Promise<SqsServer> {
  const close = async () => {};
  if (givenEndpoint !== undefined) return { endpoint: givenEndpoint, close };
  const used = await shared("elasticmq");
  return used === undefined ? startElasticmq() : { ...used, close };
}

/** In memory, unless it is to be `durable`: then it has on disk what it has said yes to. */
export async function startElasticmq({ durable = false } = {}): Promise<ElasticmqServer> {
  if (noElasticmq !== undefined) throw new Error(noElasticmq);
  const folder = makeFolder("elasticmq", undefined);
  const port = await freePort();
  const configuration = join(folder, "elasticmq.conf");
  writeFileSync(configuration, [...settings(port), ...(durable ? storage(folder) : []), ""].join("\n"));
  const args = [`-Dconfig.file=${configuration}`, ...javaArguments("elasticmq", 256, "org.elasticmq.server.Main")];
  let server: ServerProcess | undefined;

  const kill = async () => {
    server?.signal("SIGKILL");
    await server?.ended;
  };
  const self: ElasticmqServer = {
    endpoint: `http://127.0.0.1:${port}`,
    async start() {
      const starting = startProcess({ file: java as string, args, folder, account: undefined });
      server = starting;
      await untilReady(starting, () => listening(port), 240_000);
    },
    kill,
    async close() {
      await kill();
      removeFolder(folder);
    },
  };
  await self.start();
  return self;
}

function settings(port: number): string[] {
  return [
    'include classpath("application.conf")',
    `node-address { protocol = http, host = "127.0.0.1", port = ${port}, context-path = "" }`,
    `rest-sqs { enabled = true, bind-port = ${port}, bind-hostname = "127.0.0.1", sqs-limits = strict }`,
    "rest-stats { enabled = false }",
  ];
}

/** Without the delay of writing, which by default loses the last half second of what was confirmed. */
function storage(folder: string): string[] {
  const uri = `jdbc:h2:${join(folder, "h2")};WRITE_DELAY=0`;
  return [
    `queues-storage { enabled = true, path = "${join(folder, "queues.conf")}" }`,
    `messages-storage { enabled = true, driver-class = "org.h2.Driver", uri = "${uri}", username = "", password = "", prune-data-on-init = false }`,
  ];
}
