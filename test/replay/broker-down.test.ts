import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { buildWeb } from "../../scripts/build-web.mjs";
import { type OpenedOffice, openOffice } from "../../src/compose.ts";
import type { OutputOf } from "../../src/http/client.ts";
import { createConsumer, makeMessage } from "../../src/index.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { natsTransport } from "../../src/transports/nats/transport.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { redisTransport } from "../../src/transports/redis/transport.ts";
import { sqsTransport } from "../../src/transports/sqs/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { dloHere } from "../cli/terminal.ts";
import { type FaultProxy, startFaultProxy } from "../faults/proxy.ts";
import { enrol, minuteMs, useOffices } from "../http/up-process.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noSqs, sqsCredentials } from "../servers/elasticmq.ts";
import { noKafka } from "../servers/kafka.ts";
import { noNats } from "../servers/nats.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { noRedis } from "../servers/redis.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { useNats } from "../servers/use-nats.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { useRedis } from "../servers/use-redis.ts";
import { useSqs } from "../servers/use-sqs.ts";
import { complaintsOf, expectToBeSound } from "../web/office-in-browser.ts";

const ana = { id: "ana", kind: "human", roles: ["admin"] } as const;
/** As long as a page may be held up by brokers, in milliseconds, on a busy machine. */
const aFewSeconds = 8_000;

/** A broker with the office behind a network that can break; its consumer is not. */
interface Setting {
  readonly broker: string;
  readonly queue: { readonly name: string; readonly group?: string };
  readonly letters: string;
  /** What the configuration says, through the proxy. */
  readonly config: string;
  readonly proxies: readonly FaultProxy[];
  /** Whom nobody could ask. */
  readonly where: string;
  open(): Transport;
}

interface Servers {
  readonly rabbitmq: ReturnType<typeof useRabbitmq>;
  readonly kafka: ReturnType<typeof useKafka>;
  readonly sqs: ReturnType<typeof useSqs>;
  readonly nats: ReturnType<typeof useNats>;
  readonly redis: ReturnType<typeof useRedis>;
  readonly postgres: ReturnType<typeof usePostgres>;
}

const proxyTo = (url: string) => startFaultProxy({ port: Number(new URL(url).port) });

async function makeSettings(name: string, servers: Servers): Promise<readonly Setting[]> {
  const { rabbitmq, kafka, sqs, nats, redis, postgres } = servers;
  const [ofRabbit, ofManagement] = [await proxyTo(rabbitmq.url), await proxyTo(rabbitmq.managementUrl)];
  const sqsUrl = new URL(sqs.endpoint);
  Object.assign(sqsUrl, { username: sqsCredentials.accessKeyId, password: sqsCredentials.secretAccessKey });
  const [bootstrap = ""] = kafka.brokers;
  const ofKafka = await proxyTo(`kafka://${bootstrap}`);
  const [ofRedis, ofNats] = [await proxyTo(redis.url), await proxyTo(nats.url)];
  const [ofSqs, ofPostgres] = [await proxyTo(sqs.endpoint), await proxyTo(postgres.url)];
  const ours = { name, group: "billing" };
  const at = (proxy: FaultProxy) => `127.0.0.1:${proxy.port}`;
  const of = (broker: string, proxy: FaultProxy, url: string) => ({
    ...{ broker, proxies: [proxy], where: at(proxy), config: `broker: ${broker}, url: "${url}"` },
  });
  return [
    {
      ...{ broker: "rabbitmq", queue: { name }, letters: `${name}.dlq`, proxies: [ofRabbit, ofManagement] },
      ...{ where: at(ofManagement), open: () => rabbitmqTransport({ url: rabbitmq.url }) },
      config: `broker: rabbitmq, url: "${ofRabbit.through(rabbitmq.url)}", management: "${ofManagement.through(rabbitmq.managementUrl)}"`,
    },
    {
      ...of("kafka", ofKafka, `kafka://${at(ofKafka)}`),
      ...{ queue: ours, letters: `${name}.billing.dlq` },
      open: () => kafkaTransport({ brokers: kafka.brokers, retryWaitsMs: [0, 1_000] }),
    },
    {
      ...of("sqs", ofSqs, ofSqs.through(sqsUrl.href)),
      ...{ queue: { name }, letters: `${name}-dlq` },
      open: () => sqsTransport({ endpoint: sqs.endpoint, credentials: sqsCredentials, waitMs: 1_000 }),
    },
    {
      ...of("nats", ofNats, ofNats.through(nats.url)),
      ...{ queue: ours, letters: `${name}.billing.dlq`, open: () => natsTransport({ url: nats.url }) },
    },
    {
      ...of("redis", ofRedis, ofRedis.through(redis.url)),
      ...{ queue: ours, letters: `${name}.billing.dlq`, open: () => redisTransport({ url: redis.url }) },
    },
    {
      ...of("postgres", ofPostgres, ofPostgres.through(postgres.url)),
      ...{ queue: { name }, letters: `${name}.dlq` },
      open: () => postgresTransport({ database: postgres.database }),
    },
  ];
}

async function failOne({ queue, open }: Setting): Promise<void> {
  const transport = open();
  let isDead = false;
  const consumer = createConsumer({
    ...{ transport, queue, retry: { maxAttempts: 1 }, breaker: false },
    observers: [{ event: ({ type }) => (isDead ||= type === "dead-lettered") }],
    handler: () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
  });
  void consumer.start();
  await transport.send(queue, makeMessage({ body: '{"order":"o-1"}' }));
  await eventually(() => expect(isDead).toBe(true), { withinMs: 60_000 });
  await consumer.stop();
  await transport.close();
}

const missing = noPostgres ?? noRabbitmq ?? noKafka ?? noNats ?? noRedis ?? noSqs ?? noChromium;

describeServer("letters of a broker that is down", missing, () => {
  const [ledger, postgres, rabbitmq, kafka] = [usePostgres(), usePostgres(), useRabbitmq(), useKafka()];
  const [nats, redis, sqs] = [useNats(), useRedis(), useSqs()];
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
    const all = await makeSettings(name, { rabbitmq, kafka, sqs, nats, redis, postgres });
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

  const brokers = ["rabbitmq", "kafka", "sqs", "nats", "redis", "postgres"];
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
