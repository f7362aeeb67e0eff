import { countOf, isObject, type JsonObject, member, parseContainer, textOf } from "../../dialects/json.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { Message } from "../../domain/message.ts";
import { textOf as utf8 } from "../../domain/text-of.ts";
import type { FailedJob, JobFailure, JobFramework, JobOutlook, JobQueue } from "../job-framework.ts";
import { property } from "../job-record.ts";
import { plainAnswer, putBackWhole, runPutBack } from "../put-back-script.ts";
import { type RedisStore, readScored, redisTime, redisVersion, totalOf } from "../redis-store.ts";

/** What plugins write into a job that they keep count of elsewhere: a job that comes back past them breaks that count. */
const heldBy: Readonly<Record<string, string>> = {
  lock_digest: "a lock of sidekiq-unique-jobs",
  unique_digest: "a lock of sidekiq-unique-jobs",
  unique_for: "Sidekiq Enterprise's unique jobs",
  bid: "a batch of Sidekiq Pro",
};

/** Sidekiq: the dead of all queues are in one set, `dead`, by the moment they died; each is the whole job. */
export function sidekiq(store: RedisStore, { prefix }: { readonly prefix?: string | undefined }): JobFramework {
  const key = (name: string) => (prefix === undefined ? name : `${prefix}:${name}`);
  const dead = key("dead");
  return {
    unitsPerSecond: 1,
    now: () => redisTime(store),
    product: async () => `Sidekiq on Redis ${await redisVersion(store)}`,
    queues: async () => [await lookAtDead(store, dead)],
    async look(queue) {
      if (queue === "dead") return lookAtDead(store, dead);
      // What waits for a retry is in one set, of all queues.
      const waiting = await totalOf(store, [
        ["LLEN", key(`queue:${queue}`)],
        ["ZCARD", key("retry")],
      ]);
      return { name: queue, failed: 0, pending: waiting + (await busy(store, key)) };
    },
    async list(queue, from, limit) {
      if (queue !== "dead") throw notListedThere(queue);
      const found = await readScored(store, dead, { from, limit });
      return found.map(({ member: job, score }) => failedJob(queue, job, score));
    },
    outlook,
    // It keeps nothing of a job by itself: one that is not dead waits, runs or is done.
    standings: (jobs) =>
      Promise.all(jobs.map(async (job) => ((await findDead(store, dead, job)) === null ? "moved" : "failed"))),
    async putBack({ id, failedAt, beforeMs }) {
      const keys = [dead, key("queues"), key("queue:")];
      return plainAnswer(await runPutBack(store, putBackScript, { keys, args: [id, failedAt], beforeMs }));
    },
  };
}

/** Read by the name of a queue, too, each job would be two letters. */
function notListedThere(queue: string): OfficeError {
  const text = `Sidekiq has one set of dead jobs for all queues, and none of \`${queue}\`. Drain \`dead\`.`;
  return new OfficeError("QUEUE_NOT_FOUND", text, { details: { queue } });
}

async function lookAtDead(store: RedisStore, dead: string): Promise<JobQueue> {
  return { name: "dead", failed: await totalOf(store, [["ZCARD", dead]]), pending: 0 };
}

/** Jobs that are being run: each process has a hash of them, which is `work` since version 7. */
async function busy(store: RedisStore, key: (name: string) => string): Promise<number> {
  const processes = ((await store.call("SMEMBERS", [key("processes")])) as readonly Buffer[]).map(String);
  const hashes = processes.flatMap((name) => [key(`${name}:work`), key(`${name}:workers`)]);
  const counts = await Promise.all(hashes.map((hash) => store.call("HLEN", [hash])));
  return counts.reduce<number>((sum, each) => sum + Number(each), 0);
}

function failedJob(queue: string, job: Buffer, score: string): FailedJob {
  const id = textOf(member(jobOf(job), "jid"));
  if (id === undefined) return { queue, id: "", failedAt: score, message: null };
  const properties = [property("zset", "dead"), property("score", Number(score))];
  return { queue, id, failedAt: score, message: { body: job, headers: [], key: null, properties } };
}

function jobOf(bytes: Uint8Array): JsonObject {
  const job = parseContainer(utf8(bytes) ?? "");
  return isObject(job) ? job : {};
}

function outlook({ body }: Message): JobOutlook {
  const job = jobOf(body);
  const held = Object.keys(heldBy).find((name) => member(job, name) !== undefined);
  if (held === undefined) return { kind: "runs", runs: runsOf(job) };
  return {
    kind: "refused",
    why: `It belongs to ${heldBy[held]} (\`${held}\`), which would not know that it runs again.`,
    change: "Retry it by Sidekiq itself (its web page, or DeadSet), where that plugin is loaded.",
  };
}

/** Where the job has no number of its own; a server may set another. */
const usualRetries = 25;

/** Its count of retries stays: used up as a rule, and not where a person killed it. A job that never failed has none. */
function runsOf(job: JsonObject): number | null {
  const retry = member(job, "retry");
  if (retry === false) return 1;
  const count = countOf(member(job, "retry_count")) ?? -1;
  const most = countOf(retry);
  if (most !== undefined) return Math.max(1, most - count);
  return count >= usualRetries ? 1 : null;
}

async function findDead(store: RedisStore, dead: string, { id, failedAt }: JobFailure): Promise<Buffer | null> {
  const found = (await store.call("ZRANGEBYSCORE", [dead, failedAt, failedAt])) as readonly Buffer[];
  return found.find((job) => textOf(member(jobOf(job), "jid")) === id) ?? null;
}

/** The job goes back byte by byte as it was: written anew, large numbers in it would be others. */
const putBackScript = putBackWhole(`
local dead, queues, prefix = KEYS[1], KEYS[2], KEYS[3]
for _, job in ipairs(redis.call('ZRANGEBYSCORE', dead, ARGV[2], ARGV[2])) do
  local isJson, fields = pcall(cjson.decode, job)
  if isJson and type(fields) == 'table' and fields.jid == ARGV[1] and type(fields.queue) == 'string' then
    mayRemove('ZREM', dead)
    local isNew = redis.call('SISMEMBER', queues, fields.queue) == 0
    try(isNew and { 'SREM', queues, fields.queue }, 'SADD', queues, fields.queue)
    try(nil, 'LPUSH', prefix .. fields.queue, job)
    redis.call('ZREM', dead, job)
    return 'done'
  end
end
return 'moved'
`);
