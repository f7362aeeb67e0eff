import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { connect } from "@nats-io/transport-node";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess, untilReady } from "./server-process.ts";

/** A NATS with JetStream of one's own, in a temporary folder. */
export interface NatsServer {
  readonly url: string;
  /** As a crash would: nothing is written any more. */
  kill(): Promise<void>;
  /** Closes all connections and stops. */
  stop(): Promise<void>;
  /** Again, on the same port and data. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** A server to test on; whose it is, is not said. */
export interface NatsBroker {
  readonly url: string;
  close(): Promise<void>;
}

const binary = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/bin", "/usr/local/bin"]
  .map((folder) => join(folder, "nats-server"))
  .find((file) => existsSync(file));
const givenUrl = process.env.DLO_TEST_NATS_URL;
const remedy = "apt-get install -y --no-install-recommends nats-server";

/** Why no server can be started here, or undefined. */
export const noNatsServer: string | undefined = binary === undefined ? `NATS is not installed: ${remedy}` : undefined;

/** Why there is no server to test on, or undefined. */
export const noNats: string | undefined =
  givenUrl === undefined && noNatsServer !== undefined ? `${noNatsServer}, or set DLO_TEST_NATS_URL` : undefined;

/** The server of `DLO_TEST_NATS_URL`, or one started for it. */
export async function natsBroker(): Promise<NatsBroker> {
  return givenUrl === undefined ? startNats() : { url: givenUrl, close: async () => {} };
}

/** With `settings` beside ours, as lines of its configuration. */
export async function startNats(settings = ""): Promise<NatsServer> {
  const server = natsServer(await freePort(), settings);
  await server.start();
  return server;
}

/** Three servers of one cluster, each of which can have what the others have. */
export async function startNatsCluster(): Promise<readonly NatsServer[]> {
  const nodes = await Promise.all(
    [1, 2, 3].map(async (node) => ({ node, port: await freePort(), route: await freePort() })),
  );
  const routes = nodes.map(({ route }) => `"nats://127.0.0.1:${route}"`).join(", ");
  const servers = nodes.map(({ node, port, route }) => {
    const cluster = `cluster: { name: test, listen: "127.0.0.1:${route}", routes: [${routes}] }`;
    return natsServer(port, `server_name: node-${node}\n${cluster}`);
  });
  // None answers before two of them have found each other.
  await Promise.all(servers.map((server) => server.start()));
  return servers;
}

/** Not yet started. */
function natsServer(port: number, settings: string): NatsServer {
  if (binary === undefined) throw new Error(noNatsServer);
  const folder = makeFolder("nats", undefined);
  const url = `nats://127.0.0.1:${port}`;
  const file = join(folder, "server.conf");
  const lines = [`listen: "127.0.0.1:${port}"`, "max_payload: 8MB", `jetstream: { store_dir: "${folder}" }`, settings];
  writeFileSync(file, lines.join("\n"));
  const command = { file: binary, args: ["-c", file], folder, account: undefined };
  let server: ServerProcess | undefined;

  const end = async (signal: NodeJS.Signals) => {
    server?.signal(signal);
    await server?.ended;
  };
  return {
    url,
    async start() {
      const starting = startProcess(command);
      server = starting;
      await untilReady(starting, () => answers(port));
    },
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    async close() {
      await end("SIGKILL");
      removeFolder(folder);
    },
  };
}

/** It lets clients in before it has read its streams; one that wants a password, or to be trusted, is up as well. */
async function answers(port: number): Promise<void> {
  try {
    const client = await connect({ servers: `127.0.0.1:${port}`, reconnect: false, timeout: 1_000 });
    try {
      await client.request("$JS.API.INFO", "", { timeout: 1_000 });
    } finally {
      await client.close();
    }
  } catch (error) {
    if (!/authorization|certificate/iu.test(String(error))) throw error;
  }
}
