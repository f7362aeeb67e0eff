import type { JobFrameworkName } from "../config/broker-names.ts";
import type { BrokerGuide, GuideSetting } from "./broker-guide.ts";

interface OnRedis {
  readonly product: string;
  /** What is read: where the framework keeps what failed. */
  readonly reads: string;
  /** Keys it may look at and change, as an ACL of Redis spells them. */
  readonly keys: string;
  /** How its own setting for what its keys begin with is asked for; null: that cannot be chosen. */
  readonly prefix: string | null;
}

/** Nothing is taken from a framework: whoever connects one has to hear that first. */
function stays(reads: string): string {
  return `${reads} Failed jobs are read where they are and stay there until somebody puts them back; nothing is written beside them.`;
}

function onRedis({ product, reads, keys, prefix }: OnRedis): BrokerGuide {
  return {
    ...{ product, address: "redis://dlo:PASSWORD@127.0.0.1:6379", draining: stays(reads), alsoFor: null },
    settings: prefix === null ? [] : [{ name: "prefix", label: prefix }],
    rights: [
      {
        to: "look",
        needs: "to read its keys",
        remedy: `redis-cli ACL SETUSER dlo on '>PASSWORD' '${keys}' +@read +@connection +info +time`,
      },
      {
        to: "send back",
        needs: "to change its keys, by a script",
        remedy: `redis-cli ACL SETUSER dlo '${keys}' +@read +@write +@scripting +@connection +info +time`,
      },
    ],
  };
}

interface OnPostgres {
  readonly product: string;
  readonly reads: string;
  readonly schema: string;
  /** Tables it reads from. */
  readonly reading: string;
  /** What it takes to put a job back, for a user called dlo. */
  readonly changing: string;
  readonly settings?: readonly GuideSetting[];
}

function onPostgres({ product, reads, schema, reading, changing, settings = [] }: OnPostgres): BrokerGuide {
  return {
    ...{ product, address: "postgres://dlo:PASSWORD@127.0.0.1:5432/shop", draining: stays(reads), alsoFor: null },
    settings: [{ name: "schema", label: `The schema its tables are in, if it is not ${schema}` }, ...settings],
    rights: [
      {
        to: "look",
        needs: `usage of the schema, select on ${reading}`,
        remedy: `grant usage on schema ${schema} to dlo; grant select on ${reading} to dlo;`,
      },
      { to: "send back", needs: "to change those rows as a worker does", remedy: changing },
    ],
  };
}

/** One line a job framework. */
export const jobGuides: Readonly<Record<JobFrameworkName, BrokerGuide>> = {
  bullmq: onRedis({
    product: "BullMQ",
    reads: "Reads the set failed of each queue; jobs that removeOnFail deletes are never seen.",
    ...{ keys: "~bull:*", prefix: "What its keys begin with, if it is not bull" },
  }),
  sidekiq: onRedis({
    product: "Sidekiq",
    reads: "Reads the set dead, in which the dead of all queues are.",
    ...{ keys: "~*", prefix: "Its namespace, with redis-namespace" },
  }),
  rq: onRedis({
    product: "RQ",
    reads: "Reads the failed registry of each queue; what a job was given is pickled, and stays so.",
    ...{ keys: "~rq:*", prefix: null },
  }),
  asynq: onRedis({
    product: "asynq",
    reads: "Reads the archived tasks of each queue.",
    ...{ keys: "~asynq:*", prefix: null },
  }),
  dramatiq: onRedis({
    product: "dramatiq, on Redis",
    reads: "Reads <queue>.XQ of each queue, which keeps the dead for seven days.",
    ...{ keys: "~dramatiq:*", prefix: "What its keys begin with, if it is not dramatiq" },
  }),
  "pg-boss": onPostgres({
    product: "pg-boss",
    reads: "Reads the rows that are failed.",
    ...{ schema: "pgboss", reading: "pgboss.job, pgboss.queue" },
    changing: "grant select, insert, update, delete on all tables in schema pgboss to dlo;",
  }),
  river: onPostgres({
    product: "River",
    reads: "Reads the rows that are discarded.",
    ...{ schema: "public", reading: "river_job, river_queue" },
    changing: "grant update on river_job to dlo;",
  }),
  "graphile-worker": onPostgres({
    product: "Graphile Worker",
    reads: "Reads the rows whose attempts are used up; a queue is a task's identifier.",
    ...{ schema: "graphile_worker", reading: "all tables in schema graphile_worker" },
    changing: "grant update on all tables in schema graphile_worker to dlo;",
  }),
  laravel: onPostgres({
    product: "Laravel",
    reads:
      "Reads `failed_jobs`, whatever the queue is on; puts back where it is the table `jobs` of the same database.",
    ...{ schema: "public", reading: "failed_jobs, jobs" },
    changing:
      "grant update, delete on failed_jobs to dlo; grant insert on jobs to dlo; grant usage on sequence jobs_id_seq to dlo;",
  }),
  "symfony-messenger": onPostgres({
    product: "Symfony Messenger, with Doctrine's transport",
    reads: "Reads the rows of failure transports in messenger_messages.",
    ...{ schema: "public", reading: "messenger_messages" },
    changing: "grant update on messenger_messages to dlo;",
    settings: [
      { name: "transports", label: "Where failed messages go back to: transport=queue_name, separated by commas" },
    ],
  }),
};
