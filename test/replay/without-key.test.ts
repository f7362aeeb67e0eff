import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { headerText, makeMessage } from "../../src/domain/message.ts";
import { wire } from "../../src/domain/wire.ts";
import { openOffice } from "../../src/office.ts";
import { officeReports } from "../../src/reports/office-reports.ts";
import { createConsumer } from "../../src/runtime/consumer.ts";
import { memoryInbox } from "../../src/stores/memory-inbox.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { dloHere } from "../cli/terminal.ts";
import { tester } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";

const reason = "payments is back";
const policy = "version: 1\nprotocols: { transient: { settle: { min: 1s }, ramp: { steps: [] } } }\n";

/** Charges nobody while it is down; remembers what it got, and by which key. */
function openShop(transport: Transport, queue: string, hasInbox: boolean) {
  const reports = officeReports({ transport, heartbeatMs: 500 });
  const shop = { isDown: true, keys: [] as (string | undefined)[] };
  const consumer = createConsumer({
    ...{ transport, queue, retry: { maxAttempts: 1 }, breaker: false, observers: [reports] },
    ...(hasInbox ? { inbox: { store: memoryInbox() } } : {}),
    handler: async ({ message }) => {
      if (shop.isDown) throw Object.assign(new Error("connect ECONNREFUSED payments:443"), { code: "ECONNREFUSED" });
      shop.keys.push(headerText(message.headers, wire.key));
    },
  });
  onTestFinished(async () => {
    await consumer.stop();
    await reports.close();
    await transport.close();
  });
  void consumer.start();
  return shop;
}

async function openOfficeOn(databaseUrl: string, source: string) {
  const folder = mkdtempSync(join(tmpdir(), "dlo-keys-"));
  const configFile = join(folder, "dlo.config.yaml");
  writeFileSync(configFile, `version: 1\nsources: [{ name: ours, ${source} }]\n`);
  const office = await openOffice({ databaseUrl, configFile, dataFolder: folder, env: {}, version: "0.0.0" });
  onTestFinished(async () => {
    await office.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await office.call("policy.apply", tester, { text: policy });
  await office.startWork(["replay"]);
  return { office, configFile };
}

/** Letters of a queue whose consumer has been heard of. */
async function deadLetters(
  { office }: Awaited<ReturnType<typeof openOfficeOn>>,
  transport: Transport,
  queue: string,
  headers: readonly Readonly<Record<string, string>>[],
): Promise<void> {
  for (const each of headers) await transport.send({ name: queue }, makeMessage({ body: "{}", headers: each }));
  const drained = { source: "ours", queue: `${queue}.dlq`, actor: tester, tuning: { idleMs: 500 } };
  await eventually(
    async () => {
      await office.drain({ ...drained, signal: new AbortController().signal });
      expect((await office.call("letters.count", tester, { q: `queue:${queue}` })).n).toBe(headers.length);
      expect((await office.call("consumers.list", tester, {})).items.map((each) => each.queue)).toContain(queue);
    },
    { withinMs: 60_000 },
  );
}

function described(broker: string, missing: string | undefined, use: () => { config: string; open(): Transport }) {
  describeServer(`letters of ${broker} without an idempotency key`, noPostgres ?? missing, () => {
    const ledger = usePostgres();
    const setting = use();

    it("are sent with a note and an approval, until somebody accepts duplicates in their queue; by a key that stays", async () => {
      const queue = `orders-${crypto.randomUUID()}`;
      const transport = setting.open();
      const shop = openShop(transport, queue, false);
      const opened = await openOfficeOn(ledger.url, setting.config);
      const { office, configFile } = opened;
      const run = (...line: string[]) =>
        dloHere([...line, "--config", configFile], { DATABASE_URL: ledger.url, USER: "ops-1" });
      await deadLetters(opened, transport, queue, [{}, {}, {}]);
      const plan = () => office.call("replays.plan", tester, { q: `queue:${queue}` });
      const noKey = "None of these 3 letters has an idempotency key.";
      const before = await plan();
      expect(before.reasons).toMatchObject([
        { decision: "replay", code: "key.missing", n: 3, sentence: expect.stringContaining(noKey) as string },
      ]);
      expect(before.approvalsNeeded).toBe(1);

      // Once for the queue, by name and with a reason; then such plans go as they did, and the queue says so.
      const accepted = await run(
        "queues",
        "accept-duplicates",
        `ours/${queue}`,
        "--because",
        "handled",
        "--reason",
        "by o-id",
      );
      expect(accepted.code).toBe(0);
      expect(accepted.stdout).toContain(`Consumers of ${queue} handle duplicates, says ops-1`);
      expect((await office.call("queues.duplicates", tester, {})).items).toMatchObject([
        { source: "ours", queue, because: "handled", by: "ops-1", reason: "by o-id", revokedBy: null },
      ]);
      expect((await run("queues", "show", `ours/${queue}`)).stdout).toContain("handle duplicates");
      const after = await plan();
      expect([after.reasons.map(({ code, n }) => [code, n]), after.approvalsNeeded]).toEqual([[["ready", 3]], 0]);

      shop.isDown = false;
      const letters = (await office.call("letters.list", tester, { q: `queue:${queue}` })).items.map(({ id }) => id);
      await office.call("replays.ask", tester, { id: after.id, reason });
      await office.call("replays.start", tester, { id: after.id, expectCount: 3 });
      await eventually(() => expect(shop.keys.map(String).toSorted()).toEqual(letters.toSorted()), {
        withinMs: 60_000,
      });

      await run("queues", "revoke-duplicates", `ours/${queue}`, "--reason", "they do not");
      expect((await office.call("queues.duplicates", tester, {})).items[0]?.revokedBy).toBe("ops-1");
      const { items } = await office.call("audit.list", tester, { limit: 50 });
      const actions = items.map(({ action }) => action);
      expect(actions).toEqual(expect.arrayContaining(["duplicates.accepted", "duplicates.revoked"]));
    });

    it("are asked nothing new about where they have one, and their consumer recognizes duplicates by it", async () => {
      const queue = `orders-${crypto.randomUUID()}`;
      const transport = setting.open();
      openShop(transport, queue, true);
      const opened = await openOfficeOn(ledger.url, setting.config);
      await deadLetters(opened, transport, queue, [{ [wire.key]: "o-1" }, { "idempotency-key": "o-2" }]);
      const plan = await opened.office.call("replays.plan", tester, { q: `queue:${queue}` });
      expect([plan.reasons.map(({ code, n }) => [code, n]), plan.approvalsNeeded]).toEqual([[["ready", 2]], 0]);
    });

    it("have one where the source says that it is; its queue's rule overrules the source, and the policy both", async () => {
      const queue = `orders-${crypto.randomUUID()}`;
      const transport = setting.open();
      openShop(transport, queue, true);
      const first = await openOfficeOn(ledger.url, setting.config);
      await deadLetters(first, transport, queue, [{ "x-order": "o-1" }]);
      const plannedWith = async (source: string, ofPolicy = policy) => {
        const { office } = await openOfficeOn(ledger.url, `${setting.config}, ${source}`);
        await office.call("policy.apply", tester, { text: ofPolicy });
        const { reasons } = await office.call("replays.plan", tester, { q: `queue:${queue}` });
        return reasons.map(({ code }) => code);
      };
      const saying = (key: string) => policy.replace("transient: {", `transient: { key: ${key},`);
      const rule = (key: string) => `queues: [{ match: "${queue}.dlq", key: ${key} }]`;
      expect(await plannedWith("key: { header: x-order }")).toEqual(["ready"]);
      expect(await plannedWith("key: { pointer: /order }")).toEqual(["key.missing"]);
      expect(await plannedWith(`key: { pointer: /order }, ${rule("{ header: x-order }")}`)).toEqual(["ready"]);
      expect(await plannedWith(`key: { header: x-order }, ${rule("null")}`)).toEqual(["key.missing"]);
      expect(await plannedWith(rule("{ pointer: /order }"), saying("{ header: x-order }"))).toEqual(["ready"]);
      expect(await plannedWith("key: { header: x-order }", saying("null"))).toEqual(["key.missing"]);
    });
  });
}

described("postgres", undefined, () => {
  const server = usePostgres();
  return {
    get config() {
      return `broker: postgres, url: "${server.url}"`;
    },
    open: () => postgresTransport({ database: server.database }),
  };
});

described("rabbitmq", noRabbitmq, () => {
  const server = useRabbitmq();
  return {
    get config() {
      return `broker: rabbitmq, url: "${server.url}", management: "${server.managementUrl}"`;
    },
    open: () => rabbitmqTransport({ url: server.url }),
  };
});
