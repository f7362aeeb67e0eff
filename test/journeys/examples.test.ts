import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { readPages } from "../documents/pages.ts";
import { programsOf } from "../documents/programs.ts";
import { doorsHook, Workshop } from "../documents/workshop.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres, postgresDatabase } from "../servers/postgres.ts";
import { root } from "../sources.ts";

describe("code of the documents that starts a database", () => {
  const workshop = new Workshop();
  const programs = readPages().flatMap(programsOf);
  workshop.write(programs);
  afterAll(() => workshop.clear());

  it.each(programs.filter(({ runs }) => runs === "with a database"))(
    "runs and prints what the page shows: $name",
    async (program) => {
      expect(await workshop.run(program)).toEqual({ exitCode: 0, stderr: "", stdout: program.output ?? "" });
    },
  );
});

describe("the example in process", () => {
  it("makes every picture but the broken one, which it quarantines", async () => {
    const { ended, lines } = start("in-process/main.ts");
    await ended;
    expect(lines()).toEqual(
      expect.arrayContaining([
        "breaker open",
        "breaker closed",
        "bridge: 640 wide",
        "tower: 320 wide",
        expect.stringContaining('pictures.dlq.quarantine.poison: {"name":"harbour","width":-1}'),
      ]),
    );
  });
});

describe("the example on PGlite", () => {
  const folder = mkdtempSync(join(tmpdir(), "dead-letter-office-example-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("charges each order once, also when it is run again on the same folder", async () => {
    const first = start("pglite/main.ts", [folder]);
    await first.ended;
    expect(first.lines()).toEqual(["came before: order-1", "order 1: 250 cents", "order 2: 250 cents"]);
    const second = start("pglite/main.ts", [folder]);
    await second.ended;
    expect(second.lines().filter((line) => line.startsWith("order "))).toEqual(first.lines().slice(1));
  });
});

describeServer("the example on PostgreSQL", noPostgres, () => {
  it("charges each order once, dead-letters the rest, and stops when it is told to", async () => {
    const database = await postgresDatabase();
    const env = { DATABASE_URL: database.url };
    const pool = new pg.Pool({ connectionString: database.url });
    const worker = start("postgres/worker.ts", [], env);
    try {
      await eventually(() => worker.lines().includes("working"), { withinMs: 30_000 });
      await start("postgres/send-orders.ts", ["40"], env).ended;
      await start("postgres/send-orders.ts", ["40"], env).ended;
      const waiting = "select from dlo.messages where queue = 'orders'";
      await eventually(async () => (await pool.query(waiting)).rowCount === 0, { withinMs: 30_000 });
      const charged = await pool.query(
        "select count(*)::int as all, count(distinct order_id)::int as orders from payments",
      );
      expect(charged.rows).toEqual([{ all: 36, orders: 36 }]);
      const dead = await pool.query("select from dlo.messages where queue = 'orders.dlq'");
      // Only success is remembered: each order that costs nothing is refused both times.
      expect(dead.rowCount).toBe(8);
    } finally {
      worker.child.kill("SIGTERM");
      await worker.ended;
      await pool.end();
      await database.close();
    }
    expect(worker.lines().at(-1)).toBe("stopped");
  });
});

interface Running {
  readonly child: ChildProcess;
  /** Rejects with what it complained about if it ended badly. */
  readonly ended: Promise<void>;
  /** What it has printed to stdout so far. */
  lines(): string[];
}

/** Starts an example on the sources. */
function start(path: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Running {
  const child = spawn(process.execPath, ["--import", doorsHook, join(root, "examples", path), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env, NODE_OPTIONS: "" },
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = new Promise<void>((resolve, reject) => {
    child.on("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`${path} ended with ${code}: ${stderr()}`)),
    );
  });
  return { child, ended, lines: () => stdout().trim().split("\n") };
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
