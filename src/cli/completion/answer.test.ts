import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeClock } from "../../testing/fake-clock.ts";
import { answer } from "./answer.ts";

const groups = [
  { id: "grp_01JC", title: "TimeoutError: no answer\u001b[2J", open: 12 },
  { id: "grp_01JD", title: "RangeError", open: 1 },
];
const counts = ["orders", "order-events", "$(reboot)", "-rf"].map((queue) => ({ source: "shop", queue, n: 3 }));

let folder: string;
let office: Server;
let asked: string[];
let answers: boolean;
let env: Record<string, string>;
const clock = fakeClock();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "dlo-answer-"));
  asked = [];
  answers = true;
  office = createServer(({ url = "" }, response) => {
    asked.push(url);
    const [path] = url.replace("/api/v1/", "").split("?");
    if (answers) response.end(JSON.stringify(path === "queues" ? { counts } : { items: groups }));
  }).listen(0, "127.0.0.1");
  await once(office, "listening");
  const server = `http://127.0.0.1:${(office.address() as AddressInfo).port}`;
  env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: join(folder, "cache"), DLO_SERVER: server };
  signIn("ops-1");
});

afterEach(() => {
  office.closeAllConnections();
  office.close();
  rmSync(folder, { recursive: true, force: true });
});

function signIn(person: string): void {
  mkdirSync(join(folder, "dlo"), { recursive: true });
  const stored = { [env.DLO_SERVER ?? ""]: { secret: person, person, expiresAt: null } };
  writeFileSync(join(folder, "dlo", "credentials.json"), JSON.stringify(stored), { mode: 0o600 });
}

async function told(...args: readonly string[]): Promise<readonly string[]> {
  let written = "";
  const stdout = { write: (text: string | Uint8Array) => (written += String(text)) };
  expect(await answer(args, { stdout, env, clock })).toBe(0);
  return written.split("\n").filter((line) => line !== "");
}

describe("what a shell is told while somebody types", () => {
  it("is what there is, with what it is, made fit for a terminal", async () => {
    expect(await told("GROUP", "groups", "show", "=grp_")).toEqual([
      "grp_01JC\tTimeoutError: no answer\\u{1b}[2J (12 open)",
      "grp_01JD\tRangeError (1 open)",
    ]);
    expect(await told("GROUP", "replay", "plan", "=grp_01JC,grp_01JD")).toEqual([
      "grp_01JC,grp_01JD\tRangeError (1 open)",
    ]);
  });

  it("leaves out names that a shell would read as more", async () => {
    expect(await told("QUEUE", "queues", "show", "=")).toEqual(["orders\t3 letters", "order-events\t3 letters"]);
  });

  it("is kept for 30 s, for the same person at the same office", async () => {
    await told("GROUP", "=");
    await clock.advance(29_000);
    await told("GROUP", "=");
    expect(asked).toHaveLength(1);
    signIn("ops-2");
    await told("GROUP", "=");
    expect(asked).toHaveLength(2);
    await clock.advance(30_000);
    await told("GROUP", "=");
    expect(asked).toHaveLength(3);
  });

  it("asks for replays in the states that the command wants", async () => {
    await told("REPLAY:paused,halted", "replay", "resume", "=");
    expect(asked[0]).toBe("/api/v1/replays?states=paused&states=halted&limit=50");
  });

  it("is fields of a search, then their values, those of the office among them", async () => {
    expect(await told("QUERY", "letters", "-q", "=queue:orders ca")).toContain(
      "queue:orders category:transient\twhat the failure is taken for now",
    );
    expect(asked).toEqual([]);
    expect(await told("QUERY", "letters", "-q", "=-queue:emails,ord")).toEqual([
      "-queue:emails,orders\t3 letters",
      "-queue:emails,order-events\t3 letters",
    ]);
    expect(await told("QUERY", "letters", "-q", "=group:")).toHaveLength(2);
    expect((await told("QUERY", "letters", "-q", "=")).length).toBeGreaterThan(20);
    expect(await told("QUERY", "letters", "-q", '=error:"timed ')).toEqual([]);
  });

  it("is asked for where the line says, and is nothing where no office can be asked", async () => {
    const [away, here] = ["http://127.0.0.1:1", env.DLO_SERVER ?? ""];
    expect(await told("GROUP", "groups", "--server", away, "=")).toEqual([]);
    env = { ...env, DLO_SERVER: away };
    expect(await told("GROUP", "groups", "--server", here, "=")).toHaveLength(2);
    expect(await told("GROUP", "groups", "-c", "nobody", "=")).toEqual([]);
    expect(await told("UNHEARD", "=")).toEqual([]);
    expect(await told()).toEqual([]);
  });

  it("is nothing where the office takes longer than 300 ms", async () => {
    answers = false;
    const silence = told("GROUP", "groups", "show", "=");
    await once(office, "request");
    await clock.advance(300);
    expect(await silence).toEqual([]);
  });

  it("is your contexts, without asking anybody", async () => {
    writeFileSync(
      join(folder, "dlo", "config.yaml"),
      "version: 1\ncontexts:\n  - { name: production, server: 'https://dlo.example' }\n",
    );
    expect(await told("CONTEXT", "inbox", "-c", "=pro")).toEqual(["production\thttps://dlo.example"]);
    expect(asked).toEqual([]);
  });
});
