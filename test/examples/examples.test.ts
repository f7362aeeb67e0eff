import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres, postgresDatabase } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { startExample } from "./start-example.ts";

describe("the example in process", () => {
  it("makes every picture but the broken one, which it quarantines", async () => {
    const { ended, lines } = startExample("in-process/main.ts");
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
    const first = startExample("pglite/main.ts", [folder]);
    await first.ended;
    expect(first.lines()).toEqual(["came before: order-1", "order 1: 250 cents", "order 2: 250 cents"]);
    const second = startExample("pglite/main.ts", [folder]);
    await second.ended;
    expect(second.lines().filter((line) => line.startsWith("order "))).toEqual(first.lines().slice(1));
  });
});

describeServer("the example on PostgreSQL", noPostgres, () => {
  it("charges each order once, dead-letters the rest, and stops when it is told to", async () => {
    const database = await postgresDatabase();
    const env = { DATABASE_URL: database.url };
    const pool = new pg.Pool({ connectionString: database.url });
    const worker = startExample("postgres/worker.ts", [], env);
    try {
      await eventually(() => worker.lines().includes("working"), { withinMs: 120_000 });
      await startExample("postgres/send-orders.ts", ["40"], env).ended;
      await startExample("postgres/send-orders.ts", ["40"], env).ended;
      const waiting = "select from dlo.messages where queue = 'orders'";
      await eventually(async () => (await pool.query(waiting)).rowCount === 0, { withinMs: 120_000 });
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

describeServer("the example on RabbitMQ", noRabbitmq, () => {
  const rabbitmq = useRabbitmq();

  it("charges an order at once and one in the end, and dead-letters the one that costs nothing", async () => {
    const { ended, lines } = startExample("rabbitmq/main.ts", [], { RABBITMQ_URL: rabbitmq.url });
    await ended;
    expect(lines()).toEqual(
      expect.arrayContaining([
        "order 1: charged 250 cents, attempt 1",
        "order 2: charged 990 cents, attempt 3",
        "dead letter in orders.dlq: unprocessable",
      ]),
    );
  });
});

describeServer("the shop on", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();

  it.each(["fastify", "nestjs"])("%s charges what was ordered, and stops when it is told to", async (framework) => {
    const shop = startExample(`${framework}/main.ts`, [], { DATABASE_URL: postgres.url, RABBITMQ_URL: rabbitmq.url });
    try {
      const address = () => shop.lines().find((line) => line.startsWith("listening on "));
      await eventually(() => address() !== undefined, { withinMs: 120_000 });
      const url = `${address()?.replace("listening on ", "")}/orders`;
      const [good, free] = await Promise.all([placeOrder(url, 250), placeOrder(url, 0)]);
      await eventually(async () => (await stateOf(url, good)) === "charged", { withinMs: 120_000 });
      expect(await stateOf(url, free)).toBe("placed");
    } finally {
      shop.child.kill("SIGTERM");
    }
    await shop.ended;
  });
});

async function placeOrder(url: string, cents: number): Promise<number> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ cents }) });
  expect(response.ok).toBe(true);
  return ((await response.json()) as { readonly id: number }).id;
}

async function stateOf(url: string, id: number): Promise<string> {
  return ((await (await fetch(`${url}/${id}`)).json()) as { readonly state: string }).state;
}
