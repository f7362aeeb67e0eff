import { expect, it } from "vitest";
import { asynq } from "../../src/jobs/asynq/asynq.ts";
import { sidekiq } from "../../src/jobs/sidekiq/sidekiq.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedis } from "../servers/redis.ts";
import { useRedis } from "../servers/use-redis.ts";
import { putBack } from "./put-back.ts";
import { openDatabase } from "./redis-store.ts";

describeServer("jobs that cannot be put back safely", noRedis, () => {
  const redis = useRedis();

  const setup = (database: number) => openDatabase(redis, database);

  it.each(["lock_digest", "unique_digest", "unique_for", "bid"])(
    "Sidekiq's with `%s` stay, and say why",
    async (name) => {
      const { client, store } = setup(5);
      const job = { class: "ChargeJob", args: ["o-1"], queue: "charges", jid: `j-${name}`, [name]: "x" };
      await client.zadd("dead", 1_794_759_681.479_127_6, JSON.stringify(job));
      const framework = sidekiq(store, {});
      const listed = (await framework.list("dead", null, 10)).find(({ id }) => id === `j-${name}`);
      if (listed?.message == null) throw new Error("It is listed.");
      expect(framework.outlook(listed.message)).toMatchObject({
        kind: "refused",
        why: expect.stringContaining(name) as string,
      });
    },
  );

  it("Sidekiq's go back byte by byte, also where numbers are large, and only the one that is meant", async () => {
    const { client, store } = setup(6);
    const jobs = ["j-1", "j-2"].map((jid) => `{"jid":"${jid}","queue":"charges","args":[12345678901234567890,1.0]}`);
    for (const job of jobs) await client.zadd("dead", "1794759681.4791276", job);
    const framework = sidekiq(store, {});
    const [first, second] = await framework.list("dead", null, 10);
    if (first === undefined || second === undefined) throw new Error("Both are listed.");
    expect(await putBack(framework, { ...first, failedAt: "1794759681.4791279" })).toBe("moved");
    expect(await putBack(framework, first)).toBe("done");
    expect(await putBack(framework, first)).toBe("moved");
    expect(await client.lrange("queue:charges", "0", "-1")).toEqual([jobs[0]]);
    expect(await client.smembers("queues")).toEqual(["charges"]);
    expect(await framework.standings([first, second])).toEqual(["moved", "failed"]);
  });

  it("asynq's stay while another task holds their unique lock", async () => {
    const { client, store } = setup(7);
    const [queue, lock] = ["charges", "asynq:{charges}:unique:charge:1"];
    // The protobuf of a task that has nothing but its unique key.
    const message = Buffer.concat([Buffer.from([0x52, lock.length]), Buffer.from(lock)]);
    await client.sadd("asynq:queues", queue);
    await client.hset("asynq:{charges}:t:o-1", { msg: message, state: "archived" });
    await client.zadd("asynq:{charges}:archived", 1_794_759_681, "o-1");
    const framework = asynq(store);
    const [job] = await framework.list(queue, null, 10);
    if (job === undefined) throw new Error("It is listed.");
    await client.set(lock, "o-2");
    expect(await putBack(framework, job)).toMatchObject({ why: expect.stringContaining("lock") as string });
    expect(await framework.look(queue)).toEqual({ name: queue, failed: 1, pending: 0 });
    await client.set(lock, "o-1");
    expect(await putBack(framework, job)).toBe("done");
    expect(await framework.standings([job])).toEqual(["pending"]);
  });
});
