import { existsSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ask } from "./postgres.ts";
import { accountUnlessRoot, freePort, makeFolder, removeFolder, startProcess, untilReady } from "./server-process.ts";

const binary = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "pgbouncer"))
  .find((file) => existsSync(file));

/** Why there is no PgBouncer to test with, or undefined. */
export const noPgBouncer: string | undefined =
  binary === undefined ? "PgBouncer is not installed: apt-get install -y --no-install-recommends pgbouncer" : undefined;

/** PgBouncer in transaction mode in front of a server: each transaction may get another of few server connections. */
export async function startPgBouncer(url: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  if (binary === undefined) throw new Error(noPgBouncer);
  const account = accountUnlessRoot("postgres");
  const folder = makeFolder("pgbouncer", account);
  const port = await freePort();
  const target = new URL(url);
  const own = new URL(url);
  own.host = `127.0.0.1:${port}`;
  writeFileSync(join(folder, "pgbouncer.ini"), configuration(target, port));
  const server = startProcess({ file: binary, args: [join(folder, "pgbouncer.ini")], folder, account });
  await untilReady(server, () => ask(own.href, "select 1"));
  return {
    url: own.href,
    async close() {
      server.signal("SIGQUIT");
      await server.ended;
      removeFolder(folder);
    },
  };
}

function configuration(target: URL, port: number): string {
  const password = target.password === "" ? "" : ` password=${decodeURIComponent(target.password)}`;
  return [
    "[databases]",
    `* = host=${target.hostname} port=${target.port || "5432"} user=${decodeURIComponent(target.username)}${password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 4",
    "max_client_conn = 200",
  ].join("\n");
}
