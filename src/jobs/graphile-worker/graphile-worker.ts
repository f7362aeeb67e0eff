import { type Database, quoteName } from "../../domain/database.ts";
import type { Message } from "../../domain/message.ts";
import type { JobFramework, JobOutlook } from "../job-framework.ts";
import { numberOf } from "../job-record.ts";
import { postgresFramework } from "../postgres-framework.ts";

const graphileDefaults = { schema: "graphile_worker" } as const;

/** A failure puts the next run off by up to e^10 seconds, by how many there were: what is listed later may have failed before. */
const latestS = 22_500;

/**
 * Graphile Worker: a job that has used up its attempts stays where it is, and no time of failure is kept. When the next run would
 * have been is written by each failure anew, so that tells one failure from another.
 */
export function graphileWorker(
  database: Database,
  { schema = graphileDefaults.schema }: { readonly schema?: string | undefined },
): JobFramework {
  const at = quoteName(schema);
  return postgresFramework(database, {
    ...{ product: "Graphile Worker", schema, table: "_private_jobs", called: "graphile_worker._private_jobs" },
    needed: ["task_id", "payload", "run_at", "attempts", "max_attempts", "locked_at", "last_error"],
    from: `${at}._private_jobs j join ${at}._private_tasks t on t.id = j.task_id`,
    names: `select identifier as name from ${at}._private_tasks`,
    ...{ queue: "t.identifier", id: { column: "id", type: "bigint" }, payload: "payload", failedAt: "j.run_at" },
    isFailed: "j.attempts >= j.max_attempts and j.locked_at is null",
    isPending: "(j.attempts < j.max_attempts or j.locked_at is not null)",
    more: "'task_identifier', t.identifier",
    lateS: latestS,
    outlook,
    async move(queries, { id }) {
      await queries.query(`select from ${at}.reschedule_jobs(array[$1::bigint], run_at => now(), attempts => 0)`, [id]);
      return "done";
    },
  });
}

function outlook(message: Message): JobOutlook {
  return { kind: "runs", runs: Math.max(1, numberOf(message, "max_attempts")) };
}
