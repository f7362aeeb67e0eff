import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually } from "../../src/testing/eventually.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noElasticmq, startElasticmq } from "../servers/elasticmq.ts";
import { noNats } from "../servers/nats.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRedis } from "../servers/redis.ts";
import { useNats } from "../servers/use-nats.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRedis } from "../servers/use-redis.ts";
import { everySource } from "./every-source.ts";
import { clientOf, enrol, enrolWith, minuteMs, useOffices } from "./up-process.ts";

const reason = "payments is back";
/** Two people for every replay, and a short look for what comes back. */
const policy = "version: 1\nprotocols:\n  transient: { settle: { min: 1s }, approvals: { exemptUpTo: 0 } }\n";
const patience = { withinMs: 2 * minuteMs };

/** For itself: an office takes every report there is, also those that consumers of other tests send. */
function useOwnSqs(): { readonly endpoint: string } {
  let server: Awaited<ReturnType<typeof startElasticmq>> | undefined;
  beforeAll(async () => {
    server = await startElasticmq();
  });
  afterAll(() => server?.close());
  return {
    get endpoint() {
      return server?.endpoint ?? "";
    },
  };
}

describeServer("the story of an incident over HTTP", noPostgres ?? noNats ?? noRedis ?? noElasticmq, () => {
  const sqs = useOwnSqs();
  const sources = everySource({ postgres: usePostgres(), redis: useRedis(), nats: useNats(), sqs });
  const ledger = usePostgres();
  const { folder, up } = useOffices({ until: "the end" });
  let ana: ReturnType<typeof clientOf>;
  let ben: ReturnType<typeof clientOf>;

  beforeAll(async () => {
    const lines = Object.entries(sources).map(([name, setting]) => `  - { name: ${name}, ${setting().config} }`);
    const data = join(folder, "data");
    const env = { DLO_DATA: data, DATABASE_URL: ledger.url };
    const { url } = await up(env, `version: 1\nsources:\n${lines.join("\n")}\n`);
    ana = clientOf(url, await enrol(url, data));
    const { code } = await ana("people.add", { id: "ben", roles: ["approver"] });
    ben = clientOf(url, await enrolWith(url, { code: code ?? "", name: null }));
    await ana("policy.apply", { text: policy, reason: "what comes back is seen at once" });
  });

  it.each(Object.entries(sources))("goes from the first look to the outcome, on %s", async (source, setting) => {
    const { letters: queue, reports, fail } = setting();
    const told = await fail();
    const q = `source:${source}`;
    await eventually(async () => {
      await ana("queues.drain", { source, queue, idleMs: 200 });
      expect((await ana("letters.count", { q })).n).toBe(1);
    }, patience);
    expect((await ana("groups.list", { q })).items).toMatchObject([{ open: 1, category: "transient" }]);

    told.mend();
    // A consumer that reports is waited for, however busy it is; what no one reports is presumed at once.
    const limits = reports ? { settleS: 120 } : {};
    const { id, approvalHash, counts } = await ana("replays.plan", { q, limits });
    expect(counts).toMatchObject({ selected: 1, toSend: 1 });
    expect(await ana("replays.ask", { id, reason })).toMatchObject({ state: "awaiting_approval" });
    await ben("replays.approve", { id, reason, hash: approvalHash });
    await ana("replays.start", { id, expectCount: 1 });

    const outcome = async () => ana("replays.get", { id });
    await eventually(async () => expect((await outcome()).counts).toMatchObject({ sent: 1, inDoubt: 0 }), patience);
    await told.expectDone();
    if (!reports) return;
    await eventually(
      async () => expect(await outcome()).toMatchObject({ state: "finished", verdict: "clean" }),
      patience,
    );
  });
});
