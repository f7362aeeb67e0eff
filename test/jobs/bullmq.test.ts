import { type Queue, Worker } from "bullmq";
import type { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { bullmq } from "../../src/jobs/bullmq/bullmq.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRedis } from "../servers/redis.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRedis } from "../servers/use-redis.ts";
import { connect, failJob, openQueue } from "./failed-bullmq-job.ts";
import { refused, tellJobStory, type Workshop } from "./job-story.ts";
import { putBack } from "./put-back.ts";
import { openStore } from "./redis-store.ts";

function openWorkshop(url: string, name: string): Workshop {
  const shop = { isDown: true, done: [] as string[] };
  const queue = openQueue(url, name);
  const work = async (job: { readonly id?: string | undefined }) => {
    if (shop.isDown) throw refused();
    shop.done.push(job.id ?? "");
  };
  const worker = new Worker(name, work, { connection: connect(url) });
  onTestFinished(() => worker.close());
  return {
    ...{ source: `broker: bullmq, url: "${url}"`, place: name, runs: 2, done: shop.done },
    add: async (id) => void (await queue.add("charge", { order: id }, { jobId: id, attempts: 2 })),
    failed: async () => (await queue.getFailed()).map(({ id }) => id ?? ""),
    retry: async (id) => (await queue.getJob(id))?.retry("failed"),
    mend() {
      shop.isDown = false;
    },
  };
}

/** Failed jobs by hand of a worker that is gone again, and what the office does with their queue. */
async function failedJob(
  url: string,
  name: string,
  options: { readonly priority?: number; readonly lifo?: boolean } = {},
) {
  const queue = await failJob(url, name, "o-1", options);
  const framework = bullmq(openStore(url), {});
  const [listed] = await framework.list(name, null, 10);
  if (listed === undefined) throw new Error("The job is failed.");
  return { queue, framework, job: listed };
}

describeServer("failed jobs of BullMQ, by a worker at work", noRedis ?? noPostgres, () => {
  const redis = useRedis();
  const postgres = usePostgres();
  it("are read in place, put back, and run", async () => {
    await tellJobStory(openWorkshop(redis.url, "story"), postgres, "bullmq");
  });
});

describeServer("failed jobs of BullMQ", noRedis, () => {
  const redis = useRedis();

  it.each<[string, { priority?: number; lifo?: boolean }]>([
    ["plain", {}],
    ["with-priority", { priority: 7 }],
    ["lifo", { lifo: true }],
  ])("are as BullMQ's own retry leaves them (%s)", async (kind, options) => {
    const ours = await failedJob(redis.url, `ours-${kind}`, options);
    const theirs = await failedJob(redis.url, `theirs-${kind}`, options);
    expect(await putBack(ours.framework, ours.job)).toBe("done");
    await (await theirs.queue.getJob("o-1"))?.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
    const dump = async (queue: Queue) => {
      const client = connect(redis.url);
      const { timestamp: _at, stacktrace: _stack, ...hash } = await client.hgetall(`bull:${queue.name}:o-1`);
      const events = await client.xrange(`bull:${queue.name}:events`, "-", "+");
      return {
        hash,
        counts: await queue.getJobCounts(),
        keys: await keysOf(client, queue.name),
        last: events.at(-1)?.[1],
      };
    };
    expect(await dump(ours.queue)).toEqual(await dump(theirs.queue));
  });

  it("are put back once: what was moved, or failed again, stays as it is", async () => {
    const { queue, framework, job } = await failedJob(redis.url, "moved");
    expect(await putBack(framework, { ...job, failedAt: String(Number(job.failedAt) - 1) })).toBe("moved");
    expect(await framework.standings([job])).toEqual(["failed"]);
    expect(await putBack(framework, job)).toBe("done");
    expect(await putBack(framework, job)).toBe("moved");
    expect(await framework.standings([job])).toEqual(["pending"]);
    expect(await queue.getWaitingCount()).toBe(1);
    await queue.remove("o-1");
    expect(await framework.standings([job])).toEqual(["over"]);
  });

  it("stay where they are when their queue is of a BullMQ that is not known", async () => {
    const { queue, framework, job } = await failedJob(redis.url, "other-major");
    await connect(redis.url).hset("bull:other-major:meta", "version", "bullmq:9.0.0");
    expect(await putBack(framework, job)).toMatchObject({ why: expect.stringContaining("bullmq:9.0.0") as string });
    expect(await queue.getFailedCount()).toBe(1);
  });
});

async function keysOf(client: Redis, queue: string): Promise<readonly string[]> {
  return (await client.keys(`bull:${queue}:*`)).map((key) => key.slice(`bull:${queue}:`.length)).sort();
}
