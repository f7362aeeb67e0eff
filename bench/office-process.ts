import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startDlo } from "../test/cli/dlo.ts";
import { freePort } from "../test/servers/server-process.ts";

/** An office as a process of its own, and somebody who is signed in there. */
export interface BenchedOffice {
  readonly url: string;
  /** Name and value. */
  readonly cookie: readonly [string, string];
  close(): Promise<void>;
}

export async function startBenchOffice(where: {
  readonly database: string;
  readonly data: string;
}): Promise<BenchedOffice> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { DLO_DATA: where.data, DATABASE_URL: where.database };
  const child = startDlo(["up", "--listen", `127.0.0.1:${port}`], env);
  child.stdout?.resume();
  child.stderr?.resume();
  const ended = once(child, "close");
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
    if (child.exitCode !== null) throw new Error(`The office ended with ${child.exitCode}.`);
    await pause(200);
  }
  return {
    ...{ url, cookie: await firstAdmin(url, where.data) },
    async close() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** As a browser makes itself the first admin. */
async function firstAdmin(url: string, data: string): Promise<readonly [string, string]> {
  const code = readFileSync(join(data, "first-run"), "utf8").trim().split("#")[1];
  const response = await fetch(`${url}/auth/setup`, {
    method: "POST",
    headers: { origin: url, "x-dlo-csrf": "1", "content-type": "application/json" },
    body: JSON.stringify({ code, name: "bench", password: crypto.randomUUID() }),
  });
  const [name = "", value = ""] = String(response.headers.get("set-cookie")).split(";")[0]?.split("=") ?? [];
  if (!response.ok) throw new Error(`Nobody could sign in: ${response.status}.`);
  return [name, value];
}
