import type { Redis } from "ioredis";
import { expect, it } from "vitest";
import { dramatiq } from "../../src/jobs/dramatiq/dramatiq.ts";
import type { JobFramework } from "../../src/jobs/job-framework.ts";
import type { RedisStore } from "../../src/jobs/redis-store.ts";
import { rq } from "../../src/jobs/rq/rq.ts";
import { sidekiq } from "../../src/jobs/sidekiq/sidekiq.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedis } from "../servers/redis.ts";
import { useRedis } from "../servers/use-redis.ts";
import { putBack } from "./put-back.ts";
import { openDatabase } from "./redis-store.ts";

describeServer("where a job stands", noRedis, () => {
  const redis = useRedis();

  const setup = (database: number) => openDatabase(redis, database);

  it("is not over while dramatiq waits to retry it, which it does under another id", async () => {
    const { client, store } = setup(1);
    const framework = dramatiq(store, {});
    await client.hset("dramatiq:charges.DQ.msgs", "another", "{}");
    const job = { queue: "charges", id: "o-1", failedAt: "1794759681479" };
    expect(await framework.standings([job])).toEqual(["moved"]);
    expect(await framework.look("charges")).toMatchObject({ pending: 1 });
  });

  it.each<[string, Readonly<Record<string, string>>, boolean]>([
    ["whose worker was killed", { status: "failed", ended_at: "" }, true],
    ["whose worker was killed, without results", { status: "failed" }, false],
    ["that a person stopped", { status: "stopped", ended_at: "2026-11-15T16:21:22.479127Z" }, true],
  ])("is told of a job of RQ %s, and it can be put back", async (_which, fields, hasResult) => {
    const { client, store } = setup(4);
    await client.flushdb();
    await client.hset("rq:job:o-1", { data: "x", created_at: "2026-11-15T16:21:20.479127Z", ...fields });
    if (hasResult) await client.xadd("rq:results:o-1", "*", "type", "2", "exc_string", "");
    await client.zadd("rq:failed:charges", 1_794_759_681, "o-1");
    const framework = rq(store);
    const [job] = await framework.list("charges", null, 10);
    if (job?.message == null) throw new Error("It is listed.");
    expect(await framework.standings([job])).toEqual(["failed"]);
    expect(await putBack(framework, { ...job, failedAt: "another" })).toBe("moved");
    expect(await putBack(framework, job)).toBe("done");
    expect(await framework.standings([job])).toEqual(["pending"]);
    expect(await client.lrange("rq:queue:charges", 0, -1)).toEqual(["o-1"]);
  });

  it("is asked of Sidekiq's one set of the dead, and by no queue's name", async () => {
    const { client, store } = setup(3);
    await client.zadd("dead", 1_794_759_681, '{"jid":"o-1","queue":"charges"}');
    const framework = sidekiq(store, {});
    expect(await framework.list("dead", null, 10)).toHaveLength(1);
    await expect(framework.list("charges", null, 10)).rejects.toMatchObject({
      code: "QUEUE_NOT_FOUND",
      message: expect.stringContaining("`dead`") as string,
    });
  });

  it.each<[string, (client: Redis, store: RedisStore) => Promise<JobFramework>]>([
    [
      "sidekiq",
      async (client, store) => {
        await client.zadd("dead", 1_794_759_681, '{"jid":"o-1","queue":"charges"}');
        return sidekiq(store, {});
      },
    ],
    [
      "rq",
      async (client, store) => {
        await client.hset("rq:job:o-1", { status: "failed", ended_at: "2026-11-15T16:21:22.479127Z" });
        await client.zadd("rq:failed:dead", 1_794_759_681, "o-1");
        return rq(store);
      },
    ],
  ])("is the same after its time was over for being put back (%s)", async (_name, open) => {
    const { client, store } = setup(5);
    await client.flushdb();
    const framework = await open(client, store);
    const [job] = await framework.list("dead", null, 10);
    if (job === undefined) throw new Error("It is listed.");
    expect(await framework.putBack({ ...job, beforeMs: (await framework.now()) - 1 })).toBe("late");
    expect(await framework.standings([job])).toEqual(["failed"]);
  });

  it("is not over while Sidekiq waits to retry something", async () => {
    const { client, store } = setup(2);
    await client.zadd("retry", 1_794_759_681, "{}");
    expect(await sidekiq(store, {}).look("charges")).toMatchObject({ pending: 1 });
  });
});
