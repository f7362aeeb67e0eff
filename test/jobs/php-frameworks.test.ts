import { expect, it } from "vitest";
import type { FailedJob, JobFramework } from "../../src/jobs/job-framework.ts";
import { laravel } from "../../src/jobs/laravel/laravel.ts";
import { symfonyMessenger } from "../../src/jobs/symfony-messenger/symfony-messenger.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { type UsedPostgres, usePostgres } from "../servers/use-postgres.ts";
import { tellJobStory } from "./job-story.ts";
import { describeFramework, openProcessWorkshop } from "./process-workshop.ts";
import { programs } from "./programs.ts";
import { putBack } from "./put-back.ts";

/** As the migrations of Laravel make them. */
const laravelTables = {
  jobs: `create table jobs (id bigserial primary key, queue varchar(255) not null, payload text not null,
    attempts smallint not null, reserved_at integer, available_at integer not null, created_at integer not null)`,
  failed: `create table failed_jobs (id bigserial primary key, uuid varchar(255) not null unique, connection text not null,
    queue text not null, payload text not null, exception text not null,
    failed_at timestamp(0) not null default current_timestamp)`,
} as const;

/** As Symfony's own set-up makes it. */
const symfonyTable = `create table if not exists messenger_messages (id bigserial primary key, body text not null, headers text not null,
  queue_name varchar(190) not null, created_at timestamp(0) not null, available_at timestamp(0) not null, delivered_at timestamp(0))`;

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
    const payload = JSON.stringify({ uuid: "u-1", displayName: "Charge", maxTries: 3, ...more });
    const row = [connection, "charges", payload, "PaymentError: declined in /app/Pay.php:1"];
    const columns = "insert into failed_jobs (uuid, connection, queue, payload, exception)";
    await postgres.pool.query(`${columns} values ('u-1', $1, $2, $3, $4)`, row);
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
    ["whose transport nobody named", '{"orderId":"o-1"}', "{}", "`async`"],
    ["that PHP serialised", 'O:36:\\"Symfony\\\\Component\\\\Messenger\\\\Envelope\\":2:{}', "[]", "serialised by PHP"],
  ])("are those of Symfony Messenger %s", async (_which, body, headers, word) => {
    await postgres.pool.query(`${symfonyTable}; truncate messenger_messages`);
    const stamp = "X-Message-Stamp-Symfony\\Component\\Messenger\\Stamp\\SentToFailureTransportStamp";
    const stamped = headers === "{}" ? JSON.stringify({ [stamp]: '[{"originalReceiverName":"async"}]' }) : headers;
    const columns = "insert into messenger_messages (body, headers, queue_name, created_at, available_at)";
    await postgres.pool.query(`${columns} values ($1, $2, 'failed', now(), now())`, [body, stamped]);
    const framework = symfonyMessenger(postgres.database, { transports: { other: "default" } });
    const job = await onlyJob(framework, "failed");
    const refusal = { why: expect.stringContaining(word) as string };
    expect(framework.outlook(job.message)).toMatchObject({ kind: "refused", ...refusal });
    expect(await putBack(framework, job)).toMatchObject(refusal);
    expect(await framework.standings([job])).toEqual(["failed"]);
    expect(await framework.queues()).toEqual([{ name: "failed", failed: 1, pending: 0 }]);
  });
});
