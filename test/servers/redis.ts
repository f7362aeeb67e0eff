import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { Redis } from "ioredis";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess, untilReady } from "./server-process.ts";

/** A Redis of one's own, in a temporary folder; it has on disk what it has said yes to. */
export interface RedisServer {
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
export interface RedisBroker {
  readonly url: string;
  close(): Promise<void>;
}

const binary = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin", "/usr/local/bin"]
  .map((folder) => join(folder, "redis-server"))
  .find((file) => existsSync(file));
const givenUrl = process.env.DLO_TEST_REDIS_URL;
const remedy = "apt-get install -y --no-install-recommends redis-server";

/** Why no server can be started here, or undefined. */
export const noRedisServer: string | undefined = binary === undefined ? `Redis is not installed: ${remedy}` : undefined;

/** Why there is no server to test on, or undefined. */
export const noRedis: string | undefined =
  givenUrl === undefined && noRedisServer !== undefined ? `${noRedisServer}, or set DLO_TEST_REDIS_URL` : undefined;

/** The server of `DLO_TEST_REDIS_URL`, or one started for it. */
export async function redisBroker(): Promise<RedisBroker> {
  return givenUrl === undefined ? startRedis() : { url: givenUrl, close: async () => {} };
}

/** With `settings` beside ours, as `redis-server` takes them: `["--maxmemory", "10mb"]`. */
export async function startRedis(settings: readonly string[] = []): Promise<RedisServer> {
  if (binary === undefined) throw new Error(noRedisServer);
  const folder = makeFolder("redis", undefined);
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const place = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder];
  const durable = ["--save", "", "--appendonly", "yes", "--appendfsync", "always"];
  const command = { file: binary, args: [...place, ...durable, ...settings], folder, account: undefined };
  let server: ServerProcess | undefined;

  const end = async (signal: NodeJS.Signals) => {
    server?.signal(signal);
    await server?.ended;
  };
  const self: RedisServer = {
    url,
    async start() {
      const starting = startProcess(command);
      server = starting;
      await untilReady(starting, () => answers(url));
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

/** While it reads its file, a server refuses everything. */
async function answers(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: null });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.ping();
  } finally {
    client.disconnect();
  }
}
