import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { makeWorkerUtils } from "graphile-worker";
import { PgBoss } from "pg-boss";
import { expect, onTestFinished } from "vitest";
import { createConsumer, makeMessage, officeReports } from "../../src/index.ts";
import { openFramework } from "../../src/inspectors/jobs/open-framework.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { natsTransport } from "../../src/transports/nats/transport.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { redisTransport } from "../../src/transports/redis/transport.ts";
import { sqsTransport } from "../../src/transports/sqs/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { failJob } from "../jobs/failed-bullmq-job.ts";
import { failInLaravel, failInRedis, failInSymfony, laravelTables, symfonyTable } from "../jobs/failed-shapes.ts";
import { refused } from "../jobs/job-story.ts";
import { programs } from "../jobs/programs.ts";
import { sqsCredentials } from "../servers/elasticmq.ts";
import type { UsedPostgres } from "../servers/use-postgres.ts";
import { minuteMs } from "./up-process.ts";

const execute = promisify(execFile);

/** What becomes of the one letter that a source has. */
export interface Told {
  mend(): void;
  expectDone(): Promise<void>;
}

export interface Setting {
  /** As the configuration has it, without its name. */
  readonly config: string;
  /** Where its letters are. */
  readonly letters: string;
  /** Whether a consumer tells the outcome; otherwise it is presumed, in time. */
  readonly reports: boolean;
  fail(): Promise<Told>;
}

export interface Servers {
  readonly postgres: UsedPostgres;
  readonly redis: { readonly url: string };
  readonly nats: { readonly url: string };
  readonly sqs: { readonly endpoint: string };
}

/** Every broker and framework that no journey in the browser is about, each with one that failed. */
export function everySource(servers: Servers): Readonly<Record<string, () => Setting>> {
  return { ...messageBrokers(servers), ...frameworksOnRedis(servers), ...frameworksOnPostgres(servers) };
}

function messageBrokers({ postgres, redis, nats, sqs }: Servers): Readonly<Record<string, () => Setting>> {
  const ofGroup = { name: "orders", group: "billing" };
  const broker = (config: string, letters: string, open: () => Transport, queue: Queue = ofGroup): Setting => ({
    ...{ config, letters, reports: true, fail: () => failMessage(open(), queue) },
  });
  return {
    postgres: () => {
      const open = () => postgresTransport({ database: postgres.database });
      return broker(`broker: postgres, url: "${postgres.url}"`, "orders.dlq", open, { name: "orders" });
    },
    redis: () =>
      broker(`broker: redis, url: "${redis.url}"`, "orders.billing.dlq", () => redisTransport({ url: redis.url })),
    nats: () =>
      broker(`broker: nats, url: "${nats.url}"`, "orders.billing.dlq", () => natsTransport({ url: nats.url })),
    sqs: () => {
      const { accessKeyId, secretAccessKey } = sqsCredentials;
      const url = `http://${accessKeyId}:${encodeURIComponent(secretAccessKey)}@${new URL(sqs.endpoint).host}`;
      const open = () => sqsTransport({ endpoint: sqs.endpoint, credentials: sqsCredentials, waitMs: 1_000 });
      return broker(`broker: sqs, url: "${url}"`, "orders-dlq", open, { name: "orders" });
    },
  };
}

interface Queue {
  readonly name: string;
  readonly group?: string;
}

/** One message that fails until somebody mends it, at the hand of a consumer that reports. */
export async function failMessage(transport: Transport, queue: Queue, error: () => Error = refused): Promise<Told> {
  const shop = { isDown: true, charged: 0 };
  const reports = officeReports({ transport });
  const consumer = createConsumer({
    ...{ transport, queue, retry: { maxAttempts: 1 }, breaker: false, observers: [reports] },
    handler: async () => {
      if (shop.isDown) throw error();
      shop.charged += 1;
    },
  });
  onTestFinished(async () => {
    await consumer.stop();
    await reports.close();
    await transport.close();
  });
  void consumer.start();
  await transport.send(queue, makeMessage({ body: '{"id":"o-1"}' }));
  return {
    mend() {
      shop.isDown = false;
    },
    expectDone: () => eventually(() => expect(shop.charged).toBe(1), { withinMs: minuteMs }),
  };
}

interface Place {
  readonly url: string;
  /** Where it is listed. @default "charges" */
  readonly letters?: string;
  /** Where it waits when it is back. @default "charges" */
  readonly back?: string;
  readonly settings?: string;
}

/** Failed by its framework, or as that would leave it. */
function job(broker: string, place: Place, fail: () => Promise<unknown>): Setting {
  const { url, letters = "charges", back = "charges", settings = "" } = place;
  return {
    ...{ config: `broker: ${broker}, url: "${url}"${settings}`, letters, reports: false },
    async fail() {
      await fail();
      return { mend: () => {}, expectDone: () => expectBack(broker, { url, letters, back }) };
    },
  };
}

const transports = { async: "orders" };

/** It waits among the jobs of its framework, and fails no more. */
async function expectBack(broker: string, { url, letters, back }: Required<Omit<Place, "settings">>): Promise<void> {
  const { framework, close } = await openFramework(broker, { url, transports }, minuteMs);
  expect((await framework.look(back))?.pending).toBe(1);
  expect(await framework.list(letters, null, 10)).toEqual([]);
  await close();
}

/** Each has a database of the server for itself. */
function frameworksOnRedis({ redis }: Servers): Readonly<Record<string, () => Setting>> {
  const shaped = (broker: "sidekiq" | "rq" | "asynq" | "dramatiq", database: number, letters = "charges") => {
    const url = `${redis.url}/${database}`;
    return job(broker, { url, letters }, () => failInRedis(broker, url));
  };
  return {
    bullmq: () => job("bullmq", { url: `${redis.url}/1` }, () => failJob(`${redis.url}/1`, "charges", "o-1")),
    sidekiq: () => shaped("sidekiq", 2, "dead"),
    rq: () => shaped("rq", 3),
    asynq: () => shaped("asynq", 4),
    dramatiq: () => shaped("dramatiq", 5),
  };
}

function frameworksOnPostgres({ postgres }: Servers): Readonly<Record<string, () => Setting>> {
  const river = () => job("river", { url: postgres.url }, () => failInRiver(postgres));
  return {
    "pg-boss": () => job("pg-boss", { url: postgres.url }, () => failInPgBoss(postgres)),
    "graphile-worker": () => job("graphile-worker", { url: postgres.url }, () => failInGraphile(postgres)),
    ...(programs.river.missing === undefined ? { river } : {}),
    laravel: () =>
      job("laravel", { url: postgres.url }, async () => {
        await postgres.pool.query(`${laravelTables.jobs}; ${laravelTables.failed}`);
        await failInLaravel(postgres.pool);
      }),
    "symfony-messenger": () => {
      const settings = `, transports: ${JSON.stringify(transports)}`;
      return job("symfony-messenger", { url: postgres.url, letters: "failed", back: "async", settings }, async () => {
        await postgres.pool.query(symfonyTable);
        await failInSymfony(postgres.pool);
      });
    },
  };
}

async function failInPgBoss({ url }: UsedPostgres): Promise<void> {
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false });
  await boss.start();
  onTestFinished(() => boss.stop({ graceful: false }));
  await boss.createQueue("charges", { retryLimit: 0 });
  const id = (await boss.send("charges", { order: "o-1" })) ?? "";
  await boss.fetch("charges");
  await boss.fail("charges", id, refused());
}

async function failInGraphile({ url }: UsedPostgres): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: url });
  onTestFinished(async () => void (await utils.release()));
  await utils.migrate();
  const { id } = await utils.addJob("charges", { order: "o-1" }, { maxAttempts: 1 });
  await utils.permanentlyFailJobs([id], refused().message);
}

/** Its tables, and the job, are made by River; that the job failed is written by hand. */
async function failInRiver({ url, pool }: UsedPostgres): Promise<void> {
  const { command, env } = programs.river;
  const [file = "", ...args] = command;
  const inPublic = new URL(url);
  inPublic.searchParams.set("search_path", "public");
  const more = { ...env, URL: inPublic.href, QUEUE: "charges" };
  await execute(file, [...args, "add", "o-1"], { env: { ...process.env, ...more } });
  const error = JSON.stringify({ at: new Date(), attempt: 1, error: refused().message, trace: "" });
  await pool.query(
    "update public.river_job set state = 'discarded', attempt = 1, finalized_at = now(), errors = array[$1::jsonb]",
    [error],
  );
}
