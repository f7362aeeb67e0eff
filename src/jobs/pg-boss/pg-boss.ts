import { type Database, type Queries, quoteName } from "../../domain/database.ts";
import type { Message } from "../../domain/message.ts";
import type { JobFailure, JobFramework, JobOutlook, JobQueue, PutBackRefusal } from "../job-framework.ts";
import { numberOf } from "../job-record.ts";
import { postgresFramework } from "../postgres-framework.ts";
import { momentOf } from "../postgres-store.ts";
import { notUnique } from "./not-unique.ts";
import { orphanedCopies } from "./orphaned-copies.ts";

const pgBossDefaults = { schema: "pgboss" } as const;

/**
 * pg-boss: a failed job is a row of its queue; where a dead-letter queue is set, a copy waits there to be worked on, too, and is
 * what is left of it when pg-boss has deleted the failed one.
 */
export function pgBoss(
  database: Database,
  { schema = pgBossDefaults.schema }: { readonly schema?: string | undefined },
): JobFramework {
  const [failed, orphaned] = [failedJobs(database, schema), orphanedCopies(database, schema)];
  return {
    ...failed,
    queues: async () => addedUp(await failed.queues(), await orphaned.queues()),
    async look(queue) {
      const [here, left] = [await failed.look(queue), await orphaned.look(queue)];
      return here === null ? null : { ...here, failed: here.failed + (left?.failed ?? 0) };
    },
    async list(queue, from, limit) {
      const both = [...(await failed.list(queue, from, limit)), ...(await orphaned.list(queue, from, limit))];
      return both.sort((one, other) => Number(one.failedAt) - Number(other.failedAt)).slice(0, limit);
    },
    outlook: (message) => (isCopy(message) ? orphaned : failed).outlook(message),
    async standings(jobs) {
      const [here, left] = [await failed.standings(jobs), await orphaned.standings(jobs)];
      return here.map((standing, index) => (standing === "over" ? (left[index] ?? standing) : standing));
    },
    async putBack(job) {
      const answer = await failed.putBack(job);
      return answer === "moved" ? orphaned.putBack(job) : answer;
    },
  };
}

function isCopy({ properties }: Message): boolean {
  const state = properties.find(({ name }) => name === "state")?.value;
  return state?.value !== "failed";
}

function addedUp(queues: readonly JobQueue[], left: readonly JobQueue[]): readonly JobQueue[] {
  const counts = new Map(left.map(({ name, failed }) => [name, failed]));
  return queues.map((queue) => ({ ...queue, failed: queue.failed + (counts.get(queue.name) ?? 0) }));
}

function failedJobs(database: Database, schema: string): JobFramework {
  const at = quoteName(schema);
  return postgresFramework(database, {
    ...{ product: "pg-boss", schema, table: "job", called: "pgboss.job", from: `${at}.job j` },
    // Before version 12 a copy among the dead letters does not say whose it is.
    needed: ["name", "state", "retry_limit", "completed_on", "keep_until", "dead_letter", "source_name", "source_id"],
    names: `select name from ${at}.queue`,
    ...{ queue: "j.name", id: { column: "id", type: "uuid" }, payload: "data", failedAt: "j.completed_on" },
    ...{ isFailed: "j.state = 'failed'", isPending: "j.state in ('created', 'retry', 'active')" },
    outlook,
    move: (queries, job) => retry(queries, at, job),
    notUnique,
  });
}

/** Its count of retries goes on, and its limit is raised by one: one run, or more if it was given up before its limit. */
function outlook(message: Message): JobOutlook {
  const runs = numberOf(message, "retry_limit") + 1 - numberOf(message, "retry_count");
  return { kind: "runs", runs: Math.max(1, runs) };
}

const copyTaken: PutBackRefusal = {
  why: "Its copy in the dead-letter queue was taken by a worker there, so somebody has dealt with it already.",
  change: "Look at what became of that copy; if the job shall run all the same, retry it by pg-boss itself.",
};

/**
 * As `retry()` does it, along with its copy among the dead letters: that one would be worked on as well. What waits for longer
 * than its queue keeps it is deleted by pg-boss, and that time would have begun when the job was sent: it begins anew.
 */
async function retry(queries: Queries, at: string, job: JobFailure): Promise<"done" | typeof copyTaken> {
  const { rows } = await queries.query<{ dead_letter: string | null }>(
    `update ${at}.job set state = 'retry', retry_limit = retry_limit + 1, completed_on = null,
       keep_until = greatest(keep_until, now() + (keep_until - created_on))
     where name = $1 and id = $2::uuid returning dead_letter`,
    [job.queue, job.id],
  );
  const from = rows[0]?.dead_letter ?? null;
  return from === null || (await withdrawCopy(queries, at, { ...job, from })) ? "done" : copyTaken;
}

/** False: somebody works on the copy, or has done so. One of an earlier failure is none of this one's. */
async function withdrawCopy(
  queries: Queries,
  at: string,
  { id, failedAt, from }: JobFailure & { readonly from: string },
): Promise<boolean> {
  const { rows } = await queries.query<{ id: string; waits: boolean }>(
    `select id::text as id, state in ('created', 'retry') as waits from ${at}.job
     where name = $1 and source_id = $2::uuid and created_on >= ${momentOf("$3")} for update`,
    [from, id, failedAt],
  );
  if (rows.some(({ waits }) => !waits)) return false;
  const ids = rows.map((copy) => copy.id);
  await queries.query(`delete from ${at}.job where name = $1 and id = any ($2::uuid[])`, [from, ids]);
  return true;
}
