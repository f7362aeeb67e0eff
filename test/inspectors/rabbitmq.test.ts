import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { addressReference } from "../../src/config/reference.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { openSource } from "../../src/sources/open-source.ts";
import { systemClock } from "../../src/system/host.ts";
import { eventually } from "../../src/testing/eventually.ts";
import type { FindingCode } from "../../src/wiring/finding.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import { matching } from "../matching.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRabbitmqServer } from "../servers/rabbitmq.ts";
import { openClient } from "../transports/rabbitmq/workbench.ts";
import { lookAtPlace } from "./looking.ts";
import { useRabbitmqAdmin, type Vhost } from "./rabbitmq-admin.ts";

const quorum = { "x-queue-type": "quorum" };
const sure = { "x-dead-letter-strategy": "at-least-once", "x-overflow": "reject-publish" };
const toLetters = (queue: string) => ({ "x-dead-letter-exchange": "", "x-dead-letter-routing-key": `${queue}.dlq` });
const dayMs = 86_400_000;

/** A queue as it should be. */
async function soundQueue(host: Vhost, name: string): Promise<void> {
  await host.queue(`${name}.dlq`, quorum);
  await host.queue(name, { ...quorum, ...toLetters(name), ...sure });
}

/** For each finding what has it, and nearly the same that has not. */
const cases: readonly [FindingCode, has: (host: Vhost) => Promise<void>, hasNot: (host: Vhost) => Promise<void>][] = [
  [
    "dead_letters.target_missing",
    (host) => host.queue("orders", { ...quorum, "x-dead-letter-exchange": "dlx" }),
    async (host) => {
      await host.exchange("dlx", "fanout");
      await host.queue("orders.dlq", quorum);
      await host.bind("dlx", "orders.dlq");
      await host.queue("orders", { ...quorum, "x-dead-letter-exchange": "dlx" });
    },
  ],
  [
    "dead_letters.target_missing",
    (host) => host.queue("orders", { ...quorum, ...toLetters("orders") }),
    async (host) => {
      // Nobody is bound, but the exchange has an alternate one, by a policy.
      await host.exchange("dlx", "direct");
      await host.exchange("spare", "fanout");
      await host.policy("spare", "^dlx$", { "alternate-exchange": "spare" });
      await host.queue("all.dlq", quorum);
      await host.bind("spare", "all.dlq");
      await host.queue("orders", { ...quorum, "x-dead-letter-exchange": "dlx" });
    },
  ],
  [
    "destination.next_death_lost",
    async (host) => boundByKey(host, "order.created"),
    async (host) => {
      await boundByKey(host, "order.created");
      await host.bind("dlx", "orders.dlq", "orders");
    },
  ],
  [
    "dead_letters.cycle",
    async (host) => {
      await host.queue("a", { ...toQueue("b"), "x-message-ttl": 60_000 });
      await host.queue("b", { ...toQueue("a"), "x-message-ttl": 60_000 });
    },
    (host) => soundQueue(host, "a"),
  ],
  [
    "dead_letters.retry_loop",
    async (host) => {
      await host.queue("work", toQueue("wait"));
      await host.queue("wait", { ...toQueue("work"), "x-message-ttl": 60_000 });
    },
    async (host) => {
      await soundQueue(host, "work");
      await host.queue("wait", { ...toQueue("work"), "x-message-ttl": 60_000 });
    },
  ],
  [
    "dead_letters.unsure",
    async (host) => {
      await host.queue("orders.dlq");
      await host.queue("orders", toLetters("orders"));
    },
    (host) => soundQueue(host, "orders"),
  ],
  [
    "dead_letters.unsure",
    async (host) => {
      await host.queue("orders.dlq", quorum);
      await host.queue("orders", { ...quorum, ...toLetters("orders"), "x-dead-letter-strategy": "at-least-once" });
    },
    async (host) => {
      await host.queue("orders.dlq", quorum);
      await host.queue("orders", { ...quorum, ...toLetters("orders") });
      await host.policy("sure", "^orders$", { "dead-letter-strategy": "at-least-once", overflow: "reject-publish" });
    },
  ],
  [
    "delivery_limit.drops",
    (host) => host.queue("orders", { ...quorum, "x-delivery-limit": 3 }),
    async (host) => {
      await host.queue("orders.dlq", quorum);
      await host.queue("orders", { ...quorum, ...toLetters("orders"), "x-delivery-limit": 3 });
    },
  ],
  ["queue.no_dead_letters", (host) => host.queue("orders"), (host) => soundQueue(host, "orders")],
  [
    "queue.no_dead_letters",
    async (host) => {
      await host.queue("orders");
      await host.policy("letters", "^others$", { "dead-letter-exchange": "amq.fanout" });
    },
    async (host) => {
      await host.queue("orders");
      await host.policy("letters", "^orders$", { "dead-letter-exchange": "amq.fanout" });
    },
  ],
  [
    "queue.no_dead_letters",
    (host) => host.queue("orders"),
    (host) => host.queue("replies", {}, { durable: true, auto_delete: true }),
  ],
  [
    "letters.retention",
    (host) => host.queue("orders.dlq", { ...quorum, "x-message-ttl": dayMs }),
    (host) => host.queue("orders.dlq", { ...quorum, "x-message-ttl": 30 * dayMs }),
  ],
  [
    "letters.queue_expires",
    (host) => host.queue("orders.dlq", { "x-expires": dayMs }),
    (host) => host.queue("orders.dlq"),
  ],
  [
    "letters.overflow",
    (host) => host.queue("orders.dlq", { "x-max-length": 10 }),
    (host) => host.queue("orders.dlq", { "x-max-length": 10, "x-overflow": "reject-publish" }),
  ],
  [
    "naming.unlike",
    async (host) => {
      await host.queue("graveyard");
      await host.queue("orders", toQueue("graveyard"));
    },
    (host) => soundQueue(host, "orders"),
  ],
];

function toQueue(name: string) {
  return { "x-dead-letter-exchange": "", "x-dead-letter-routing-key": name };
}

/** Dead letters keep their key, and their queue is bound by that key. */
async function boundByKey(host: Vhost, key: string): Promise<void> {
  await host.exchange("events", "topic");
  await host.exchange("dlx", "direct");
  await host.queue("orders.dlq", quorum);
  await host.queue("orders", { ...quorum, "x-dead-letter-exchange": "dlx", ...sure });
  await host.bind("events", "orders", key);
  await host.bind("dlx", "orders.dlq", key);
}

describeServer("doctor on RabbitMQ", noRabbitmqServer, () => {
  const admin = useRabbitmqAdmin();

  it("shows the way a letter came as the way back, which keeps a second death, until others are bound to it", async () => {
    const via = { exchange: "events", routingKey: "order.created" };
    const host = await admin.vhost();
    await boundByKey(host, via.routingKey);
    const opened = await openedAt(host);
    expect(await opened.look("orders", via)).toMatchObject({ via, keepsNextDeath: true });
    expect(await opened.reachedBy?.(via)).toEqual(["orders"]);
    const line = opened.line(new Uint8Array(16), async () => false);
    await line.send("orders", makeMessage({ body: "again" }), { n: 1, intent: 1, via });
    const channel = await (await openClient(host.url)).createChannel();
    await channel.consume("orders", (taken) => taken !== null && channel.nack(taken, false, false));
    await eventually(async () => expect(await channel.get("orders.dlq", { noAck: true })).not.toBe(false));
    await host.queue("billing", quorum);
    await host.bind("events", "billing", "order.*");
    await eventually(async () =>
      expect(await opened.look("orders", via)).toMatchObject({ via: null, keepsNextDeath: false }),
    );
    expect(await opened.reachedBy?.(via)).toHaveLength(2);
  });

  it.each(cases)("finds %s where it is, and only there", async (code, has, hasNot) => {
    const [bad, good] = [await admin.vhost(), await admin.vhost()];
    await has(bad);
    await hasNot(good);
    // A policy holds a moment after it was set.
    await eventually(async () => expect((await lookAtPlace("rabbitmq", bad)).codes).toContain(code));
    await eventually(async () => expect((await lookAtPlace("rabbitmq", good)).codes).not.toContain(code));
  });

  it("finds nothing in queues that the transport makes, seen by somebody who may just look", async () => {
    const host = await admin.vhost();
    await soundQueue(host, "orders");
    await host.queue("orders.parked", quorum);
    await host.queue("orders.retry.10s", { ...quorum, ...toQueue("orders"), ...sure, "x-message-ttl": 10_000 });
    const { findings, wiring } = await lookAtPlace("rabbitmq", await host.user("looker", "management"));
    expect(findings).toEqual([]);
    expect(wiring.product).toMatch(/^RabbitMQ \d/);
  });

  it("tells how many letters there are, and that an administrator is not needed", async () => {
    const host = await admin.vhost();
    await soundQueue(host, "orders");
    await host.publish("orders.dlq", "letter");
    await eventually(async () => {
      const { wiring, codes } = await lookAtPlace("rabbitmq", host);
      expect(wiring.queues.find(({ name }) => name === "orders.dlq")?.depth).toBe(1);
      expect(codes).toEqual(["rights.needless"]);
    });
  });

  it("goes by what operators' policies add", async () => {
    const host = await admin.vhost();
    await host.queue("orders.dlq");
    await host.policy("short", "dlq$", { "message-ttl": dayMs }, "operator-policies");
    // What comes out of both kinds of policies is told with the statistics, which the server collects every second here.
    await eventually(async () => expect((await lookAtPlace("rabbitmq", host)).codes).toContain("letters.retention"));
  });

  it("gives commands that set it right, also for names that a shell would misunderstand", async () => {
    const host = await admin.vhost();
    const names = ["plain", "it's $(odd) `name`"];
    for (const name of names) await host.queue(name);
    await host.exchange("dlx", "direct");
    await host.queue("lost", { ...quorum, "x-dead-letter-exchange": "dlx" });
    const before = await lookAtPlace("rabbitmq", host);
    const commands = before.findings
      .filter(({ severity }) => severity !== "note")
      .flatMap(({ remedy }) => remedy.split("\n"));
    for (const line of commands) await paste(line, admin.server.control);
    // A policy holds a moment after it was set.
    await eventually(async () => {
      const { codes, wiring } = await lookAtPlace("rabbitmq", host);
      expect(codes.filter((code) => /no_dead_letters|target_missing|next_death_lost/.test(code))).toEqual([]);
      const targets = wiring.queues.map(({ deadLettering }) =>
        typeof deadLettering === "object" ? deadLettering?.targets : [],
      );
      expect(targets.flat()).toEqual(expect.arrayContaining([...names, "lost"].map((name) => `${name}.dlq`)));
    });
  });

  it("says so where draining would fail though looking works", async () => {
    const host = await admin.vhost();
    const wrong = await lookAtPlace("rabbitmq", { ...host, url: host.url.replace("guest:guest", "guest:wrong") });
    expect(wrong.findings).toContainEqual(
      expect.objectContaining({ code: "rights.missing", sentence: matching(/Over AMQP it refuses/) }),
    );
    const closed = await lookAtPlace("rabbitmq", {
      ...host,
      url: `amqp://127.0.0.1:1/${encodeURIComponent(host.name)}`,
    });
    expect(closed.findings).toContainEqual(expect.objectContaining({ sentence: matching(/ECONNREFUSED/) }));
  });

  it("sees more queues than fit on a page", async () => {
    const host = await admin.vhost();
    const count = 1_200;
    await declareMany(host, count);
    const { wiring, codes } = await lookAtPlace("rabbitmq", host, 60_000);
    expect(wiring.queues).toHaveLength(count);
    expect(codes.filter((code) => code === "queue.no_dead_letters")).toHaveLength(count);
  });
});

describeServer("doctor on a RabbitMQ that cannot be looked at", noRabbitmqServer, () => {
  const admin = useRabbitmqAdmin();

  it("says who is refused, without the password", async () => {
    const host = await admin.vhost();
    const management = host.management.replace("guest:guest", "guest:hunter2");
    await expect(lookAtPlace("rabbitmq", { ...host, management })).rejects.toMatchObject({
      code: "ACCESS_REFUSED",
      message: matching(/^(?!.*hunter2)/),
    });
  });

  it.each([
    ["no such virtual host", (host: Vhost) => ({ ...host, url: `${host.url}x` }), "ACCESS_REFUSED", /virtual host/],
    [
      "no management plug-in",
      (host: Vhost) => ({ ...host, management: "http://127.0.0.1:2" }),
      "TRANSPORT_UNAVAILABLE",
      /ECONNREFUSED.*rabbitmq-plugins enable/,
    ],
    [
      "no such host",
      (host: Vhost) => ({ ...host, management: "http://nowhere.invalid" }),
      "TRANSPORT_UNAVAILABLE",
      /no such host|looked up/,
    ],
    [
      "something that is no address",
      (host: Vhost) => ({ ...host, management: "localhost hunter2" }),
      "INVALID_CONFIG",
      /^(?!.*hunter2)/,
    ],
    [
      "a web page",
      (host: Vhost) => ({ ...host, management: host.management.replace(/$/, "/#/") }),
      undefined,
      undefined,
    ],
    ["another kind of address", (host: Vhost) => ({ ...host, url: "http://localhost" }), "INVALID_CONFIG", /amqp:\/\//],
  ])("says what is wrong with %s", async (_about, place, code, message) => {
    const looking = lookAtPlace("rabbitmq", place(await admin.vhost()));
    if (code === undefined) await looking;
    else await expect(looking).rejects.toMatchObject({ code, message: matching(message ?? /./) });
  });

  it("does not wait for ever for a server that is half open", async () => {
    const host = await admin.vhost();
    const proxy = await startFaultProxy({ port: Number(new URL(host.management).port) });
    onTestFinished(() => proxy.close());
    proxy.break({ accept: "silence" });
    const management = proxy.through(host.management);
    const started = performance.now();
    await expect(lookAtPlace("rabbitmq", { ...host, management }, 500)).rejects.toMatchObject({
      code: "TRANSPORT_UNAVAILABLE",
    });
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it.each([
    ["is a web page", "<html>", /something else answers/, 120_000],
    ["never ends", null, /did not answer/, 1_000],
  ])("refuses an answer that %s", async (_about, body, message, limitMs) => {
    const server = createServer((_request, response) => {
      if (body === null) response.write("[");
      else response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const place = { url: "amqp://127.0.0.1:1", management: `http://127.0.0.1:${port}` };
    await expect(lookAtPlace("rabbitmq", place, limitMs)).rejects.toMatchObject({
      code: "TRANSPORT_UNAVAILABLE",
      message: matching(message),
    });
  });
});

async function openedAt({ url, management }: Vhost) {
  const opened = await openSource({
    source: {
      ...{ name: "rabbit", broker: "rabbitmq", owner: null, queues: [] },
      ...{ url: addressReference(url), management: addressReference(management) },
    },
    origin: { env: {}, readText: () => Promise.reject(new Error("There are no files here.")) },
    clock: systemClock,
  });
  onTestFinished(() => opened.close());
  return opened;
}

/** As a shell would take it, but for the password that curl asks for, and for where rabbitmqctl is. */
async function paste(line: string, control: (...args: readonly string[]) => Promise<void>): Promise<void> {
  if (!line.startsWith("rabbitmqctl ")) {
    execFileSync("sh", ["-c", line.replace("-u 'guest'", "--fail --silent -u guest:guest")]);
    return;
  }
  const words = execFileSync("sh", ["-c", `rabbitmqctl() { printf '%s\\0' "$@"; }; ${line}`], { encoding: "utf8" });
  await control(...words.split("\0").slice(0, -1));
}

/** By importing definitions: one request in place of a thousand. */
async function declareMany(host: Vhost, count: number): Promise<void> {
  const queues = Array.from({ length: count }, (_, index) => ({
    name: `q${index}`,
    durable: true,
    auto_delete: false,
    arguments: {},
  }));
  const url = new URL(host.management);
  const response = await fetch(`${url.origin}/api/definitions/${encodeURIComponent(host.name)}`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa("guest:guest")}`, "content-type": "application/json" },
    body: JSON.stringify({ queues, exchanges: [], bindings: [], policies: [] }),
  });
  if (!response.ok) throw new Error(`Importing definitions: ${response.status} ${await response.text()}`);
}
