import type { ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect } from "vitest";
import { officeClient } from "../../src/http/client.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { exitCodeOf, startDlo } from "../cli/dlo.ts";
import { freePort } from "../servers/server-process.ts";
import { cookieAt } from "./cookie-at.ts";

export const minuteMs = 60_000;

export interface UpOffice {
  readonly child: ChildProcess;
  readonly url: string;
  /** What it has written to stderr so far. */
  said(): string;
}

interface UpHow {
  /** What it does, without any doors. */
  readonly only?: string;
  /** It does nothing but answer. @default false */
  readonly isOnlyPages?: boolean;
  readonly port?: number;
  /** As its configuration has it, without a slash at the end. @default "" */
  readonly basePath?: string;
}

/** Processes of `dlo up` for the tests of one file or `describe`, ended after each test or all of them. */
export function useOffices({ until = "each test" }: { readonly until?: "each test" | "the end" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "dlo-up-"));
  const running: ChildProcess[] = [];
  const end = async () => {
    for (const child of running.splice(0)) {
      if (child.exitCode === null && child.kill("SIGKILL")) await exitCodeOf(child);
    }
  };
  if (until === "each test") afterEach(end);
  afterAll(async () => {
    await end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** With `only` it has no doors, and is known to live by its health alone. */
  async function up(
    env: Readonly<Record<string, string>>,
    config = "version: 1\n",
    { only, port: given, isOnlyPages = false, basePath = "" }: UpHow = {},
  ): Promise<UpOffice> {
    const port = given ?? (await freePort());
    const file = join(folder, `${port}.yaml`);
    writeFileSync(file, config);
    const doors = isOnlyPages ? ["--only", "http", "--listen"] : ["--listen"];
    const how = only === undefined ? doors : ["--only", only, "--metrics-listen"];
    const child = startDlo(["up", ...how, `127.0.0.1:${port}`, "--config", file], env);
    running.push(child);
    child.stdout?.resume();
    let said = "";
    child.stderr?.on("data", (text) => {
      said += String(text);
    });
    const url = `http://127.0.0.1:${port}`;
    const [path, word] = only === undefined ? [`${basePath}/readyz`, "ready"] : ["/healthz", "ok"];
    await eventually(async () => expect(await (await fetch(`${url}${path}`)).text()).toBe(word), {
      withinMs: 3 * minuteMs,
    });
    return { child, url, said: () => said };
  }
  return { folder, up };
}

/** Makes the first admin as a browser would, and gives the cookie. */
export async function enrol(url: string, data: string): Promise<string> {
  const file = join(data, "first-run");
  await eventually(() => existsSync(file), { withinMs: minuteMs });
  return enrolWith(url, { code: readFileSync(file, "utf8").trim().split("#")[1] ?? "", name: "ana" });
}

export async function enrolWith(
  url: string,
  who: { readonly code: string; readonly name: string | null },
): Promise<string> {
  const response = await fetch(`${url}/auth/setup`, {
    method: "POST",
    headers: { origin: url, "x-dlo-csrf": "1", "content-type": "application/json" },
    body: JSON.stringify({ ...who, password: "correct horse battery" }),
  });
  expect(response.status).toBe(200);
  return String(response.headers.get("set-cookie")).split(";")[0] ?? "";
}

/** Asks as the page of that office does: a session is good for every process of an office. */
export function clientOf(url: string, cookie: string) {
  const own = cookieAt(Number(new URL(url).port), cookie);
  const withCookie: typeof fetch = (target, options) =>
    fetch(target, {
      ...options,
      headers: { ...options?.headers, cookie: own, origin: new URL(url).origin, "x-dlo-csrf": "1" },
    });
  return officeClient({ url, fetch: withCookie });
}
