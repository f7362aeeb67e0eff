import { parseContainer } from "../../dialects/json.ts";
import { type Database, type Queries, quoteName } from "../../domain/database.ts";
import type { Message } from "../../domain/message.ts";
import type {
  FailedJob,
  JobFailure,
  JobFramework,
  JobOutlook,
  JobQueue,
  JobStanding,
  PutBack,
} from "../job-framework.ts";
import {
  isUniqueViolation,
  micros,
  momentOf,
  postgresVersion,
  requireColumns,
  rowProperties,
} from "../postgres-store.ts";

const pgBossDefaults = { schema: "pgboss" } as const;

/** Version 10 does not say of a copy among the dead letters whose it is. */
const needed = ["name", "state", "retry_limit", "completed_on", "dead_letter", "source_name", "source_id"];

/** pg-boss: a failed job is a row of its queue; where a dead-letter queue is set, a copy waits there to be worked on, too. */
export function pgBoss(
  database: Database,
  { schema = pgBossDefaults.schema }: { readonly schema?: string | undefined },
): JobFramework {
  const at = quoteName(schema);
  let checked: Promise<void> | null = null;
  const ready = () => {
    checked ??= requireColumns(database, { framework: "pg-boss", schema, table: "job", needed });
    checked.catch(() => {
      checked = null;
    });
    return checked;
  };
  const queues = async (only: string | null): Promise<readonly JobQueue[]> => {
    await ready();
    const { rows } = await database.query<JobQueue>(
      `select q.name, count(*) filter (where j.state = 'failed')::integer as failed,
         count(*) filter (where j.state in ('created', 'retry', 'active'))::integer as pending
       from ${at}.queue q left join ${at}.job j on j.name = q.name
       where $1::text is null or q.name = $1 group by q.name order by q.name`,
      [only],
    );
    return rows;
  };
  return {
    unitsPerSecond: 1_000_000,
    product: async () => `pg-boss on PostgreSQL ${await postgresVersion(database)}`,
    queues: () => queues(null),
    look: async (queue) => (await queues(queue))[0] ?? null,
    async list(queue, from, limit) {
      await ready();
      return list(database, at, { queue, from, limit });
    },
    outlook,
    standings: (jobs) => standings(database, at, jobs),
    async putBack(job) {
      await ready();
      return putBack(database, at, job);
    },
  };
}

/** Its count of retries goes on, and its limit is raised by one: one run, or more if it was given up before its limit. */
function outlook({ properties }: Message): JobOutlook {
  const numberOf = (name: string) => {
    const value = properties.find((each) => each.name === name)?.value;
    return value?.type === "integer" ? Number(value.value) : 0;
  };
  return { kind: "runs", runs: Math.max(1, numberOf("retry_limit") + 1 - numberOf("retry_count")) };
}

interface Row {
  readonly id: string;
  readonly failed_at: string;
  readonly data: string | null;
  readonly row: string;
}

async function list(
  queries: Queries,
  at: string,
  { queue, from, limit }: { readonly queue: string; readonly from: string | null; readonly limit: number },
): Promise<readonly FailedJob[]> {
  const { rows } = await queries.query<Row>(
    `select j.id::text as id, ${micros("j.completed_on")}::text as failed_at, j.data::text as data,
       (to_jsonb(j) - 'data')::text as row
     from ${at}.job j
     where j.name = $1 and j.state = 'failed' and ($2::text is null or j.completed_on >= ${momentOf("$2")})
     order by j.completed_on, j.id limit $3`,
    [queue, from, limit],
  );
  return rows.map(({ id, failed_at: failedAt, data, row }) => {
    const columns = parseContainer(row) as Parameters<typeof rowProperties>[1];
    const properties = rowProperties("pgboss.job", columns);
    return { queue, id, failedAt, message: { body: Buffer.from(data ?? ""), headers: [], key: null, properties } };
  });
}

async function standings(queries: Queries, at: string, jobs: readonly JobFailure[]): Promise<readonly JobStanding[]> {
  const { rows } = await queries.query<{ state: string | null; failed_at: string | null }>(
    `select j.state::text as state, ${micros("j.completed_on")}::text as failed_at
     from unnest($1::text[], $2::uuid[]) with ordinality as w (name, id, n)
     left join ${at}.job j on j.name = w.name and j.id = w.id order by w.n`,
    [jobs.map(({ queue }) => queue), jobs.map(({ id }) => id)],
  );
  return jobs.map(({ failedAt }, index) => {
    const { state = null, failed_at: since = null } = rows[index] ?? {};
    if (state === "failed") return since === failedAt ? "failed" : "over";
    return ["created", "retry", "active"].includes(state ?? "") ? "pending" : "over";
  });
}

const copyTaken: Exclude<PutBack, string> = {
  why: "Its copy in the dead-letter queue was taken by a worker there, so somebody has dealt with it already.",
  change: "Look at what became of that copy; if the job shall run all the same, retry it by pg-boss itself.",
};

const notUnique: Exclude<PutBack, string> = {
  why: "The policy of its queue allows one such job at a time, and there is another by now.",
  change: "Wait until that one is done, or drop this one.",
};

/** As `retry()` does it, along with its copy among the dead letters: that one would be worked on as well. */
async function putBack(database: Database, at: string, { queue, id, failedAt }: JobFailure): Promise<PutBack> {
  try {
    return await database.transaction(async (queries) => {
      const { rows } = await queries.query<{ dead_letter: string | null }>(
        `select dead_letter from ${at}.job
         where name = $1 and id = $2::uuid and state = 'failed' and ${micros("completed_on")} = $3::bigint for update`,
        [queue, id, failedAt],
      );
      const [job] = rows;
      if (job === undefined) return "moved";
      if (job.dead_letter !== null && !(await withdrawCopy(queries, at, { id, failedAt, from: job.dead_letter }))) {
        return copyTaken;
      }
      await queries.query(
        `update ${at}.job set state = 'retry', retry_limit = retry_limit + 1, completed_on = null
         where name = $1 and id = $2::uuid`,
        [queue, id],
      );
      return "done";
    });
  } catch (error) {
    if (isUniqueViolation(error)) return notUnique;
    throw error;
  }
}

/** False: somebody works on the copy, or has done so. One of an earlier failure is none of this one's. */
async function withdrawCopy(
  queries: Queries,
  at: string,
  { id, failedAt, from }: { readonly id: string; readonly failedAt: string; readonly from: string },
): Promise<boolean> {
  const { rows } = await queries.query<{ id: string; waits: boolean }>(
    `select id::text as id, state in ('created', 'retry') as waits from ${at}.job
     where name = $1 and source_id = $2::uuid and created_on >= ${momentOf("$3")} for update`,
    [from, id, failedAt],
  );
  if (rows.some(({ waits }) => !waits)) return false;
  await queries.query(`delete from ${at}.job where name = $1 and id = any ($2::uuid[])`, [
    from,
    rows.map((copy) => copy.id),
  ]);
  return true;
}
