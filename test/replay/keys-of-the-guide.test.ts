import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeMessage } from "../../src/domain/message.ts";
import { openOffice } from "../../src/office.ts";
import { createConsumer } from "../../src/runtime/consumer.ts";
import { postgresBlockedKeys } from "../../src/stores/postgres-blocked-keys.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { tester } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";

/** The configuration that the guide shows. */
function configurationOfGuide(): string {
  const guide = readFileSync(new URL("../../docs/guides/ordering.md", import.meta.url), "utf8");
  return /```yaml\n(version: 1[\s\S]*?)```/.exec(guide)?.[1] ?? "";
}

describeServer("the configuration of the ordering guide", noPostgres ?? noRabbitmq, () => {
  const ledger = usePostgres();
  const consumers = usePostgres();
  const rabbit = useRabbitmq();

  it("shows what is blocked in the consumers' database, and finds keys in a header and in a body", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dlo-guide-"));
    const configFile = join(folder, "dlo.config.yaml");
    const management = `\n    management: ${rabbit.managementUrl}`;
    writeFileSync(
      configFile,
      configurationOfGuide().replace(/^ *url: .*$/m, (url) => url + management),
    );
    const env = { RABBIT_URL: rabbit.url, ORDERS_DB: consumers.url };
    const office = await openOffice({ databaseUrl: ledger.url, configFile, dataFolder: folder, env, version: "0.0.0" });
    const transport = rabbitmqTransport({ url: rabbit.url, orderedQueues: "all" });
    const blockedKeys = postgresBlockedKeys({ database: consumers.database });
    onTestFinished(async () => {
      await transport.close();
      await office.close();
      rmSync(folder, { recursive: true, force: true });
    });
    for (const queue of ["accounts", "orders"]) {
      const consumer = createConsumer({
        ...{ transport, queue, order: "key", blockedKeys, breaker: false, retry: { maxAttempts: 1, budget: false } },
        handler: async () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
      });
      onTestFinished(() => consumer.stop());
      void consumer.start();
      const headers = { "x-order-id": "o-1" };
      for (const body of ['{"account":{"id":"a-1"}}', '{"account":{}}'])
        await transport.send({ name: queue }, makeMessage({ body, key: body, headers }));
      await transport.send({ name: queue }, makeMessage({ body: "{}", key: '{"account":{}}' }));
    }
    await eventually(
      async () => {
        for (const queue of ["accounts", "orders"]) {
          const drained = { source: "rabbit-eu", queue: `${queue}.dlq`, actor: tester, tuning: { idleMs: 500 } };
          await office.drain({ ...drained, signal: new AbortController().signal });
        }
        // Shown under the source that has letters of their queue.
        const { items } = await office.call("keys.list", tester, {});
        const behind = items.map((each) => `${each.queue} ${each.behind}`).toSorted();
        expect(behind).toEqual(["accounts 0", "accounts 1", "orders 0", "orders 1"]);
        expect(await office.call("letters.count", tester, { q: "queue:accounts,orders" })).toMatchObject({ n: 4 });
      },
      { withinMs: 60_000 },
    );
    const codesIn = async (queue: string) => {
      const { reasons } = await office.call("replays.plan", tester, { q: `queue:${queue}` });
      return reasons.map(({ code, n }) => [code, n]);
    };
    // Nobody there reports that duplicates are recognized: a key alone is not enough.
    expect(await codesIn("orders")).toEqual([["idempotency.none", 2]]);
    expect(Object.fromEntries(await codesIn("accounts"))).toEqual({ "idempotency.none": 1, "key.missing": 1 });
  });
});
