import { expect, it } from "vitest";
import type { FailedJob, JobFramework } from "../../src/jobs/job-framework.ts";
import { laravel } from "../../src/jobs/laravel/laravel.ts";
import { symfonyMessenger } from "../../src/jobs/symfony-messenger/symfony-messenger.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { type UsedPostgres, usePostgres } from "../servers/use-postgres.ts";
import { failInLaravel, failInSymfony, laravelTables, symfonyHeaders, symfonyTable } from "./failed-shapes.ts";
import { tellJobStory } from "./job-story.ts";
import { describeFramework, openProcessWorkshop } from "./process-workshop.ts";
import { programs } from "./programs.ts";
import { putBack } from "./put-back.ts";

/** Names of orders that stand somewhere in what that query gives, one a row. */
async function ordersIn({ pool }: UsedPostgres, column: string, from: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select substring(${column} from '(kept|taken)') as name from ${from}`,
  );
  return rows.map(({ name }) => name);
}

async function onlyJob(framework: JobFramework, queue: string) {
  const [job] = await framework.list(queue, null, 10);
  if (job?.message == null) throw new Error("It is listed.");
  return { ...job, message: job.message } satisfies FailedJob;
}

describeFramework("failed jobs of Laravel", programs.laravel, noPostgres, () => {
  const postgres = usePostgres();

  it("are read in place, put back, and run", async () => {
    await postgres.pool.query(`${laravelTables.jobs}; ${laravelTables.failed}`);
    const { url } = postgres;
    const shop = openProcessWorkshop({
      ...{ program: programs.laravel, broker: "laravel", url, queue: "charges", runs: 2 },
      failed: () => ordersIn(postgres, "payload", "failed_jobs"),
    });
    await tellJobStory(shop, postgres, "laravel_ledger");
  });
});

describeFramework("failed messages of Symfony Messenger", programs.symfonyMessenger, noPostgres, () => {
  const postgres = usePostgres();

  it("are read in place, put back, and run", async () => {
    await postgres.pool.query(symfonyTable);
    const shop = openProcessWorkshop({
      ...{
        program: programs.symfonyMessenger,
        broker: "symfony-messenger",
        url: postgres.url,
        queue: "failed",
        runs: null,
      },
      ...{ settings: "transports: { async: default }", hasIds: false },
      failed: () => ordersIn(postgres, "body", "messenger_messages where queue_name = 'failed'"),
    });
    await tellJobStory(shop, postgres, "symfony_ledger");
  });
});

describeServer("failed jobs of PHP that cannot be put back safely", noPostgres, () => {
  const postgres = usePostgres();

  it.each<[string, string, Readonly<Record<string, unknown>>, string]>([
    ["whose queue is on Redis", "redis", {}, "`redis`"],
    ["that are retried until a moment", "database", { retryUntil: 1_794_759_681 }, "retryUntil"],
  ])("are those of Laravel %s", async (_which, connection, more, word) => {
    await postgres.pool.query(`drop table if exists failed_jobs; ${laravelTables.failed}`);
    await failInLaravel(postgres.pool, { connection, more });
    const framework = laravel(postgres.database, {});
    const job = await onlyJob(framework, "charges");
    expect(framework.outlook(job.message)).toMatchObject({
      ...{ kind: "refused", why: expect.stringContaining(word) as string },
      change: expect.stringContaining("queue:retry u-1") as string,
    });
    // Without a table of jobs there is nowhere to put it.
    expect(await putBack(framework, job)).toMatchObject({ why: expect.stringContaining("`jobs`") as string });
    expect(await framework.standings([job])).toEqual(["failed"]);
  });

  it.each<[string, string, string, string]>([
    ["whose transport nobody named", '{"orderId":"o-1"}', symfonyHeaders, "`async`"],
    ["that PHP serialised", 'O:36:\\"Symfony\\\\Component\\\\Messenger\\\\Envelope\\":2:{}', "[]", "serialised by PHP"],
  ])("are those of Symfony Messenger %s", async (_which, body, headers, word) => {
    await postgres.pool.query(`${symfonyTable}; truncate messenger_messages`);
    await failInSymfony(postgres.pool, { body, headers });
    const framework = symfonyMessenger(postgres.database, { transports: { other: "default" } });
    const job = await onlyJob(framework, "failed");
    const refusal = { why: expect.stringContaining(word) as string };
    expect(framework.outlook(job.message)).toMatchObject({ kind: "refused", ...refusal });
    expect(await putBack(framework, job)).toMatchObject(refusal);
    expect(await framework.standings([job])).toEqual(["failed"]);
    expect(await framework.queues()).toEqual([{ name: "failed", failed: 1, pending: 0 }]);
  });
});

describeServer("queues of PHP, which are but words in a column", noPostgres, () => {
  const postgres = usePostgres();

  it("are listed once each, however many jobs failed there, also where Laravel has no table of jobs", async () => {
    await postgres.pool.query(`drop table if exists jobs, failed_jobs; ${laravelTables.failed}`);
    await failInLaravel(postgres.pool, { uuid: "u-1" });
    await failInLaravel(postgres.pool, { uuid: "u-2" });
    expect(await laravel(postgres.database, {}).queues()).toEqual([{ name: "charges", failed: 2, pending: 0 }]);
  });

  it("are empty, and not unknown, while nothing failed there", async () => {
    await postgres.pool.query(`drop table if exists jobs, failed_jobs; ${laravelTables.failed}; ${laravelTables.jobs}`);
    await postgres.pool.query(`${symfonyTable}; truncate messenger_messages`);
    const empty = { failed: 0, pending: 0 };
    expect(await laravel(postgres.database, {}).look("charges")).toEqual({ name: "charges", ...empty });
    expect(await symfonyMessenger(postgres.database, {}).look("failed")).toEqual({ name: "failed", ...empty });
  });

  it("of Symfony hold failures where a stamp says so, and not where a message speaks of the stamp", async () => {
    await postgres.pool.query(`${symfonyTable}; truncate messenger_messages`);
    const name = "SentToFailureTransportStamp";
    const waits = { body: `{"text":"What is a ${name}?"}`, headers: '{"type":"Question"}', queue: "default" };
    const serialised = { body: `O:36:\\"Envelope\\":2:{s:61:\\"${name}\\"}`, headers: "[]", queue: "lost" };
    await failInSymfony(postgres.pool, waits);
    await failInSymfony(postgres.pool, serialised);
    await failInSymfony(postgres.pool, { queue: "gave-up" });
    const framework = symfonyMessenger(postgres.database, {});
    expect((await framework.queues()).map((queue) => queue.name)).toEqual(["gave-up", "lost"]);
    expect(await framework.look("default")).toEqual({ name: "default", failed: 0, pending: 1 });
    expect(await framework.list("default", null, 10)).toEqual([]);
  });

  it("of Symfony have what a retry held and never finished again, once nobody can be at it any more", async () => {
    await postgres.pool.query(`${symfonyTable}; truncate messenger_messages`);
    await failInSymfony(postgres.pool, { deliveredAt: "now() - interval '2 hours'" });
    const framework = symfonyMessenger(postgres.database, { transports: { async: "default" } });
    expect(await framework.look("failed")).toEqual({ name: "failed", failed: 0, pending: 1 });
    await postgres.pool.query("update messenger_messages set delivered_at = now() - interval '3 days'");
    expect(await framework.look("failed")).toEqual({ name: "failed", failed: 1, pending: 0 });
    expect(await putBack(framework, await onlyJob(framework, "failed"))).toBe("done");
    const { rows } = await postgres.pool.query("select queue_name, delivered_at from messenger_messages");
    expect(rows).toEqual([{ queue_name: "default", delivered_at: null }]);
  });
});
