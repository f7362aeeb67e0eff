import { countOf, member, parseContainer } from "../../dialects/json.ts";
import type { Message } from "../../domain/message.ts";
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
import { fieldOf, hashProperty, property } from "../job-record.ts";
import { plainAnswer, runPutBack } from "../put-back-script.ts";
import {
  escaped,
  keysLike,
  type RedisStore,
  readHash,
  readScored,
  redisTime,
  redisVersion,
  totalOf,
} from "../redis-store.ts";
import { otherVersion, putBackScript } from "./put-back-script.ts";

const bullmqDefaults = { prefix: "bull" } as const;

/** What BullMQ keeps in Redis changes with its majors; these are known. */
const majors: readonly string[] = ["5", "6"];

/** BullMQ on Redis: a failed job stays in its queue, in the sorted set `failed`, by the moment it failed in milliseconds. */
export function bullmq(
  store: RedisStore,
  { prefix = bullmqDefaults.prefix }: { readonly prefix?: string | undefined },
): JobFramework {
  const keysOf = (queue: string) => (name: string) => `${prefix}:${queue}:${name}`;
  const look = async (name: string): Promise<JobQueue | null> => {
    const key = keysOf(name);
    if (Number(await store.call("EXISTS", [key("meta")])) === 0) return null;
    const lists = (["wait", "paused", "active"] as const).map((list) => ["LLEN", key(list)] as const);
    const sets = (["delayed", "prioritized", "waiting-children"] as const).map((set) => ["ZCARD", key(set)] as const);
    return {
      name,
      failed: await totalOf(store, [["ZCARD", key("failed")]]),
      pending: await totalOf(store, [...lists, ...sets]),
    };
  };
  return {
    unitsPerSecond: 1_000,
    now: () => redisTime(store),
    product: async () => `BullMQ on Redis ${await redisVersion(store)}`,
    async queues() {
      const keys = await keysLike(store, `${escaped(prefix)}:*:meta`);
      const names = keys.map((key) => key.slice(prefix.length + 1, -":meta".length));
      return (await Promise.all(names.map(look))).filter((queue) => queue !== null);
    },
    look,
    async list(queue, from, limit) {
      const failed = await readScored(store, keysOf(queue)("failed"), { from, limit });
      const failures = failed.map(({ member: id, score }) => ({ queue, id: String(id), failedAt: score }));
      return Promise.all(failures.map((failure) => readJob(store, keysOf(queue), failure)));
    },
    outlook,
    standings: (jobs) => Promise.all(jobs.map((job) => standing(store, keysOf(job.queue), job))),
    putBack: (job) => putBack(store, keysOf(job.queue), job),
  };
}

type KeyOf = (name: string) => string;

async function readJob(store: RedisStore, key: KeyOf, failure: JobFailure): Promise<FailedJob> {
  const hash = await readHash(store, key(failure.id));
  if (hash.size === 0) return { ...failure, message: null };
  const properties = [
    property("key", key(failure.id)),
    property("zset", key("failed")),
    property("score", Number(failure.failedAt)),
    hashProperty(hash, "data"),
  ];
  return { ...failure, message: { body: hash.get("data") ?? Buffer.alloc(0), headers: [], key: null, properties } };
}

/** Its count of attempts begins anew. */
function outlook(message: Message): JobOutlook {
  const attempts = countOf(member(parseContainer(fieldOf(message, "opts") ?? ""), "attempts"));
  return { kind: "runs", runs: Math.max(1, attempts ?? 1) };
}

async function standing(store: RedisStore, key: KeyOf, { id, failedAt }: JobFailure): Promise<JobStanding> {
  const score = await store.call("ZSCORE", [key("failed"), id]);
  if (score !== null && Number(score) === Number(failedAt)) return "failed";
  if (score !== null || Number(await store.call("EXISTS", [key(id)])) === 0) return "over";
  return (await store.call("HGET", [key(id), "finishedOn"])) === null ? "pending" : "over";
}

async function putBack(store: RedisStore, key: KeyOf, { id, failedAt, beforeMs }: TimedFailure): Promise<PutBack> {
  const names = ["failed", "wait", "paused", "active", "prioritized", "pc", "marker", "meta", "events"];
  const keys = [key(id), ...names.map(key)];
  const answer = await runPutBack(store, putBackScript, { keys, args: [id, failedAt, majors.join(" ")], beforeMs });
  if (!answer.startsWith(otherVersion)) return plainAnswer(answer);
  const found = answer.slice(otherVersion.length);
  return {
    why: `This queue was last used by ${found === "" ? "a BullMQ that does not say its version" : found}, and what it keeps in Redis is known of BullMQ ${majors.join(" and ")} alone.`,
    change: "Retry it by BullMQ itself (job.retry), or use a version of the office that knows that BullMQ.",
  };
}
