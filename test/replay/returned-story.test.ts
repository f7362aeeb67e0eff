import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createConsumer, makeMessage, officeReports } from "../../src/index.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { dloHere } from "../cli/terminal.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";

interface Attempt {
  readonly n: number;
  readonly run: number;
  readonly replay: string | null;
  readonly waitMs: number | null;
  readonly waitedMs: number | null;
}

interface Setting {
  readonly config: string;
  readonly databaseUrl: string;
  open(): Transport;
}

const plannedMs = 40;

/** A consumer of one version, each of whose attempts fails with that error. */
function startConsumer(open: () => Transport, version: string, error: Error) {
  const transport = open();
  const reports = officeReports({ transport });
  const consumer = createConsumer({
    ...{ transport, queue: { name: "orders" }, service: "shop", version, instance: `shop-${version}`, breaker: false },
    retry: { maxAttempts: 2, backoff: { strategy: "fixed", delayMs: plannedMs, jitter: "none" }, budget: false },
    observers: [reports],
    handler: () => Promise.reject(error),
  });
  void consumer.start();
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await consumer.stop();
    await reports.close();
    await transport.close();
  };
  onTestFinished(stop);
  return { transport, stop };
}

/** Fails, is replayed to a newer version, and fails there in another way. */
async function failTwice({ config, databaseUrl, open }: Setting): Promise<Story> {
  const folder = mkdtempSync(join(tmpdir(), "dlo-returned-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "dlo.config.yaml");
  writeFileSync(file, `version: 1\nsources:\n  - ${config}\n`);
  const run = (...line: string[]) => dloHere([...line, "--config", file], { DATABASE_URL: databaseUrl, USER: "ops-1" });
  const json = async <Answer>(...line: string[]) => JSON.parse((await run(...line, "--json")).stdout) as Answer;

  const refused = Object.assign(new Error("connect ECONNREFUSED payments:443"), { code: "ECONNREFUSED" });
  const first = startConsumer(open, "1.8.2", refused);
  await first.transport.send({ name: "orders" }, makeMessage({ body: '{"id":"o-1"}', key: "k-1" }));
  let id = "";
  await eventually(
    async () => {
      await run("drain", "s/orders.dlq", "--idle", "500ms");
      const { items } = await json<{ readonly items: readonly { readonly id: string }[] }>("letters");
      expect(items).toHaveLength(1);
      id = items[0]?.id ?? "";
    },
    { withinMs: 60_000 },
  );
  await first.stop();

  startConsumer(open, "1.9.0", Object.assign(new Error("upstream reset"), { code: "ECONNRESET" }));
  const plan = await json<{ readonly id: string; readonly approvalHash: string }>("replay", "plan", "--id", id);
  await run("replay", "ask", plan.id, "--reason", "payments is back");
  const said = await run("replay", "approve", plan.id, "--hash", plan.approvalHash, "--as", "ops-2");
  expect([said.code, said.stderr]).toEqual([0, expect.not.stringContaining("error")]);
  const ended = await run("replay", "run", plan.id, "--expect-count", "1");
  expect([ended.code, ended.stdout]).toEqual([7, expect.stringContaining("1 returned")]);

  return { letter: id, replay: plan.id, run, json };
}

/** A letter that failed again, and the terminal of whoever looks. */
interface Story {
  readonly letter: string;
  readonly replay: string;
  run(...line: string[]): ReturnType<typeof dloHere>;
  json<Answer>(...line: string[]): Promise<Answer>;
}

async function readStory({ letter: id, replay, run, json }: Story): Promise<void> {
  const { attempts } = await json<{ readonly attempts: readonly Attempt[] }>("letters", "history", id);
  const own = {
    consumer: "shop",
    version: "1.8.2",
    process: "shop-1.8.2",
    host: hostname(),
    errorCode: "ECONNREFUSED",
  };
  const later = { ...own, version: "1.9.0", process: "shop-1.9.0", errorCode: "ECONNRESET" };
  expect(attempts).toMatchObject([
    { ...own, run: 1, replay: null, n: 1, waitedMs: null, outcome: "retried" },
    { ...own, run: 1, replay: null, n: 2, waitMs: plannedMs, outcome: "dead_lettered" },
    { ...later, run: 2, replay: replay, n: 1, waitedMs: null, outcome: "retried" },
    { ...later, run: 2, replay: replay, n: 2, waitMs: plannedMs, outcome: "dead_lettered" },
  ]);
  // Without the time that a handler takes: what is planned is the least.
  for (const { waitedMs } of [attempts[1], attempts[3]] as Attempt[]) {
    expect(waitedMs).toBeGreaterThanOrEqual(plannedMs);
  }

  const { stdout } = await run("letters", "history", id);
  const told = stdout.match(/shop@\S+|by rpl_\w+/g);
  expect(told?.slice(0, 5)).toEqual([
    ...["shop@1.8.2#shop-1.8.2", "shop@1.8.2#shop-1.8.2", `by ${replay}`],
    ...["shop@1.9.0#shop-1.9.0", "shop@1.9.0#shop-1.9.0"],
  ]);

  // The letter as it is now: where and how it died last.
  const shown = await json<{
    readonly headers: readonly (readonly [string, string, string])[];
    readonly process: string;
    readonly stack: string;
  }>("letters", "show", id);
  expect(shown).toMatchObject({
    state: "returned",
    consumerVersion: "1.9.0",
    host: hostname(),
    errorCode: "ECONNRESET",
  });
  expect(shown.process).toContain("shop-1.9.0");
  expect(shown.stack).toContain("upstream reset");
  const headers = Object.fromEntries(shown.headers.map(([name, , value]) => [name, value]));
  expect(headers["dlo-consumer"]).toContain("1.9.0");
  expect((await run("letters", "show", id)).stdout).toContain("consumer: shop@1.9.0");
}

describeServer("a letter that failed again after its replay, on PostgreSQL", noPostgres, () => {
  const postgres = usePostgres();
  it("tells of both runs, and shows where and how it died last", async () => {
    const setting = {
      config: `{ name: s, broker: postgres, url: "${postgres.url}" }`,
      databaseUrl: postgres.url,
      open: () => postgresTransport({ database: postgres.database }),
    };
    await readStory(await failTwice(setting));
  });
});

describeServer("a letter that failed again after its replay, on RabbitMQ", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  it("tells of both runs, and shows where and how it died last", async () => {
    const management = rabbitmq.managementUrl === "" ? "" : `, management: "${rabbitmq.managementUrl}"`;
    const setting = {
      config: `{ name: s, broker: rabbitmq, url: "${rabbitmq.url}"${management} }`,
      databaseUrl: postgres.url,
      open: () => rabbitmqTransport({ url: rabbitmq.url }),
    };
    await readStory(await failTwice(setting));
  });
});
