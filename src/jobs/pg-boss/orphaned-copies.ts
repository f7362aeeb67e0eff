import { type Database, type Queries, quoteName } from "../../domain/database.ts";
import type { Message } from "../../domain/message.ts";
import type { JobFailure, JobFramework, JobOutlook, PutBackRefusal } from "../job-framework.ts";
import { numberOf } from "../job-record.ts";
import { postgresFramework } from "../postgres-framework.ts";
import { momentOf } from "../postgres-store.ts";
import { notUnique } from "./not-unique.ts";

/**
 * So much of the jobs of all queues has an index: those that ever were in a dead-letter queue. Whose copy it is has none, nor need
 * it be in the dead-letter queue that is set now. Copies from before version 12.35 have no root.
 */
const isIndexed = "source_root_id is not null";

/**
 * Failed jobs that pg-boss has deleted when their time was over, and of which a copy waits in a dead-letter queue: it was written
 * at the moment of the failure, and says whose it is. So each is the failure it was before, and the same letter.
 */
export function orphanedCopies(database: Database, schema: string): JobFramework {
  const at = quoteName(schema);
  const original = `select from ${at}.job o where o.name = j.source_name and o.id = j.source_id`;
  return postgresFramework(database, {
    ...{ product: "pg-boss", schema, table: "job", called: "pgboss.job" },
    from: `(select * from ${at}.job where ${isIndexed}) j`,
    needed: ["name", "state", "source_name", "source_id", "source_retry_count", "source_output", "source_root_id"],
    names: `select name from ${at}.queue`,
    ...{ queue: "j.source_name", id: { column: "source_id", type: "uuid" }, payload: "data", failedAt: "j.created_on" },
    isFailed: `j.state in ('created', 'retry') and j.source_id is not null and not exists (${original})`,
    isPending: "false",
    more: `'id', j.source_id, 'queue_retry_limit', (select q.retry_limit from ${at}.queue q where q.name = j.source_name)`,
    outlook,
    move: (queries, job) => sendAgain(queries, at, job),
    notUnique,
  });
}

/** As its queue says: it is sent anew. */
function outlook(message: Message): JobOutlook {
  return { kind: "runs", runs: numberOf(message, "queue_retry_limit") + 1 };
}

const queueDeleted: PutBackRefusal = {
  why: "Its queue was deleted: all that is left of it is its copy in the dead-letter queue.",
  change: "Create the queue again (boss.createQueue) and plan again, or drop this one.",
};

/** Under the id it had, as its queue is set now: what else it was sent with its copy never had. The copy goes with it, or stays. */
async function sendAgain(
  queries: Queries,
  at: string,
  { queue, id, failedAt }: JobFailure,
): Promise<"done" | PutBackRefusal> {
  const { rows } = await queries.query(
    `with copy as (
       delete from ${at}.job
       where ${isIndexed} and source_name = $1 and source_id = $2::uuid and created_on = ${momentOf("$3")} returning *
     )
     insert into ${at}.job (id, name, data, priority, retry_limit, retry_backoff, retry_delay, retry_delay_max, expire_seconds,
       start_after, created_on, keep_until, deletion_seconds, policy, singleton_key, group_id, group_tier,
       heartbeat_seconds, dead_letter)
     select c.source_id, q.name, c.data, c.priority, q.retry_limit, q.retry_backoff, q.retry_delay, q.retry_delay_max, q.expire_seconds,
       now(), now(), now() + q.retention_seconds * interval '1s', q.deletion_seconds, q.policy, c.singleton_key, c.group_id, c.group_tier,
       q.heartbeat_seconds, q.dead_letter
     from copy c join ${at}.queue q on q.name = c.source_name
     returning id`,
    [queue, id, failedAt],
  );
  return rows.length > 0 ? "done" : queueDeleted;
}
