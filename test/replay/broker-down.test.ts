import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { buildWeb } from "../../scripts/build-web.mjs";
import { type OpenedOffice, openOffice } from "../../src/compose.ts";
import type { OutputOf } from "../../src/http/client.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { dloHere } from "../cli/terminal.ts";
import { enrol, minuteMs, useOffices } from "../http/up-process.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { complaintsOf, expectToBeSound } from "../web/office-in-browser.ts";
import { brokers, failOne, makeSettings, noBroker, type Setting, useBrokers } from "./broker-settings.ts";

const ana = { id: "ana", kind: "human", roles: ["admin"] } as const;
/** As long as a page may be held up by brokers, in milliseconds, on a busy machine. */
const aFewSeconds = 8_000;

const missing = noBroker ?? noChromium;

describeServer("letters of a broker that is down", missing, () => {
  const ledger = usePostgres();
  const servers = useBrokers();
  const { up } = useOffices();
  const name = `down-${crypto.randomUUID().slice(0, 8)}`;
  const folder = mkdtempSync(join(tmpdir(), "dlo-down-"));
  const configFile = join(folder, "dlo.config.yaml");
  const settings = new Map<string, Setting>();
  const letters = new Map<string, string>();
  let connected: OpenedOffice;
  let plannedBefore: OutputOf<"replays.plan">;

  const officeOf = () =>
    openOffice({
      ...{ databaseUrl: ledger.url, dataFolder: join(folder, "data"), configFile, env: {}, version: "1.2.3" },
    });

  beforeAll(async () => {
    const all = await makeSettings(name, servers);
    const lines = all.map(({ broker, config }) => `  - { name: at-${broker}, ${config} }`);
    writeFileSync(configFile, `version: 1\nsources:\n${lines.join("\n")}\n`);
    connected = await officeOf();
    for (const setting of all) {
      const { broker, letters: queue } = setting;
      settings.set(broker, setting);
      await failOne(setting);
      await eventually(
        async () => {
          await connected.call("queues.drain", ana, { source: `at-${broker}`, queue, idleMs: 200 });
          const { items } = await connected.call("letters.list", ana, { q: `source:at-${broker}` });
          expect(items).toHaveLength(1);
          letters.set(broker, items[0]?.id ?? "");
        },
        { withinMs: 120_000 },
      );
    }
  });
  afterAll(async () => {
    await connected?.close();
    for (const { proxies } of settings.values()) await Promise.all(proxies.map((proxy) => proxy.close()));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const proxies = () => [...settings.values()].flatMap((each) => each.proxies);

  const planOf = (office: OpenedOffice) => office.call("replays.plan", ana, { q: "category:transient" });

  it("say so within a few seconds while it is silent, and no plan or page waits for one broker after the other", async () => {
    plannedBefore = await planOf(connected);
    expect(plannedBefore.counts.selected).toBe(brokers.length);
    for (const proxy of proxies()) {
      proxy.break({ accept: "silence", swallowed: ["requests", "replies"] });
      proxy.reset();
    }
    const office = await officeOf();
    onTestFinished(async () => {
      // A process that has printed its answer ends soon, too.
      expect(await timed(() => office.close())).toBeLessThan(20_000);
    });
    const took = await timed(async () => {
      const asking = [...letters].map(async ([broker, id]) => {
        const { reason } = await office.call("letters.outlook", ana, { id });
        const { where } = settings.get(broker) as Setting;
        expect(reason.sentence).toContain(`not checked: ${where} did not answer within`);
      });
      await Promise.all(asking);
      const { items } = await office.call("letters.list", ana, {
        q: "category:transient replay:needs-acknowledgement",
      });
      expect(items).toHaveLength(brokers.length);
      await connected.call("letters.outlook", ana, { id: letters.get("redis") ?? "" });
    });
    expect(took).toBeLessThan(5 * aFewSeconds);
    expect((await planOf(office)).counts).toMatchObject({ selected: brokers.length, toSend: 0, skipped: 0 });
  });

  it("are shown, found and planned while it refuses connections, with the reason on each", async () => {
    for (const proxy of proxies()) await proxy.close();
    const run = (...line: string[]) =>
      dloHere([...line, "--config", configFile], { DATABASE_URL: ledger.url, USER: "ana" });
    const refusals = new Map(
      brokers.map((broker) => [broker, `not checked: ${settings.get(broker)?.where} refused the connection.`]),
    );
    for (const [broker, id] of letters) {
      const shown = await run("letters", "show", id);
      expect([broker, shown.code, shown.stderr]).toEqual([broker, 0, ""]);
      expect(shown.stdout.replaceAll(/\s+/g, " ")).toContain(refusals.get(broker));
      expect(shown.stdout).toContain('{"order":"o-1"}');
    }
    const plan = await run("replay", "plan", "-q", "category:transient", "--json");
    const { id, counts } = JSON.parse(plan.stdout) as OutputOf<"replays.plan">;
    expect([plan.code, counts]).toMatchObject([0, { ackRequired: brokers.length, toSend: 0 }]);
    const { items } = await connected.call("replays.items", ana, { id });
    const said = items.map(({ source, reason }) => [source.replace("at-", ""), reason.sentence]);
    for (const [broker, sentence] of said) expect(sentence).toContain(refusals.get(broker ?? ""));
    const drift = await run("replay", "drift", plannedBefore.id);
    expect([drift.code, drift.stderr]).toEqual([
      0,
      expect.stringMatching(/Nothing new speaks against .* was not checked: /),
    ]);
  });

  it("say so to whoever opens their page or a plan of them in a browser", async () => {
    buildWeb(process.execPath);
    const data = join(folder, "data");
    const env = { DLO_DATA: data, DATABASE_URL: ledger.url };
    const { url } = await up(env, readFileSync(configFile, "utf8"), { isOnlyPages: true });
    const [cookie = "", value = ""] = (await enrol(url, data)).split("=");
    const browser = await startChromium();
    onTestFinished(() => browser.close());
    const context = await browser.newContext();
    await context.addCookies([{ name: cookie, value, url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(2 * minuteMs);
    const watched = { page, complaints: complaintsOf(page) };
    for (const broker of ["kafka", "rabbitmq"]) {
      await page.goto(`${url}/letters/${letters.get(broker)}`);
      await page.getByText(`not checked: ${settings.get(broker)?.where} refused the connection.`).waitFor();
      await page.getByText('"o-1"').first().waitFor();
    }
    await expectToBeSound(watched, "letter-of-a-broker-down");
    await page.goto(`${url}/replays/${plannedBefore.id}`);
    const { where } = settings.get("redis") as Setting;
    await page
      .getByText(`was not checked: ${where} refused the connection. Each is checked before it is sent.`)
      .waitFor();
    await expectToBeSound(watched, "plan-of-a-broker-down");
  });
});

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAt = systemClock.now();
  await act();
  return systemClock.now() - startedAt;
}
