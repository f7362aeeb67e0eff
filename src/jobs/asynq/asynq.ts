import { bytesAt, numberAt, protobufWithout, readProtobuf } from "../../dialects/bytes.ts";
import type { Message } from "../../domain/message.ts";
import type {
  FailedJob,
  JobFailure,
  JobFramework,
  JobOutlook,
  JobQueue,
  JobStanding,
  PutBack,
  PutBackRefusal,
  TimedFailure,
} from "../job-framework.ts";
import { bytesOf, hashProperty, property } from "../job-record.ts";
import { plainAnswer, putBackWhole, runPutBack } from "../put-back-script.ts";
import { type RedisStore, readHash, readScored, redisTime, redisVersion, totalOf } from "../redis-store.ts";

const keyOf = (queue: string, name: string) => `asynq:{${queue}}:${name}`;
const pendingStates = ["pending", "active", "scheduled", "retry", "aggregating"];
/** In asynq's message of a task, by their numbers. */
const fieldsOf = { payload: 2, retry: 5, retried: 6, uniqueKey: 10 } as const;

/** asynq: a task that has used up its retries is archived in its queue, by the second it failed in. */
export function asynq(store: RedisStore): JobFramework {
  return {
    unitsPerSecond: 1,
    now: () => redisTime(store),
    product: async () => `asynq on Redis ${await redisVersion(store)}`,
    async queues() {
      const names = ((await store.call("SMEMBERS", ["asynq:queues"])) as readonly Buffer[]).map(String);
      return Promise.all(names.sort().map((name) => look(store, name)));
    },
    look: async (queue) =>
      Number(await store.call("SISMEMBER", ["asynq:queues", queue])) === 1 ? look(store, queue) : null,
    async list(queue, from, limit) {
      const found = await readScored(store, keyOf(queue, "archived"), { from, limit });
      return Promise.all(
        found.map(({ member, score }) => readTask(store, { queue, id: String(member), failedAt: score })),
      );
    },
    outlook,
    standings: (jobs) => Promise.all(jobs.map((job) => standing(store, job))),
    putBack: (job) => putBack(store, job),
  };
}

async function look(store: RedisStore, name: string): Promise<JobQueue> {
  const lists = ["pending", "active"].map((each) => ["LLEN", keyOf(name, each)] as const);
  const sets = ["scheduled", "retry"].map((each) => ["ZCARD", keyOf(name, each)] as const);
  return {
    name,
    failed: await totalOf(store, [["ZCARD", keyOf(name, "archived")]]),
    pending: await totalOf(store, [...lists, ...sets]),
  };
}

async function readTask(store: RedisStore, failure: JobFailure): Promise<FailedJob> {
  const key = keyOf(failure.queue, `t:${failure.id}`);
  const hash = await readHash(store, key);
  if (hash.size === 0) return { ...failure, message: null };
  const { body, rest } = unpack(hash);
  const properties = [
    property("key", key),
    property("zset", keyOf(failure.queue, "archived")),
    property("score", Number(failure.failedAt)),
    hashProperty(rest),
  ];
  return { ...failure, message: { body, headers: [], key: null, properties } };
}

/** What the task was given is masked as a body, and in no other place: it is taken out of the message that asynq keeps it in. */
function unpack(hash: ReadonlyMap<string, Buffer>) {
  const message = hash.get("msg") ?? Buffer.alloc(0);
  const rest = protobufWithout(message, fieldsOf.payload);
  const others = [...hash].filter(([name]) => name !== "msg");
  // Whatever else it is, it may hold what the task was given.
  if (rest === undefined) return { body: message, rest: new Map(others) };
  return {
    body: Buffer.from(bytesAt(readProtobuf(message), fieldsOf.payload) ?? []),
    rest: new Map([...others, ["msg", Buffer.from(rest)]]),
  };
}

/** Its count of retries stays: used up as a rule, and not where its handler gave up or a person archived it. */
function outlook(message: Message): JobOutlook {
  const fields = readProtobuf(bytesOf(message, "msg") ?? new Uint8Array());
  const left = numberAt(fields, fieldsOf.retry) - numberAt(fields, fieldsOf.retried);
  return { kind: "runs", runs: Math.max(1, left + 1) };
}

async function standing(store: RedisStore, { queue, id, failedAt }: JobFailure): Promise<JobStanding> {
  const score = await store.call("ZSCORE", [keyOf(queue, "archived"), id]);
  if (score !== null) return Number(score) === Number(failedAt) ? "failed" : "over";
  const state = await store.call("HGET", [keyOf(queue, `t:${id}`), "state"]);
  return pendingStates.includes(String(state)) ? "pending" : "over";
}

const lockHeld: PutBackRefusal = {
  why: "It was sent as unique, and another task holds that lock by now.",
  change: "Wait until that one is done, or drop this one.",
};

async function putBack(store: RedisStore, { queue, id, failedAt, beforeMs }: TimedFailure): Promise<PutBack> {
  const task = keyOf(queue, `t:${id}`);
  const message = (await store.call("HGET", [task, "msg"])) as Buffer | null;
  const lock = Buffer.from(bytesAt(readProtobuf(message ?? Buffer.alloc(0)), fieldsOf.uniqueKey) ?? []).toString();
  const keys = [task, keyOf(queue, "archived"), keyOf(queue, "pending"), lock === "" ? task : lock];
  const answer = await runPutBack(store, putBackScript, { keys, args: [id, failedAt, lock], beforeMs });
  return answer === "locked" ? lockHeld : plainAnswer(answer);
}

/** As asynq's own run-task, and only if it is still that failure. */
const putBackScript = putBackWhole(`
local task, archived, pending, lock = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, failedAt, isUnique = ARGV[1], ARGV[2], ARGV[3] ~= ''
local score = redis.call('ZSCORE', archived, id)
if not score or tonumber(score) ~= tonumber(failedAt) then return 'moved' end
if redis.call('HGET', task, 'state') ~= 'archived' then return 'moved' end
if isUnique then
  local holder = redis.call('GET', lock)
  if holder and holder ~= id then return 'locked' end
end
mayRemove('ZREM', archived)
try({ 'HSET', task, 'state', 'archived' }, 'HSET', task, 'state', 'pending')
try(nil, 'LPUSH', pending, id)
redis.call('ZREM', archived, id)
return 'done'
`);
