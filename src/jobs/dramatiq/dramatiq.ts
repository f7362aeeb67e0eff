import { countOf, member, parseContainer } from "../../dialects/json.ts";
import type { Message } from "../../domain/message.ts";
import { textOf as utf8 } from "../../domain/text-of.ts";
import type {
  FailedJob,
  JobFailure,
  JobFramework,
  JobOutlook,
  JobQueue,
  JobStanding,
  PutBack,
  TimedFailure,
} from "../job-framework.ts";
import { property } from "../job-record.ts";
import { plainAnswer, putBackWhole, runPutBack } from "../put-back-script.ts";
import { escaped, keysLike, type RedisStore, readScored, redisTime, redisVersion, totalOf } from "../redis-store.ts";

const dramatiqDefaults = { prefix: "dramatiq" } as const;

/** dramatiq on Redis: the dead of a queue are in `<queue>.XQ`, by the millisecond they died, for seven days. */
export function dramatiq(
  store: RedisStore,
  { prefix = dramatiqDefaults.prefix }: { readonly prefix?: string | undefined },
): JobFramework {
  const keyOf = (name: string) => `${prefix}:${name}`;
  const look = async (name: string): Promise<JobQueue> => ({
    name,
    failed: await totalOf(store, [["ZCARD", keyOf(`${name}.XQ`)]]),
    pending: await totalOf(store, [
      ["HLEN", keyOf(`${name}.msgs`)],
      ["HLEN", keyOf(`${name}.DQ.msgs`)],
    ]),
  });
  return {
    unitsPerSecond: 1_000,
    now: () => redisTime(store),
    product: async () => `dramatiq on Redis ${await redisVersion(store)}`,
    async queues() {
      const keys = await keysLike(store, `${escaped(prefix)}:*.msgs`);
      const names = keys.map((key) => key.slice(prefix.length + 1).replace(/(\.(DQ|XQ))?\.msgs$/, ""));
      return Promise.all([...new Set(names)].map(look));
    },
    async look(queue) {
      const keys = ["", ".msgs", ".DQ.msgs", ".XQ"].map((end) => keyOf(`${queue}${end}`));
      return Number(await store.call("EXISTS", keys)) === 0 ? null : look(queue);
    },
    async list(queue, from, limit) {
      const zset = keyOf(`${queue}.XQ`);
      const found = await readScored(store, zset, { from, limit });
      return Promise.all(
        found.map(({ member, score }) => readMessage(store, zset, { queue, id: String(member), failedAt: score })),
      );
    },
    outlook,
    standings: (jobs) => Promise.all(jobs.map((job) => standing(store, keyOf, job))),
    putBack: (job) => putBack(store, keyOf, job),
  };
}

type KeyOf = (name: string) => string;

async function readMessage(store: RedisStore, zset: string, failure: JobFailure): Promise<FailedJob> {
  const body = (await store.call("HGET", [`${zset}.msgs`, failure.id])) as Buffer | null;
  if (body === null) return { ...failure, message: null };
  const properties = [
    property("zset", zset),
    property("score", Number(failure.failedAt)),
    property("member", failure.id),
  ];
  return { ...failure, message: { body, headers: [], key: null, properties } };
}

/** Its count of retries stays. How many it may have is its actor's to say, unless it was sent with a number of its own. */
function outlook({ body }: Message): JobOutlook {
  const options = member(parseContainer(utf8(body) ?? ""), "options");
  const most = countOf(member(options, "max_retries"));
  if (most === undefined) return { kind: "runs", runs: null };
  return { kind: "runs", runs: Math.max(1, most - (countOf(member(options, "retries")) ?? 0) + 1) };
}

async function standing(store: RedisStore, keyOf: KeyOf, { queue, id, failedAt }: JobFailure): Promise<JobStanding> {
  const score = await store.call("ZSCORE", [keyOf(`${queue}.XQ`), id]);
  if (score !== null) return Number(score) === Number(failedAt) ? "failed" : "over";
  // It is in the hash of its queue until it is acknowledged.
  const isPending = Number(await store.call("HEXISTS", [keyOf(`${queue}.msgs`), id])) === 1;
  // A retry gets an id of its own: whether there is one, only the queue as a whole can tell.
  return isPending ? "pending" : "moved";
}

async function putBack(store: RedisStore, keyOf: KeyOf, job: TimedFailure): Promise<PutBack> {
  const { queue, id, failedAt, beforeMs } = job;
  const keys = [`${queue}.XQ`, `${queue}.XQ.msgs`, queue, `${queue}.msgs`].map(keyOf);
  return plainAnswer(await runPutBack(store, putBackScript, { keys, args: [id, failedAt], beforeMs }));
}

/** The message goes back byte by byte as it was, its count of retries with it. */
const putBackScript = putBackWhole(`
local dead, deadMessages, queue, messages = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, failedAt = ARGV[1], ARGV[2]
local score = redis.call('ZSCORE', dead, id)
local message = redis.call('HGET', deadMessages, id)
if not score or not message or tonumber(score) ~= tonumber(failedAt) then return 'moved' end
mayRemove('ZREM', dead)
mayRemove('HDEL', deadMessages)
try({ 'HDEL', messages, id }, 'HSET', messages, id, message)
try(nil, 'RPUSH', queue, id)
redis.call('ZREM', dead, id)
redis.call('HDEL', deadMessages, id)
return 'done'
`);
