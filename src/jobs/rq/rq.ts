import type { Json } from "../../dialects/json.ts";
import type {
  FailedJob,
  JobFailure,
  JobFramework,
  JobQueue,
  JobStanding,
  PutBack,
  TimedFailure,
} from "../job-framework.ts";
import { fieldOf, hashProperty, property } from "../job-record.ts";
import { plainAnswer, putBackWhole, runPutBack } from "../put-back-script.ts";
import { inPairs, type RedisStore, readHash, readScored, redisTime, redisVersion, totalOf } from "../redis-store.ts";

const queuePrefix = "rq:queue:";
const resultsOf = (id: string) => `rq:results:${id}`;
/** One that a person stopped is listed among the failed. */
const failedStates = ["failed", "stopped"];
const pendingStates = ["created", "queued", "deferred", "started", "scheduled"];

/**
 * RQ: failed jobs of a queue are listed by when they expire, and each has a hash in which the moment it failed stands. What a job
 * was given is pickled, and stays so: nobody here reads it.
 */
export function rq(store: RedisStore): JobFramework {
  return {
    unitsPerSecond: 1,
    now: () => redisTime(store),
    product: async () => `RQ on Redis ${await redisVersion(store)}`,
    async queues() {
      const keys = ((await store.call("SMEMBERS", ["rq:queues"])) as readonly Buffer[]).map(String);
      return Promise.all(keys.sort().map((key) => look(store, key.slice(queuePrefix.length))));
    },
    async look(queue) {
      const isThere = Number(await store.call("SISMEMBER", ["rq:queues", `${queuePrefix}${queue}`])) === 1;
      return isThere ? look(store, queue) : null;
    },
    async list(queue, from, limit) {
      const found = await readScored(store, `rq:failed:${queue}`, { from, limit });
      return Promise.all(
        found.map(({ member, score }) => readJob(store, { queue, id: String(member), listedAt: score })),
      );
    },
    // Its retries stay as they are: used up as a rule, and not where its worker was killed or a person stopped it.
    outlook: (message) => ({ kind: "runs", runs: 1 + (Number(fieldOf(message, "retries_left")) || 0) }),
    standings: (jobs) => Promise.all(jobs.map((job) => standing(store, job))),
    putBack: (job) => putBack(store, job),
  };
}

async function look(store: RedisStore, name: string): Promise<JobQueue> {
  const registries = ["deferred", "scheduled", "wip"].map((each) => ["ZCARD", `rq:${each}:${name}`] as const);
  return {
    name,
    failed: await totalOf(store, [["ZCARD", `rq:failed:${name}`]]),
    pending: await totalOf(store, [["LLEN", `${queuePrefix}${name}`], ...registries]),
  };
}

interface Listed {
  readonly queue: string;
  readonly id: string;
  readonly listedAt: string;
}

async function readJob(store: RedisStore, listed: Listed): Promise<FailedJob> {
  const key = `rq:job:${listed.id}`;
  const hash = await readHash(store, key);
  const failedAt = await momentOf(store, listed.id, [hash.get("ended_at"), hash.get("created_at")]);
  if (hash.size === 0) return { ...listed, failedAt, message: null };
  const properties = [
    property("key", key),
    property("zset", `rq:failed:${listed.queue}`),
    property("score", Number(listed.listedAt)),
    hashProperty(withoutArguments(hash), "data"),
    property("results", await readResults(store, listed.id)),
  ];
  return {
    ...listed,
    failedAt,
    message: { body: hash.get("data") ?? Buffer.alloc(0), headers: [], key: null, properties },
  };
}

/** A job whose worker was killed has not ended: the id of its last result stands for that moment, or else its creation. */
async function momentOf(
  store: RedisStore,
  id: string,
  [endedAt, createdAt]: readonly (Buffer | null | undefined)[],
): Promise<string> {
  if (endedAt != null && endedAt.length > 0) return String(endedAt);
  const newest = (await store.call("XREVRANGE", [resultsOf(id), "+", "-", "COUNT", 1])) as readonly [Buffer, unknown][];
  return String(newest[0]?.[0] ?? createdAt ?? "");
}

/** Its description is the call with its arguments, in clear unless somebody gave another: what is called is all that is kept. */
function withoutArguments(hash: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Buffer> {
  const called = /^[\w.]*/.exec(String(hash.get("description") ?? ""))?.[0] ?? "";
  return hash.has("description") ? new Map([...hash, ["description", Buffer.from(called)]]) : hash;
}

/** The last of them: older ones say nothing of this failure. */
async function readResults(store: RedisStore, id: string): Promise<Json> {
  const answer = (await store.call("XREVRANGE", [resultsOf(id), "+", "-", "COUNT", 10])) as readonly [
    Buffer,
    readonly Buffer[],
  ][];
  return answer
    .map(([, fields]) => Object.fromEntries(inPairs(fields).map(([name, value]) => [String(name), String(value)])))
    .reverse();
}

async function standing(store: RedisStore, { queue, id, failedAt }: JobFailure): Promise<JobStanding> {
  const wanted = [`rq:job:${id}`, "status", "ended_at", "created_at"];
  const [status, ...moments] = (await store.call("HMGET", wanted)) as readonly (Buffer | null)[];
  const isListed = (await store.call("ZSCORE", [`rq:failed:${queue}`, id])) !== null;
  if (isListed && failedStates.includes(String(status))) {
    return (await momentOf(store, id, moments)) === failedAt ? "failed" : "over";
  }
  return pendingStates.includes(String(status)) ? "pending" : "over";
}

async function putBack(store: RedisStore, { queue, id, failedAt, beforeMs }: TimedFailure): Promise<PutBack> {
  const keys = [`rq:failed:${queue}`, `rq:job:${id}`, `${queuePrefix}${queue}`, "rq:queues", resultsOf(id)];
  return plainAnswer(await runPutBack(store, putBackScript, { keys, args: [id, failedAt], beforeMs }));
}

/** As RQ's own requeue leaves it, which removes first and writes then. The job would expire as a failed one: not any more. */
const putBackScript = putBackWhole(`
local failed, job, queue, queues, results = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, failedAt = ARGV[1], ARGV[2]
local fields = redis.call('HMGET', job, 'status', 'ended_at', 'created_at')
local since = fields[2]
if not since or since == '' then
  local newest = redis.call('XREVRANGE', results, '+', '-', 'COUNT', 1)[1]
  since = newest and newest[1] or fields[3] or ''
end
if (fields[1] ~= 'failed' and fields[1] ~= 'stopped') or since ~= failedAt then return 'moved' end
if not redis.call('ZSCORE', failed, id) then return 'moved' end
mayRemove('ZREM', failed)
try({ 'HSET', job, 'status', fields[1] }, 'HSET', job, 'status', 'queued')
for _, name in ipairs({ 'started_at', 'ended_at', 'exc_info' }) do
  local value = redis.call('HGET', job, name)
  if value then try({ 'HSET', job, name, value }, 'HDEL', job, name) end
end
local leftMs = redis.call('PTTL', job)
if leftMs > 0 then try({ 'PEXPIRE', job, leftMs }, 'PERSIST', job) end
local isNew = redis.call('SISMEMBER', queues, queue) == 0
try(isNew and { 'SREM', queues, queue }, 'SADD', queues, queue)
try(nil, 'RPUSH', queue, id)
redis.call('ZREM', failed, id)
return 'done'
`);
