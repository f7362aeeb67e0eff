import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Certificate } from "./certificate.ts";
import { shared } from "./one-for-all.ts";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess, untilReady } from "./server-process.ts";
import { virtualHost } from "./virtual-host.ts";

/** A RabbitMQ of one's own, in a temporary folder. */
export interface RabbitmqServer {
  readonly url: string;
  /** The same over TLS, if it was given a certificate. */
  readonly secureUrl: string;
  /** Its management API, with the name and password in it. */
  readonly managementUrl: string;
  /** As a crash would: nothing is written any more. */
  kill(): Promise<void>;
  /** Closes all connections and stops. */
  stop(): Promise<void>;
  /** Again, on the same ports and data. */
  start(): Promise<void>;
  /** Runs `rabbitmqctl`. */
  control(...args: readonly string[]): Promise<void>;
  /** Asks its management API, and gives what it answers; nobody checks that it is an `Answer`. */
  manage<Answer = unknown>(method: "GET" | "DELETE", path: string): Promise<Answer>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** A broker to test on; whose it is, is not said. */
export interface RabbitmqBroker {
  readonly url: string;
  /** Empty where a broker was given to the tests by its address alone. */
  readonly managementUrl: string;
  close(): Promise<void>;
}

const run = promisify(execFile);

/** Debian's own start script, behind the one that changes the user and works in /var. */
const script = ["/usr/lib/rabbitmq/bin", "/usr/local/sbin", "/opt/rabbitmq/sbin"]
  .map((folder) => join(folder, "rabbitmq-server"))
  .find((file) => existsSync(file));
const epmd = [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"]
  .map((folder) => join(folder, "epmd"))
  .find((file) => existsSync(file));
const givenUrl = process.env.DLO_TEST_RABBITMQ_URL;
const remedy = "apt-get install -y --no-install-recommends rabbitmq-server";

/** Why no server can be started here, or undefined. */
export const noRabbitmqServer: string | undefined =
  script === undefined || epmd === undefined ? `RabbitMQ is not installed: ${remedy}` : undefined;

/** Why there is no broker to test on, or undefined. */
export const noRabbitmq: string | undefined =
  givenUrl === undefined && noRabbitmqServer !== undefined
    ? `${noRabbitmqServer}, or set DLO_TEST_RABBITMQ_URL`
    : undefined;

/** The broker of `DLO_TEST_RABBITMQ_URL`, a virtual host on the one that tests share, or one started for it. */
export async function rabbitmqBroker(): Promise<RabbitmqBroker> {
  if (givenUrl !== undefined) return { url: givenUrl, managementUrl: "", close: async () => {} };
  const used = await shared("rabbitmq");
  return used === undefined ? startRabbitmq() : virtualHost(used);
}

export interface RabbitmqOptions {
  /** With one it listens over TLS, too. */
  readonly certificate?: Certificate;
  /** Those it has besides its management. @default none */
  readonly plugins?: readonly string[];
}

export async function startRabbitmq(options: RabbitmqOptions = {}): Promise<RabbitmqServer> {
  if (script === undefined || epmd === undefined) throw new Error(noRabbitmqServer);
  const folder = makeFolder("rabbitmq", undefined);
  const ports = {
    amqp: await freePort(),
    amqps: await freePort(),
    management: await freePort(),
    node: await freePort(),
    epmd: await freePort(),
  };
  const environment = configure(folder, ports, options);
  // A port mapper of its own: one that the server starts by itself would outlive it, and be shared with strangers.
  const mapper = startProcess({
    file: epmd,
    args: ["-port", String(ports.epmd), "-address", "127.0.0.1"],
    folder: join(folder, "epmd"),
    account: undefined,
  });
  let server: ServerProcess | undefined;

  const end = async (signal: NodeJS.Signals) => {
    server?.signal(signal);
    await server?.ended;
  };
  const self: RabbitmqServer = {
    url: `amqp://guest:guest@127.0.0.1:${ports.amqp}`,
    secureUrl: `amqps://guest:guest@127.0.0.1:${ports.amqps}`,
    managementUrl: `http://guest:guest@127.0.0.1:${ports.management}`,
    async start() {
      const starting = startProcess({ file: "env", args: [...environment, script], folder, account: undefined });
      server = starting;
      // It takes messages before it can be managed.
      const isUp = () => Promise.all([listening(ports.amqp), manage(ports.management, "GET", "/api/whoami")]);
      await untilReady(starting, isUp, 240_000);
    },
    async control(...args) {
      await run("env", [...environment, join(dirname(script), "rabbitmqctl"), ...args]);
    },
    manage: (method, path) => manage(ports.management, method, path),
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    async close() {
      await end("SIGKILL");
      mapper.signal("SIGKILL");
      await mapper.ended;
      removeFolder(folder);
    },
  };
  await self.start();
  return self;
}

interface Ports {
  readonly amqp: number;
  readonly amqps: number;
  readonly management: number;
  readonly node: number;
  readonly epmd: number;
}

/** Writes its configuration, and returns the environment it needs. */
function configure(folder: string, ports: Ports, { certificate, plugins = [] }: RabbitmqOptions): string[] {
  for (const name of ["mnesia", "logs", "home", "conf", "epmd"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "env.conf"), "");
  writeFileSync(join(folder, "enabled_plugins"), `[${["rabbitmq_management", ...plugins].join(",")}].\n`);
  writeFileSync(
    join(folder, "rabbitmq.conf"),
    `${[...settings(ports), ...tlsSettings(folder, ports, certificate)].join("\n")}\n`,
  );
  const variables = {
    HOME: join(folder, "home"),
    ERL_EPMD_PORT: ports.epmd,
    ERL_EPMD_ADDRESS: "127.0.0.1",
    // Lets the script become the server, so that signals reach it and its end is seen.
    RUNNING_UNDER_SYSTEMD: "true",
    RABBITMQ_NODENAME: `dlo${ports.amqp}@localhost`,
    RABBITMQ_CONF_ENV_FILE: join(folder, "env.conf"),
    RABBITMQ_CONFIG_FILE: join(folder, "rabbitmq"),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, "enabled_plugins"),
    RABBITMQ_MNESIA_BASE: join(folder, "mnesia"),
    RABBITMQ_LOG_BASE: join(folder, "logs"),
    RABBITMQ_GENERATED_CONFIG_DIR: join(folder, "conf"),
    RABBITMQ_PID_FILE: join(folder, "pid"),
    RABBITMQ_DIST_PORT: ports.node,
    // Quorum queues count their messages twice a second, not every five: whoever asks should not wait for long.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      "+S 2:2 +sbwt none -rabbit quorum_tick_interval 500 -kernel inet_dist_use_interface {127,0,0,1}",
  };
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

function settings({ amqp, management }: Ports): string[] {
  return [
    `listeners.tcp.1 = 127.0.0.1:${amqp}`,
    "management.tcp.ip = 127.0.0.1",
    `management.tcp.port = ${management}`,
    "vm_memory_high_watermark.absolute = 1GB",
    "disk_free_limit.absolute = 50MB",
    "collect_statistics_interval = 1000",
    "log.file.level = warning",
  ];
}

function tlsSettings(folder: string, { amqps }: Ports, certificate: Certificate | undefined): string[] {
  if (certificate === undefined) return [];
  const files = { certificate: join(folder, "conf", "certificate.pem"), key: join(folder, "conf", "key.pem") };
  writeFileSync(files.certificate, certificate.certificate);
  writeFileSync(files.key, certificate.key);
  return [
    `listeners.ssl.1 = 127.0.0.1:${amqps}`,
    `ssl_options.certfile = ${files.certificate}`,
    `ssl_options.keyfile = ${files.key}`,
  ];
}

async function manage<Answer>(port: number, method: string, path: string): Promise<Answer> {
  const authorization = `Basic ${btoa("guest:guest")}`;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { authorization } });
  if (!response.ok) throw new Error(`RabbitMQ's management said ${response.status} to ${method} ${path}`);
  const text = await response.text();
  return (text === "" ? null : JSON.parse(text)) as Answer;
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
