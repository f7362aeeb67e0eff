import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createConsumer, makeMessage, officeReports } from "../../src/index.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { natsTransport } from "../../src/transports/nats/transport.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { redisTransport } from "../../src/transports/redis/transport.ts";
import { sqsTransport } from "../../src/transports/sqs/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { dlo } from "../cli/dlo.ts";
import { dloHere } from "../cli/terminal.ts";
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

/** A broker that a consumer of ours works on, and how the configuration names it. */
interface Setting {
  readonly config: string;
  readonly queue: { readonly name: string; readonly group?: string };
  /** As the office knows it. */
  readonly called: string;
  /** Where its dead letters are. @default `<called>.dlq` */
  readonly letters?: string;
  /** Where its letters say that they were. */
  readonly place: { readonly partition?: number; readonly offset?: RegExp; readonly position?: RegExp };
  open(): Transport;
}

interface Plan {
  readonly id: string;
  readonly approvalHash: string;
}

const orders = 12;
const tries = 4;

type Terminal = Pick<ReturnType<typeof terminal>, "run" | "json">;

/** The commands of one person at a terminal. */
function terminal(config: string, databaseUrl: string, start: typeof dlo) {
  const folder = mkdtempSync(join(tmpdir(), "dlo-story-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "dlo.config.yaml");
  writeFileSync(file, `version: 1\nsources:\n  - ${config}\n`);
  const run = (...line: string[]) => start([...line, "--config", file], { DATABASE_URL: databaseUrl, USER: "ops-1" });
  const json = async <Answer = { readonly items: readonly { readonly id: string }[] }>(...line: string[]) =>
    JSON.parse((await run(...line, "--json")).stdout) as Answer;
  return { run, json, folder };
}

/** A consumer that reports, and charges orders unless payments is down. */
function openShop({ queue, open }: Setting) {
  const shop = { isDown: true, charged: new Set<string>(), transport: open() };
  const reports = officeReports({ transport: shop.transport });
  const consumer = createConsumer<{ readonly id: string }>({
    ...{ transport: shop.transport, queue, service: "shop", version: "1.8.2", breaker: false, observers: [reports] },
    ...{ handles: [{ name: "order", versions: ["3"] }], schema: z.object({ id: z.string() }) },
    retry: { maxAttempts: tries, backoff: { strategy: "fixed", delayMs: 40, jitter: "none" }, budget: false },
    handler: async ({ payload }) => {
      if (shop.isDown) throw Object.assign(new Error("connect ECONNREFUSED payments:443"), { code: "ECONNREFUSED" });
      shop.charged.add(payload.id);
    },
  });
  onTestFinished(async () => {
    await consumer.stop();
    await reports.close();
    await shop.transport.close();
  });
  void consumer.start();
  return shop;
}

/**
 * Investigate, fix, replay, verify: with the commands of the README, on a real broker, with a consumer that reports. On
 * one broker each command is a process, as for users; what the others differ in is not a question of that.
 */
async function tellStory(setting: Setting, databaseUrl: string, start: typeof dlo): Promise<void> {
  const { run, json } = terminal(setting.config, databaseUrl, start);
  const shop = openShop(setting);
  for (let n = 0; n < orders; n++) {
    await shop.transport.send(setting.queue, makeMessage({ body: JSON.stringify({ id: `o-${n}` }), key: `k-${n}` }));
  }

  // Investigate.
  await eventually(
    async () => {
      await run("drain", `s/${setting.letters ?? `${setting.called}.dlq`}`, "--idle", "500ms");
      expect((await json("groups")).items).toMatchObject([{ open: orders, category: "transient" }]);
    },
    { withinMs: 120_000 },
  );
  const { items } = await json("inbox");
  await readLetter(await json("letters"), setting, { run, json });

  // Fix.
  shop.isDown = false;

  // Replay.
  const plan = await json<Plan>("replay", "plan", "-q", `group:${items[0]?.id}`);
  expect(plan).toMatchObject({ state: "planned", counts: { selected: orders, toSend: orders }, approvalsNeeded: 1 });
  expect((await run("replay", "run", plan.id)).code).toBe(8);
  await run("replay", "ask", plan.id, "--reason", "payments is back");
  const self = await run("replay", "approve", plan.id, "--hash", plan.approvalHash);
  expect([self.code, self.stderr]).toEqual([5, expect.stringContaining("four eyes are two people")]);
  const second = await run("replay", "approve", plan.id, "--hash", plan.approvalHash.slice(0, 12), "--as", "ops-2");
  expect(second.stdout).toContain(`Next: dlo replay run ${plan.id} --expect-count ${orders}`);
  expect((await run("replay", "run", plan.id, "--expect-count", "7")).code).toBe(6);
  expect(shop.charged.size).toBe(0);

  // Verify.
  const done = await run("replay", "run", plan.id, "--expect-count", String(orders));
  expect([done.code, done.stdout]).toEqual([0, expect.stringContaining(`${orders} confirmed`)]);
  expect(done.stdout).toContain("finished clean");
  expect(shop.charged.size).toBe(orders);
  expect((await json("letters", "-q", "state:resolved")).items).toHaveLength(orders);
}

describeServer("a whole replay from the terminal, on PostgreSQL", noPostgres, () => {
  const postgres = usePostgres();
  it("goes from the first look to a verdict", async () => {
    await tellStory(
      {
        config: `{ name: s, broker: postgres, url: "${postgres.url}" }`,
        ...{ queue: { name: "orders" }, called: "orders" },
        place: { offset: /^\d+$/, position: /^\d+$/ },
        open: () => postgresTransport({ database: postgres.database }),
      },
      postgres.url,
      dlo,
    );
  });
});

interface Read {
  readonly attempts: readonly object[];
}

type Letters = { readonly items: readonly { readonly id: string }[] };

/** What it says of each of its attempts, and where it came from. */
async function readLetter({ items: [letter] }: Letters, { place }: Setting, { run, json }: Terminal) {
  const { attempts } = await json<Read>("letters", "history", letter?.id ?? "");
  const each = {
    consumer: "shop",
    version: "1.8.2",
    errorCode: "ECONNREFUSED",
    at: expect.stringMatching(/^20/) as string,
  };
  expect(attempts).toMatchObject(
    [1, 2, 3, tries].map((n) => ({ ...each, n, outcome: n === tries ? "dead_lettered" : "retried" })),
  );
  expect(attempts.slice(1)).toMatchObject([{ waitMs: 40 }, { waitMs: 40 }, { waitMs: 40 }]);
  const { stdout } = await run("letters", "history", letter?.id ?? "");
  const shown = await json("letters", "show", letter?.id ?? "");
  const like = (pattern: RegExp | undefined) =>
    pattern === undefined ? null : (expect.stringMatching(pattern) as string);
  expect(shown).toMatchObject({
    ...{ consumerVersion: "1.8.2", host: hostname(), process: expect.stringMatching(`^${process.pid} `) as string },
    cameFrom: { partition: place.partition ?? null, offset: like(place.offset), position: like(place.position) },
    ...{ type: "order@3", schema: { name: "order", version: "3" } },
  });
  const text = (await run("letters", "show", letter?.id ?? "")).stdout;
  for (const line of [`host: ${hostname()}`, "schema: order@3", "consumer: shop@1.8.2"]) expect(text).toContain(line);
  if (place.offset !== undefined) expect(text).toMatch(/came from: (?:partition 0, )?offset \d+\n/);
  expect(stdout.match(/shop@1\.8\.2#\w+ +\S+ +ECONNREFUSED/g)).toHaveLength(tries);
}

/** A webhook that says yes, unless its path says that it does not. */
async function listen() {
  const told: unknown[] = [];
  const server = createServer((request, response) => {
    request.on("data", (chunk) => told.push(JSON.parse(String(chunk))));
    request.on("end", () => response.writeHead(request.url === "/down" ? 503 : 204).end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { told, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describeServer("decisions without a replay from the terminal", noPostgres, () => {
  const postgres = usePostgres();
  it("hand a letter over by webhook, and make up for another by a message", async () => {
    const { told, host } = await listen();
    const hooks = ["tickets", "down"].map((name) => `{ name: ${name}, kind: webhook, url: "http://${host}/${name}" }`);
    const source = `{ name: s, broker: postgres, url: "${postgres.url}" }`;
    const { run, json, folder } = terminal(
      `${source}\noffice: { outbound: { allow: ["${host}"] } }\nnotifiers: [${hooks.join(", ")}]`,
      postgres.url,
      dloHere,
    );
    const transport = postgresTransport({ database: postgres.database });
    for (const id of [1, 2]) await transport.send({ name: "orders.dlq" }, makeMessage({ body: `{"id":${id}}` }));
    let ids: readonly string[] = [];
    await eventually(async () => {
      await run("drain", "s/orders.dlq", "--idle", "500ms");
      ids = (await json("letters")).items.map(({ id }) => id);
      expect(ids).toHaveLength(2);
    });
    const [first = "", second = ""] = ids;
    const stateOf = async (id: string) => (await json<{ readonly state: string }>("letter", id)).state;
    const escalate = (name: string) => run("escalate", first, "--notify", name, "--reason", "accounting decides");
    expect([(await escalate("down")).code === 0, await stateOf(first)]).toEqual([false, "open"]);
    expect(await escalate("tickets")).toMatchObject({ code: 0, stdout: "1 letter escalated.\n" });
    expect([await stateOf(first), told.at(-1)]).toMatchObject(["escalated", { data: { letters: [first] } }]);
    const file = join(folder, "refund.json");
    writeFileSync(file, '{"refund":2}');
    const refund = ["compensate", second, "--to", "s/refunds", "--body", file, "--reason", "charged twice"];
    expect(await run(...refund)).toMatchObject({ code: 0, stdout: "1 letter compensated.\n" });
    expect([await stateOf(second), (await run(...refund)).code === 0]).toEqual(["compensated", false]);
    const refunds = "select convert_from(body, 'UTF8') as body from dlo.messages where queue = 'refunds'";
    expect((await postgres.database.query(refunds, [])).rows).toEqual([{ body: '{"refund":2}' }]);
    await transport.close();
  });
});

describeServer("a whole replay from the terminal, on RabbitMQ", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();
  it("goes from the first look to a verdict", async () => {
    const management = rabbitmq.managementUrl === "" ? "" : `, management: "${rabbitmq.managementUrl}"`;
    await tellStory(
      {
        config: `{ name: s, broker: rabbitmq, url: "${rabbitmq.url}"${management} }`,
        ...{ queue: { name: "orders" }, called: "orders" },
        place: {},
        open: () => rabbitmqTransport({ url: rabbitmq.url }),
      },
      postgres.url,
      dloHere,
    );
  });
});

describeServer("a whole replay from the terminal, on Kafka", noPostgres ?? noKafka, () => {
  const postgres = usePostgres();
  const kafka = useKafka({ alone: true });
  it("goes from the first look to a verdict", async () => {
    await tellStory(
      {
        config: `{ name: s, broker: kafka, url: "kafka://${kafka.brokers.join(",")}" }`,
        ...{ queue: { name: "orders", group: "billing" }, called: "orders.billing" },
        place: { partition: 0, offset: /^\d+$/, position: /^orders\/0\/\d+$/ },
        open: () => kafkaTransport({ brokers: kafka.brokers }),
      },
      postgres.url,
      dloHere,
    );
  });
});

describeServer("a whole replay from the terminal, on Redis", noPostgres ?? noRedis, () => {
  const postgres = usePostgres();
  const redis = useRedis();
  it("goes from the first look to a verdict", async () => {
    await tellStory(
      {
        config: `{ name: s, broker: redis, url: "${redis.url}" }`,
        ...{ queue: { name: "orders", group: "billing" }, called: "orders.billing" },
        place: { position: /^\d{13}-\d+$/ },
        open: () => redisTransport({ url: redis.url }),
      },
      postgres.url,
      dloHere,
    );
  });
});

describeServer("a whole replay from the terminal, on NATS", noPostgres ?? noNats, () => {
  const postgres = usePostgres();
  const nats = useNats();
  it("goes from the first look to a verdict", async () => {
    await tellStory(
      {
        config: `{ name: s, broker: nats, url: "${nats.url}" }`,
        ...{ queue: { name: "orders", group: "billing" }, called: "orders.billing" },
        place: { offset: /^\d+$/, position: /:\d+$/ },
        open: () => natsTransport({ url: nats.url }),
      },
      postgres.url,
      dloHere,
    );
  });
});

describeServer("a whole replay from the terminal, on SQS", noPostgres ?? noSqs, () => {
  const postgres = usePostgres();
  const sqs = useSqs();
  it("goes from the first look to a verdict, of a FIFO queue", async () => {
    const { host } = new URL(sqs.endpoint);
    const { accessKeyId, secretAccessKey } = sqsCredentials;
    await tellStory(
      {
        config: `{ name: s, broker: sqs, url: "http://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@${host}" }`,
        ...{ queue: { name: "orders" }, called: "orders", letters: "orders-dlq.fifo" },
        place: { position: /^[\da-f-]{36}$/ },
        open: () => sqsTransport({ endpoint: sqs.endpoint, credentials: sqsCredentials, fifo: true, waitMs: 1_000 }),
      },
      postgres.url,
      dloHere,
    );
  });
});
