import { type Database, quoteName } from "../../domain/database.ts";
import type { Message } from "../../domain/message.ts";
import type { JobFramework, JobOutlook } from "../job-framework.ts";
import { numberOf } from "../job-record.ts";
import { postgresFramework } from "../postgres-framework.ts";

const riverDefaults = { schema: "public" } as const;

/** River: a job that has used up its attempts is discarded, and stays in its table for some days. */
export function river(
  database: Database,
  { schema = riverDefaults.schema }: { readonly schema?: string | undefined },
): JobFramework {
  const at = quoteName(schema);
  return postgresFramework(database, {
    ...{ product: "River", schema, table: "river_job", called: "river_job", from: `${at}.river_job j` },
    needed: ["state", "attempt", "max_attempts", "finalized_at", "scheduled_at", "queue", "args", "errors"],
    names: `select name from ${at}.river_queue union select queue from ${at}.river_job`,
    ...{ queue: "j.queue", id: { column: "id", type: "bigint" }, payload: "args", failedAt: "j.finalized_at" },
    isFailed: "j.state = 'discarded'",
    isPending: "j.state in ('available', 'pending', 'retryable', 'running', 'scheduled')",
    outlook,
    async move(queries, { id }) {
      await queries.query(
        `update ${at}.river_job set state = 'available', finalized_at = null, scheduled_at = now(),
           max_attempts = case when attempt >= max_attempts then attempt + 1 else max_attempts end
         where id = $1::bigint`,
        [id],
      );
      return "done";
    },
    notUnique: {
      why: "River allows one such job at a time (its unique options), and there is another by now.",
      change: "Wait until that one is done, or drop this one.",
    },
  });
}

/** As its own retry: one attempt more than it has had, or what was left of them. */
function outlook(message: Message): JobOutlook {
  return { kind: "runs", runs: Math.max(1, numberOf(message, "max_attempts") - numberOf(message, "attempt")) };
}
