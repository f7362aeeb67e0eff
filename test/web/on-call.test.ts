import { join } from "node:path";
import { Worker } from "bullmq";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { buildWeb } from "../../scripts/build-web.mjs";
import { eventually } from "../../src/testing/eventually.ts";
import { kafkaTransport } from "../../src/transports/kafka/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import { failMessage, type Told } from "../http/every-source.ts";
import { clientOf, enrol, minuteMs, useOffices } from "../http/up-process.ts";
import { connect, openQueue } from "../jobs/failed-bullmq-job.ts";
import { noChromium, startChromium } from "../servers/chromium.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noKafka } from "../servers/kafka.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { noRedis } from "../servers/redis.ts";
import { useKafka } from "../servers/use-kafka.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";
import { useRedis } from "../servers/use-redis.ts";
import { complaintsOf } from "./office-in-browser.ts";

const queue = "oncall";

/** Told apart on the page by what it is called. */
function paymentsError(name: string): Error {
  const error = new Error("connect ECONNREFUSED 10.0.0.7:443");
  error.stack = `${name}: ${error.message}\n    at charge (/app/charge.js:1:1)`;
  return Object.assign(error, { name, code: "ECONNREFUSED" });
}

/** A job that fails at the hand of a worker until somebody mends it. */
async function failBullmqJob(url: string): Promise<Told> {
  const shop = { isDown: true, done: 0 };
  const jobs = openQueue(url, queue);
  const work = async () => {
    if (shop.isDown) throw paymentsError("BullmqError");
    shop.done += 1;
  };
  const worker = new Worker(queue, work, { connection: connect(url) });
  onTestFinished(() => worker.close());
  await jobs.add("charge", { order: "o-1" }, { jobId: "o-1", attempts: 1 });
  await eventually(async () => expect(await jobs.getFailedCount()).toBe(1), { withinMs: minuteMs });
  return {
    mend() {
      shop.isDown = false;
    },
    expectDone: () => eventually(() => expect(shop.done).toBe(1), { withinMs: 2 * minuteMs }),
  };
}

/** From the inbox to the sending, by mouse. */
async function sendBack(page: Page, url: string, error: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("link", { name: new RegExp(error) }).click();
  await page.getByRole("link", { name: "Plan a replay of 1 letter" }).click();
  await page.getByLabel("Name, such as the incident").fill(`after the ${error}`);
  await page.getByRole("button", { name: "Plan 1 letter" }).click();
  await page.getByRole("button", { name: "Go ahead with 1 letter" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("payments is back");
  await page.getByRole("dialog").getByRole("button", { name: "Go ahead with 1 letter" }).click();
  await page.getByRole("button", { name: "Send 1 letter" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send 1 letter" }).click();
  await page.getByText("1 of 1 sent").waitFor();
}

const missing = noChromium ?? noPostgres ?? noRabbitmq ?? noKafka ?? noRedis;

describeServer("somebody on call, in the browser", missing, () => {
  const [postgres, rabbitmq, kafka, redis] = [usePostgres(), useRabbitmq(), useKafka({ alone: true }), useRedis()];
  const { folder, up } = useOffices();
  let browser: Browser;
  beforeAll(async () => {
    buildWeb(process.execPath);
    browser = await startChromium();
  });
  afterAll(() => browser?.close());

  async function openPage(sources: readonly string[]) {
    const data = join(folder, "data");
    const env = { DLO_DATA: data, DATABASE_URL: postgres.url };
    const { url } = await up(env, `version: 1\nsources:\n  - ${sources.join("\n  - ")}\n`);
    const cookie = await enrol(url, data);
    const [name = "", value = ""] = cookie.split("=");
    const context = await browser.newContext();
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(2 * minuteMs);
    return { page, url, ask: clientOf(url, cookie), complaints: complaintsOf(page) };
  }

  it("sends back what failed on RabbitMQ, Kafka and BullMQ, and sees that it was done", async () => {
    const kafkaQueue = { name: queue, group: "billing" };
    const told: Readonly<Record<string, Told>> = {
      RabbitmqError: await failMessage(rabbitmqTransport({ url: rabbitmq.url }), { name: queue }, () =>
        paymentsError("RabbitmqError"),
      ),
      KafkaError: await failMessage(kafkaTransport({ brokers: kafka.brokers }), kafkaQueue, () =>
        paymentsError("KafkaError"),
      ),
      BullmqError: await failBullmqJob(redis.url),
    };
    const letters = (name: string) => `queues: [{ match: ${name}.dlq, mode: drain }]`;
    const { page, url, ask, complaints } = await openPage([
      `{ name: rabbit, broker: rabbitmq, url: "${rabbitmq.url}", management: "${rabbitmq.managementUrl}", ${letters(queue)} }`,
      `{ name: log, broker: kafka, url: "kafka://${kafka.brokers.join(",")}", ${letters(`${queue}.billing`)} }`,
      `{ name: jobs, broker: bullmq, url: "${redis.url}", queues: [{ match: ${queue} }] }`,
    ]);
    await eventually(async () => expect((await ask("letters.count", { q: "" })).n).toBe(3), { withinMs: 3 * minuteMs });
    for (const [source, at] of [
      ["rabbit", queue],
      ["log", `${queue}.billing`],
    ] as const)
      await ask("queues.acceptDuplicates", { source, queue: at, because: "handled", reason: "by order" });
    for (const [error, { mend, expectDone }] of Object.entries(told)) {
      mend();
      await sendBack(page, url, error);
      await expectDone();
      // Whether a job was done no consumer of ours tells: that is presumed, in time.
      if (error !== "BullmqError") await page.getByText("1 confirmed").first().waitFor();
    }
    expect(complaints).toEqual([]);
  });
});
