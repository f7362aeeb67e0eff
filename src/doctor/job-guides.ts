import type { JobFrameworkName } from "../config/broker-names.ts";
import type { BrokerGuide, GuideSetting } from "./broker-guide.ts";

interface OnRedis {
  readonly product: string;
  /** What is read: where the framework keeps what failed. */
  readonly reads: string;
  /** Keys it looks at and changes, as an ACL of Redis spells them. */
  readonly keys: readonly string[];
  /** What its scripts write with, and undo it with. */
  readonly writes: readonly string[];
  /** How its own setting for what its keys begin with is asked for, and which keys are its own then; null: that cannot be chosen. */
  readonly prefix: { readonly label: string; readonly keys: string } | null;
}

/** Nothing is taken from a framework: whoever connects one has to hear that first. */
function stays(reads: string): string {
  return `${reads} Failed jobs are read where they are and stay there until somebody puts them back; nothing is written beside them.`;
}

/** Only its keys, and of what is dangerous (FLUSHALL, which asks for no key) only what says the version. */
function onRedis({ product, reads, keys, writes, prefix }: OnRedis): BrokerGuide {
  const patterns = keys.map((pattern) => `'~${pattern}'`).join(" ");
  const otherwise = prefix === null ? "" : `; with a prefix of your own '~${prefix.keys}' in place of ${patterns}`;
  return {
    ...{ product, address: "redis://dlo:PASSWORD@127.0.0.1:6379", draining: stays(reads), alsoFor: null },
    settings: prefix === null ? [] : [{ name: "prefix", label: prefix.label }],
    rights: [
      {
        to: "look",
        needs: `to read its keys${otherwise}`,
        remedy: `redis-cli ACL SETUSER dlo on '>PASSWORD' ${patterns} +@read +@connection -@dangerous +info +time`,
      },
      {
        to: "send back",
        needs: "to change its keys, by a script; besides the right to look",
        remedy: `redis-cli ACL SETUSER dlo +eval +evalsha '+script|load' ${writes.map((command) => `+${command}`).join(" ")}`,
      },
    ],
  };
}

interface OnPostgres {
  readonly product: string;
  readonly reads: string;
  readonly schema: string;
  /** Tables it reads from. */
  readonly reading: readonly string[];
  /** What else it takes to see rows there. @default "" */
  readonly seeing?: string;
  /** What it takes to put a job back, for a user called dlo. */
  readonly changing: string;
  readonly settings?: readonly GuideSetting[];
}

function onPostgres(framework: OnPostgres): BrokerGuide {
  const { product, reads, schema, reading, changing, seeing = "", settings = [] } = framework;
  return {
    ...{ product, address: "postgres://dlo:PASSWORD@127.0.0.1:5432/shop", draining: stays(reads), alsoFor: null },
    settings: [{ name: "schema", label: `The schema its tables are in, if it is not ${schema}` }, ...settings],
    rights: [
      {
        to: "look",
        needs: `usage of the schema (yours, if it is not ${schema}), select on ${reading.join(" and ")}${seeing === "" ? "" : ", and a policy that shows their rows"}`,
        remedy: [
          `grant usage on schema ${schema} to dlo;`,
          ...reading.map((table) => `grant select on ${table} to dlo;`),
          seeing,
        ]
          .join(" ")
          .trim(),
      },
      { to: "send back", needs: "to change those rows as a worker does", remedy: changing },
    ],
  };
}

const privateTables = ["graphile_worker._private_jobs", "graphile_worker._private_tasks"];

/** One line a job framework. */
export const jobGuides: Readonly<Record<JobFrameworkName, BrokerGuide>> = {
  bullmq: onRedis({
    product: "BullMQ",
    reads: "Reads the set failed of each queue; jobs that removeOnFail deletes are never seen.",
    keys: ["bull:*"],
    writes: "zrem hdel hset sadd srem zadd xadd xdel incr decr lpush rpush".split(" "),
    prefix: { label: "What its keys begin with, if it is not bull", keys: "PREFIX:*" },
  }),
  sidekiq: onRedis({
    product: "Sidekiq",
    reads: "Reads the set dead, in which the dead of all queues are.",
    keys: ["dead", "queues", "queue:*", "retry", "processes", "*:work", "*:workers"],
    writes: ["zrem", "sadd", "srem", "lpush"],
    prefix: { label: "Its namespace, with redis-namespace", keys: "NAMESPACE:*" },
  }),
  rq: onRedis({
    product: "RQ",
    reads: "Reads the failed registry of each queue; what a job was given is pickled, and stays so.",
    keys: ["rq:*"],
    ...{ writes: ["zrem", "hset", "hdel", "persist", "pexpire", "sadd", "srem", "rpush"], prefix: null },
  }),
  asynq: onRedis({
    product: "asynq",
    reads: "Reads the archived tasks of each queue.",
    ...{ keys: ["asynq:*"], writes: ["zrem", "hset", "lpush"], prefix: null },
  }),
  dramatiq: onRedis({
    product: "dramatiq, on Redis",
    reads: "Reads <queue>.XQ of each queue, which keeps the dead for seven days.",
    ...{ keys: ["dramatiq:*"], writes: ["zrem", "hset", "hdel", "rpush"] },
    prefix: { label: "What its keys begin with, if it is not dramatiq", keys: "PREFIX:*" },
  }),
  "pg-boss": onPostgres({
    product: "pg-boss",
    reads: "Reads the rows that are failed.",
    ...{ schema: "pgboss", reading: ["pgboss.job", "pgboss.queue"] },
    changing: "grant insert, update, delete on pgboss.job to dlo;",
  }),
  river: onPostgres({
    product: "River",
    reads: "Reads the rows that are discarded.",
    ...{ schema: "public", reading: ["public.river_job", "public.river_queue"] },
    changing: "grant update on public.river_job to dlo;",
  }),
  "graphile-worker": onPostgres({
    product: "Graphile Worker",
    reads: "Reads the rows whose attempts are used up; a queue is a task's identifier.",
    ...{ schema: "graphile_worker", reading: privateTables },
    // Row security is on there, without a policy: who has but a grant sees empty tables.
    seeing: privateTables.map((table) => `create policy dlo on ${table} to dlo using (true);`).join(" "),
    changing: "grant update on graphile_worker._private_jobs to dlo;",
  }),
  laravel: onPostgres({
    product: "Laravel",
    reads:
      "Reads `failed_jobs`, whatever the queue is on; puts back where it is the table `jobs` of the same database.",
    ...{ schema: "public", reading: ["public.failed_jobs", "public.jobs"] },
    changing:
      "grant update, delete on public.failed_jobs to dlo; grant insert on public.jobs to dlo; grant usage on sequence public.jobs_id_seq to dlo;",
  }),
  "symfony-messenger": onPostgres({
    product: "Symfony Messenger, with Doctrine's transport",
    reads: "Reads the rows of failure transports in messenger_messages.",
    ...{ schema: "public", reading: ["public.messenger_messages"] },
    changing: "grant update on public.messenger_messages to dlo;",
    settings: [
      { name: "transports", label: "Where failed messages go back to: transport=queue_name, separated by commas" },
    ],
  }),
};
