import { member, parseContainer, textOf } from "../../dialects/json.ts";
import { type Database, type Queries, quoteName } from "../../domain/database.ts";
import type { Message } from "../../domain/message.ts";
import { textOf as utf8 } from "../../domain/text-of.ts";
import type { JobFailure, JobFramework, JobOutlook, PutBackRefusal } from "../job-framework.ts";
import { columnOf } from "../job-record.ts";
import { type JobTable, postgresFramework } from "../postgres-framework.ts";
import { hasTable } from "../postgres-store.ts";

const laravelDefaults = { schema: "public" } as const;

/** What Laravel calls a connection whose jobs are rows, unless somebody gave it another name. */
const ofDatabase = "database";

/** `failed_at` is in the application's own time, which stands still for an hour, or leaps by one, twice a year. */
const clockChangeS = 7_200;

/**
 * Laravel: every failure is a row of `failed_jobs` of its own, whatever connection its queue is on. Only those whose queue is in the
 * same database are put back: anywhere else it is two steps, and a crash between them loses the job or runs it twice.
 */
export function laravel(
  database: Database,
  { schema = laravelDefaults.schema }: { readonly schema?: string | undefined },
): JobFramework {
  // Whether there is a table of jobs decides what can be asked. It may be made while the office runs.
  const asked = async () => {
    const hasJobs = await hasTable(database, { schema, table: "jobs" });
    return postgresFramework(database, tableOf(schema, hasJobs));
  };
  const plain = postgresFramework(database, tableOf(schema, false));
  return {
    ...plain,
    queues: async () => (await asked()).queues(),
    look: async (queue) => (await asked()).look(queue),
    putBack: async (job) => (await asked()).putBack(job),
  };
}

function tableOf(schema: string, hasJobs: boolean): JobTable {
  const at = quoteName(schema);
  const ofJobs = hasJobs ? ` union select queue from ${at}.jobs` : "";
  return {
    ...{ product: "Laravel", schema, table: "failed_jobs", called: "failed_jobs", from: `${at}.failed_jobs j` },
    needed: ["id", "connection", "queue", "payload", "exception", "failed_at"],
    names: `select distinct queue as name from ${at}.failed_jobs${ofJobs}`,
    ...{ queue: "j.queue", id: { column: "id", type: "bigint" }, payload: "payload" },
    failedAt: "(j.failed_at at time zone 'UTC')",
    ...{ isFailed: "true", isPending: "false", gone: "moved", lateS: clockChangeS, hasAnyQueue: true },
    ...(hasJobs ? { pending: `select count(*)::integer from ${at}.jobs w where w.queue = q.name` } : {}),
    outlook,
    move: (queries, job) => (hasJobs ? pushAndForget(queries, at, job) : Promise.resolve(noJobs)),
  };
}

/** As `queue:retry` does it, whose two steps are one here. The payload goes as it is: it has no count of attempts. */
async function pushAndForget(queries: Queries, at: string, { id }: JobFailure): Promise<"done"> {
  await queries.query(
    `with failed as (delete from ${at}.failed_jobs where id = $1::bigint returning queue, payload)
     insert into ${at}.jobs (queue, payload, attempts, reserved_at, available_at, created_at)
     select queue, payload, 0, null, extract(epoch from now())::integer, extract(epoch from now())::integer from failed`,
    [id],
  );
  return "done";
}

const retryIt = (uuid: string | undefined) =>
  `Retry it by Laravel itself: php artisan queue:retry ${uuid ?? "with the id of its row in failed_jobs"}`;

const noJobs: PutBackRefusal = {
  why: "There is no table `jobs` beside `failed_jobs`: its queue is somewhere else, and to put it back would be two steps.",
  change: retryIt(undefined),
};

function outlook(message: Message): JobOutlook {
  const payload = parseContainer(utf8(message.body) ?? "");
  const uuid = textOf(member(payload, "uuid"));
  const connection = columnOf(message, "connection");
  if (connection !== ofDatabase) {
    const why = `Its connection is \`${connection}\`: its queue is not in this database, and to put it back would be two steps.`;
    return { kind: "refused", why, change: retryIt(uuid) };
  }
  const until = member(payload, "retryUntil") ?? member(payload, "timeoutAt") ?? null;
  if (until !== null) {
    const why =
      "It may be retried until a moment that is over (`retryUntil`), and the next one is computed by its own code.";
    return { kind: "refused", why, change: retryIt(uuid) };
  }
  const tries = member(payload, "maxTries");
  return { kind: "runs", runs: typeof tries === "number" && tries > 0 ? tries : null };
}
