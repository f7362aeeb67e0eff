import { execFileSync } from "node:child_process";
import { Redis } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import type { JobFrameworkName } from "../../src/config/broker-names.ts";
import { brokerGuides } from "../../src/doctor/broker-guides.ts";
import { asynq } from "../../src/jobs/asynq/asynq.ts";
import { bullmq } from "../../src/jobs/bullmq/bullmq.ts";
import { dramatiq } from "../../src/jobs/dramatiq/dramatiq.ts";
import type { JobFramework } from "../../src/jobs/job-framework.ts";
import type { RedisStore } from "../../src/jobs/redis-store.ts";
import { rq } from "../../src/jobs/rq/rq.ts";
import { sidekiq } from "../../src/jobs/sidekiq/sidekiq.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noRedis } from "../servers/redis.ts";
import { useRedis } from "../servers/use-redis.ts";
import { failJob } from "./failed-bullmq-job.ts";
import { putBack } from "./put-back.ts";
import { openStore } from "./redis-store.ts";

interface Case {
  readonly open: (store: RedisStore) => JobFramework;
  readonly place: string;
  /** All that it writes with. */
  readonly commands: readonly string[];
  fail(client: Redis, url: string): Promise<unknown>;
}

const cases: Readonly<Record<string, Case>> = {
  sidekiq: {
    ...{ open: (store) => sidekiq(store, {}), place: "dead", commands: ["sadd", "lpush", "zrem"] },
    fail: (client) => client.zadd("dead", 1_794_759_681.5, '{"jid":"o-1","queue":"charges","args":[1]}'),
  },
  rq: {
    ...{ open: rq, place: "charges", commands: ["hset", "hdel", "persist", "sadd", "rpush", "zrem"] },
    async fail(client) {
      const ended = { started_at: "2026-11-15T16:21:21.479127Z", ended_at: "2026-11-15T16:21:22.479127Z" };
      await client.hset("rq:job:o-1", { status: "failed", data: "x", exc_info: "refused", ...ended });
      await client.expire("rq:job:o-1", 3_600);
      await client.zadd("rq:failed:charges", 1_794_759_681, "o-1");
    },
  },
  asynq: {
    ...{ open: asynq, place: "charges", commands: ["hset", "lpush", "zrem"] },
    async fail(client) {
      await client.hset("asynq:{charges}:t:o-1", { msg: "", state: "archived" });
      await client.zadd("asynq:{charges}:archived", 1_794_759_681, "o-1");
    },
  },
  dramatiq: {
    ...{ open: (store) => dramatiq(store, {}), place: "charges", commands: ["hset", "rpush", "hdel", "zrem"] },
    async fail(client) {
      await client.hset("dramatiq:charges.XQ.msgs", "o-1", "{}");
      await client.zadd("dramatiq:charges.XQ", 1_794_759_681_479, "o-1");
    },
  },
  bullmq: {
    ...{ open: (store) => bullmq(store, {}), place: "charges" },
    commands: ["hdel", "xadd", "zadd", "lpush", "zrem"],
    fail: (_client, url) => failJob(url, "charges", "o-1"),
  },
};

/** All that a database has, in an order of its own. */
async function contents(client: Redis): Promise<unknown> {
  const read: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
    hash: (key) => client.hgetall(key),
    zset: (key) => client.zrange(key, 0, "-1", "WITHSCORES"),
    list: (key) => client.lrange(key, 0, -1),
    set: async (key) => (await client.smembers(key)).sort(),
    stream: (key) => client.xrange(key, "-", "+"),
    string: (key) => client.get(key),
  };
  const keys = (await client.keys("*")).sort();
  const entries = keys.map(async (key) => [
    key,
    await read[await client.type(key)]?.(key),
    (await client.ttl(key)) >= 0 ? "expires" : "stays",
  ]);
  return Promise.all(entries);
}

describeServer("a failed job that may be read and not be put back", noRedis, () => {
  const redis = useRedis();

  it.each(Object.keys(cases).map((name, index) => [name, index + 1] as const))(
    "stays as it is, whichever right is missing (%s)",
    async (name, database) => {
      const { open, place, commands, fail } = cases[name] as Case;
      const url = `${redis.url}/${database}`;
      const client = new Redis(url);
      onTestFinished(() => client.disconnect());
      await client.flushdb();
      await fail(client, url);
      const user = `dlo-rights-${name}`;
      await client.call("ACL", "SETUSER", user, "reset", "on", ">secret", "~*", "+@all");
      onTestFinished(async () => void (await client.call("ACL", "DELUSER", user)));
      const framework = open(openStore(url.replace("://", `://${user}:secret@`)));
      const [job] = await framework.list(place, null, 10);
      if (job === undefined) throw new Error("It is listed.");
      const before = await contents(client);
      for (const command of commands) {
        await client.call("ACL", "SETUSER", user, `-${command}`);
        await expect(putBack(framework, job), command).rejects.toMatchObject({
          code: "ACCESS_REFUSED",
          message: expect.stringContaining("put jobs back") as string,
        });
        expect(await contents(client), command).toEqual(before);
        await client.call("ACL", "SETUSER", user, `+${command}`);
      }
      expect(await framework.standings([job])).toEqual(["failed"]);
      expect(await putBack(framework, job)).toBe("done");
    },
  );

  it.each(Object.keys(cases).map((name, index) => [name, index + 8] as const))(
    "takes no more rights than the guide says, and those suffice (%s)",
    async (name, database) => {
      const { open, place, fail } = cases[name] as Case;
      const url = `${redis.url}/${database}`;
      const client = new Redis(url);
      onTestFinished(() => client.disconnect());
      await client.flushdb();
      await fail(client, url);
      // Known to the server already, a script need not be loaded.
      await client.script("FLUSH");
      const user = `dlo-guided-${name}`;
      onTestFinished(async () => void (await client.call("ACL", "DELUSER", user)));
      const grant = async (to: string) => {
        const { remedy } = brokerGuides[name as JobFrameworkName].rights.find((right) => right.to === to) ?? {
          remedy: "",
        };
        const [, ...words] = wordsOf(remedy.replace("SETUSER dlo", `SETUSER ${user}`).replace("PASSWORD", "secret"));
        await client.call(...(words as [string, ...string[]]));
      };
      await grant("look");
      const store = openStore(url.replace("://", `://${user}:secret@`));
      const framework = open(store);
      await framework.product();
      await framework.queues();
      await framework.look("charges");
      const [job] = await framework.list(place, null, 10);
      if (job === undefined) throw new Error("It is listed.");
      expect(await framework.standings([job])).toEqual(["failed"]);
      await expect(putBack(framework, job)).rejects.toMatchObject({ code: "ACCESS_REFUSED" });
      await grant("send back");
      await expect(store.call("FLUSHALL", [])).rejects.toMatchObject({ code: "ACCESS_REFUSED" });
      await expect(store.call("GET", ["of-somebody-else"])).rejects.toMatchObject({ code: "ACCESS_REFUSED" });
      expect(await putBack(framework, job)).toBe("done");
    },
  );
});

/** The words that a shell makes of a line. */
function wordsOf(line: string): readonly string[] {
  return execFileSync("sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}
