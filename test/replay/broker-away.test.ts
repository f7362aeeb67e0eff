import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { createConsumer, makeMessage, officeReports } from "../../src/index.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { dloHere, terminal } from "../cli/terminal.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmqServer, type RabbitmqServer, startRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { brokers, failOne, makeSettings, noBroker, type Setting, useBrokers } from "./broker-settings.ts";

const minuteMs = 60_000;

interface Plan {
  readonly id: string;
  readonly state: string;
  readonly counts: { readonly sent: number; readonly ackRequired: number; readonly inDoubt: number };
  readonly reasons: readonly { readonly code: string; readonly sentence: string }[];
  readonly waitsFor: { readonly why: string } | null;
}

describeServer("a replay whose RabbitMQ is stopped", noPostgres ?? noRabbitmqServer, () => {
  const postgres = usePostgres();
  let server: RabbitmqServer;
  beforeAll(async () => {
    server = await startRabbitmq();
  }, 5 * minuteMs);
  afterAll(() => server?.close());

  /** One person at a terminal. */
  function desk() {
    const folder = mkdtempSync(join(tmpdir(), "dlo-away-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "dlo.config.yaml");
    const source = `{ name: s, broker: rabbitmq, url: "${server.url}", management: "${server.managementUrl}" }`;
    writeFileSync(file, `version: 1\nsources:\n  - ${source}\n`);
    const run = (...line: string[]) =>
      dloHere([...line, "--config", file], { DATABASE_URL: postgres.url, USER: "ops-1" });
    const json = async <Answer>(...line: string[]) => JSON.parse((await run(...line, "--json")).stdout) as Answer;
    return { run, json };
  }

  /** Fails all that it gets until it is told that its cause is gone. */
  function openShop() {
    const shop = { isDown: true, charged: 0, transport: rabbitmqTransport({ url: server.url }) };
    const reports = officeReports({ transport: shop.transport });
    const consumer = createConsumer({
      ...{ transport: shop.transport, queue: { name: "orders" }, service: "shop", version: "1", breaker: false },
      ...{ retry: { maxAttempts: 1 }, observers: [reports] },
      handler: async () => {
        if (shop.isDown) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        shop.charged += 1;
      },
    });
    void consumer.start();
    onTestFinished(async () => {
      await consumer.stop();
      await reports.close();
      await shop.transport.close();
    });
    return shop;
  }

  it("waits for it, says for what, and goes on when it is back: no letter is lost or in doubt", {
    timeout: 10 * minuteMs,
  }, async () => {
    const { run, json } = desk();
    const shop = openShop();
    for (const n of [1, 2, 3]) await shop.transport.send({ name: "orders" }, makeMessage({ body: `{"id":${n}}` }));
    await eventually(
      async () => {
        await run("drain", "s/orders.dlq", "--idle", "500ms");
        const { items } = await json<{ readonly items: readonly unknown[] }>("letters", "-q", "state:open");
        expect(items).toHaveLength(3);
      },
      { withinMs: minuteMs },
    );
    shop.isDown = false;
    const plan = await json<Plan>("replay", "plan", "-q", "state:open");
    const asked = await run("replay", "ask", plan.id, "--reason", "payments is back");
    const approve = /Next: dlo (.+) --as WHO/.exec(asked.stdout)?.[1]?.split(" ") ?? [];
    expect((await run(...approve, "--as", "ops-2")).code).toBe(0);

    await server.stop();
    // Both of its ports are closed: it is the broker that is away, not its management API.
    const away = `${new URL(server.url).host} refused the connection`;
    const unchecked = await json<Plan>("replay", "plan", "-q", "state:open");
    expect(unchecked.reasons).toMatchObject([
      { code: "destination.not_checked", sentence: expect.stringContaining(away) as string },
    ]);

    const running = run("replay", "run", plan.id, "--expect-count", "3");
    await eventually(
      async () => {
        const waiting = await run("replay", "show", plan.id);
        expect(waiting.stdout.replaceAll(/\s+/g, " ")).toContain(`: ${away}. It goes on when the broker answers`);
      },
      { withinMs: minuteMs },
    );
    expect(await json<Plan>("replay", "show", plan.id)).toMatchObject({
      ...{ state: "running", waitsFor: { why: away }, counts: { sent: 0, inDoubt: 0 } },
    });

    await server.start();
    const ended = await running;
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining("3 confirmed")]);
    expect(ended.stderr).toContain(`waits: ${away}`);
    expect([shop.charged, (await json<Plan>("replay", "show", plan.id)).waitsFor]).toEqual([3, null]);
  });
});

describeServer("a replay whose broker closes all connections", noBroker, () => {
  const ledger = usePostgres();
  const servers = useBrokers();
  const stop = new AbortController();
  const folder = mkdtempSync(join(tmpdir(), "dlo-away-"));
  const configFile = join(folder, "dlo.config.yaml");
  let settings: readonly Setting[] = [];
  const run = (...line: string[]) =>
    terminal([...line, "--config", configFile], {
      env: { DATABASE_URL: ledger.url, USER: "ops-1" },
      signal: stop.signal,
    });
  const json = async <Answer>(...line: string[]) => JSON.parse((await run(...line, "--json")).stdout) as Answer;

  beforeAll(async () => {
    settings = await makeSettings(`away-${crypto.randomUUID().slice(0, 8)}`, servers);
    const lines = settings.map(({ broker, config }) => `  - { name: at-${broker}, ${config} }`);
    writeFileSync(configFile, `version: 1\nsources:\n${lines.join("\n")}\n`);
    for (const setting of settings) await failOne(setting);
  });
  afterAll(async () => {
    await Promise.all(settings.flatMap(({ proxies }) => proxies.map((proxy) => proxy.close())));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A replay of the one letter of that source, with all that it takes to run it. */
  async function startedAt({ broker, letters }: Setting): Promise<string> {
    await eventually(
      async () => {
        await run("drain", `at-${broker}/${letters}`, "--idle", "500ms");
        const { items } = await json<{ readonly items: readonly unknown[] }>("letters", "-q", `source:at-${broker}`);
        expect([broker, items]).toEqual([broker, [expect.anything()]]);
      },
      { withinMs: 2 * minuteMs },
    );
    const plan = await json<Plan>("replay", "plan", "-q", `source:at-${broker}`);
    const asked = await run("replay", "ask", plan.id, "--reason", "payments is back");
    const approve = /Next: dlo (replay approve .+) --as WHO/.exec(asked.stdout)?.[1]?.split(" ") ?? [];
    if (approve.length > 0) await run(...approve, "--as", "ops-2");
    return plan.id;
  }

  it("waits on each broker, and sends once when it is back", { timeout: 10 * minuteMs }, async () => {
    const replays = new Map<string, string>();
    for (const setting of settings) replays.set(setting.broker, await startedAt(setting));
    const proxies = settings.flatMap((each) => each.proxies);
    for (const proxy of proxies) {
      proxy.break({ accept: "reset" });
      proxy.reset();
    }
    const running = [...replays.values()].map((id) => run("replay", "run", id, "--expect-count", "1"));
    const standings = () =>
      Promise.all(settings.map(({ broker }) => json<Plan>("replay", "show", replays.get(broker) ?? "")));
    await eventually(
      async () => {
        const waits = (await standings()).map(({ state, waitsFor, counts }, index) => {
          const { broker = "", where = "" } = settings[index] ?? {};
          return [broker, state, waitsFor?.why.includes(where), counts.sent, counts.inDoubt];
        });
        expect(waits).toEqual(brokers.map((broker) => [broker, "running", true, 0, 0]));
      },
      { withinMs: 2 * minuteMs },
    );
    for (const proxy of proxies) proxy.heal();
    await eventually(
      async () => {
        const sent = (await standings()).map(({ counts }, index) => [
          settings[index]?.broker,
          counts.sent,
          counts.inDoubt,
        ]);
        expect(sent).toEqual(brokers.map((broker) => [broker, 1, 0]));
      },
      { withinMs: 2 * minuteMs },
    );
    stop.abort();
    await Promise.all(running);
  });
});
