import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import pg from "pg";
import { shared } from "./one-for-all.ts";
import {
  type Account,
  accountUnlessRoot,
  freePort,
  makeFolder,
  removeFolder,
  type ServerProcess,
  startProcess,
  untilReady,
} from "./server-process.ts";

/** A PostgreSQL of one's own, in a temporary folder. */
export interface PostgresServer {
  readonly port: number;
  url(database?: string): string;
  /** As a crash would: every process of it is killed, nothing is written any more. */
  kill(): Promise<void>;
  /** Ends all connections and stops, without tidying up: the next start recovers. */
  stop(): Promise<void>;
  /** Again, on the same port and data. */
  start(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** One empty database. */
export interface PostgresDatabase {
  readonly url: string;
  close(): Promise<void>;
}

const user = "dlo";
const anyVersion = "/usr/lib/postgresql";

/** Where `postgres` and `initdb` are; the newest version if there are several. */
function findBinaries(): string | undefined {
  const versions = existsSync(anyVersion) ? readdirSync(anyVersion).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(anyVersion, version, "bin")),
    ...(process.env.PATH ?? "").split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, "postgres")) && existsSync(join(folder, "initdb")));
}

const binaries = findBinaries();
const givenUrl = process.env.DLO_TEST_POSTGRES_URL;
const remedy = "apt-get install -y --no-install-recommends postgresql-15";

/** Why no server can be started here, or undefined. */
export const noPostgresServer: string | undefined =
  binaries === undefined ? `PostgreSQL is not installed: ${remedy}` : undefined;

/** Why there is no database to test on, or undefined. */
export const noPostgres: string | undefined =
  givenUrl === undefined && binaries === undefined
    ? `PostgreSQL is not installed: ${remedy}, or set DLO_TEST_POSTGRES_URL`
    : undefined;

/** A new database on the server of `DLO_TEST_POSTGRES_URL`, on the one that tests share, or on one started for it. */
export async function postgresDatabase(): Promise<PostgresDatabase> {
  const url = givenUrl ?? (await shared("postgres"))?.url;
  if (url !== undefined) return databaseOn(url);
  const server = await startPostgres();
  return { url: server.url(), close: () => server.close() };
}

async function databaseOn(url: string): Promise<PostgresDatabase> {
  const name = `dlo_test_${crypto.randomUUID().replaceAll("-", "")}`;
  await ask(url, `create database ${name}`);
  const own = new URL(url);
  own.pathname = `/${name}`;
  return { url: own.href, close: () => ask(url, `drop database if exists ${name} with (force)`) };
}

export async function ask(connectionString: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Starts a server; `settings` are added to those that make tests quick. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  if (binaries === undefined) throw new Error(noPostgresServer);
  const account = accountUnlessRoot("postgres");
  const folder = makeFolder("postgres", account);
  const port = await freePort();
  const url = (database = "postgres") => `postgres://${user}@127.0.0.1:${port}/${database}`;
  await prepare(folder, account);
  const args = ["-D", dataOf(folder), ...flagsOf({ ...quickSettings, ...settings, port: String(port) })];
  let server: ServerProcess | undefined;

  const self: PostgresServer = {
    port,
    url,
    async start() {
      const starting = startProcess({ file: join(binaries, "postgres"), args, folder, account });
      server = starting;
      await untilReady(starting, () => ask(url(), "select 1"));
    },
    async kill() {
      const children = server === undefined ? [] : childrenOf(server.pid);
      server?.signal("SIGKILL");
      for (const pid of children) killQuietly(pid);
      await server?.ended;
      await untilGone(children);
    },
    async stop() {
      server?.signal("SIGQUIT");
      await server?.ended;
    },
    async close() {
      await self.stop();
      removeFolder(folder);
    },
  };
  await self.start();
  return self;
}

/** Commits are safe from the death of the server, which is what is tested; only a power cut would lose them. */
const quickSettings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "on",
  max_connections: "200",
};

function flagsOf(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/** To copy what `initdb` makes takes a tenth of the time. */
async function prepare(folder: string, account: Account | undefined): Promise<void> {
  const made = await shared("postgresData");
  if (made === undefined) initialise(folder, account);
  else execFileSync("cp", ["--archive", made.folder, dataOf(folder)]);
}

/** The data of a new server, for others to copy. */
export function makePostgresData(): { readonly folder: string; remove(): void } {
  const account = accountUnlessRoot("postgres");
  const folder = makeFolder("postgres-data", account);
  initialise(folder, account);
  return { folder: dataOf(folder), remove: () => removeFolder(folder) };
}

function dataOf(folder: string): string {
  return join(folder, "data");
}

function initialise(folder: string, account: Account | undefined): void {
  if (binaries === undefined) throw new Error(noPostgresServer);
  const flags = ["-U", user, "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(binaries, "initdb"), ["-D", dataOf(folder), ...flags], { cwd: folder, stdio: "pipe", ...account });
}

function childrenOf(pid: number): number[] {
  try {
    const listed = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" });
    return listed.split("\n").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself, since its parent did.
  }
}

/** A server does not start while a process of its predecessor is still attached to the shared memory. */
async function untilGone(pids: readonly number[]): Promise<void> {
  while (pids.some(isRunning)) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** What has ended and was not waited for yet is still listed, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
