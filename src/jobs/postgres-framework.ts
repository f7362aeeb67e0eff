import { isObject, parseContainer } from "../dialects/json.ts";
import type { Database, Queries } from "../domain/database.ts";
import type { Message } from "../domain/message.ts";
import type {
  FailedJob,
  JobFailure,
  JobFramework,
  JobOutlook,
  JobQueue,
  JobStanding,
  PutBack,
  PutBackRefusal,
  TimedFailure,
} from "./job-framework.ts";
import {
  isUniqueViolation,
  micros,
  momentOf,
  momentOfMs,
  postgresTime,
  postgresVersion,
  requireColumns,
  rowProperties,
} from "./postgres-store.ts";

/** The table of a framework whose jobs are rows. Expressions are about the row `j`. */
export interface JobTable {
  readonly product: string;
  readonly schema: string;
  readonly table: string;
  /** As the framework's documents call it. */
  readonly called: string;
  /** Columns without which it is another version's. */
  readonly needed: readonly string[];
  /** The table, and what else it takes, as it stands after `from`. */
  readonly from: string;
  /** A query for the names of all queues, as `name`. */
  readonly names: string;
  /** A queue is but a word in a column: one without a row is empty, and there is none that is not found. @default false */
  readonly hasAnyQueue?: boolean;
  readonly queue: string;
  readonly id: { readonly column: string; readonly type: "uuid" | "bigint" };
  readonly isFailed: string;
  readonly isPending: string;
  /** A query for how many wait or run in the queue `q.name`, where those are not rows of the same table. @default counts `isPending` */
  readonly pending?: string;
  /** What is said of a job whose row is gone. @default "over" */
  readonly gone?: JobStanding;
  readonly failedAt: string;
  /** The column with what the job was given. */
  readonly payload: string;
  /** More columns of other tables, as `'name', value`. */
  readonly more?: string;
  readonly lateS?: number;
  outlook(message: Message): JobOutlook;
  /** Moves the job whose row is locked, and is failed since that moment; whatever it gives but "done" undoes all. */
  move(queries: Queries, job: JobFailure): Promise<"done" | PutBackRefusal>;
  /** Why it stays where a unique index does not allow it. */
  readonly notUnique?: PutBackRefusal;
}

/** A framework whose jobs are rows of a table in PostgreSQL: to put one back is one transaction. */
export function postgresFramework(database: Database, table: JobTable): JobFramework {
  let checked: Promise<void> | null = null;
  const ready = async (): Promise<Database> => {
    checked ??= requireColumns(database, { ...table, framework: table.product });
    checked.catch(() => {
      checked = null;
    });
    await checked;
    return database;
  };
  return {
    ...{ unitsPerSecond: 1_000_000, lateS: table.lateS, outlook: table.outlook },
    now: () => postgresTime(database),
    product: async () => `${table.product} on PostgreSQL ${await postgresVersion(database)}`,
    queues: async () => readQueues(await ready(), table, null),
    look: async (queue) => (await readQueues(await ready(), table, queue))[0] ?? null,
    list: async (queue, from, limit) => list(await ready(), table, { queue, from, limit }),
    standings: async (jobs) => standings(await ready(), table, jobs),
    putBack: async (job) => putBack(await ready(), table, job),
  };
}

async function readQueues(queries: Queries, table: JobTable, only: string | null): Promise<readonly JobQueue[]> {
  const counted = (which: string) =>
    `(select count(*)::integer from ${table.from} where ${table.queue} = q.name and ${which})`;
  const names = only !== null && table.hasAnyQueue === true ? "select $1::text as name" : table.names;
  const { rows } = await queries.query<JobQueue>(
    `select q.name, ${counted(table.isFailed)} as failed, ${table.pending === undefined ? counted(table.isPending) : `(${table.pending})`} as pending
     from (${names}) q where $1::text is null or q.name = $1 order by q.name`,
    [only],
  );
  return rows;
}

interface Row {
  readonly id: string;
  readonly failed_at: string;
  readonly payload: string | null;
  readonly row: string;
}

async function list(
  queries: Queries,
  table: JobTable,
  { queue, from, limit }: { readonly queue: string; readonly from: string | null; readonly limit: number },
): Promise<readonly FailedJob[]> {
  const { failedAt, id, payload, more = "" } = table;
  const { rows } = await queries.query<Row>(
    `select j.${id.column}::text as id, ${micros(failedAt)}::text as failed_at, j.${payload}::text as payload,
       ((to_jsonb(j) - '${payload}') || jsonb_build_object(${more}))::text as row
     from ${table.from}
     where ${table.queue} = $1 and ${table.isFailed} and ($2::text is null or ${failedAt} >= ${momentOf("$2")})
     order by ${failedAt}, j.${id.column} limit $3`,
    [queue, from, limit],
  );
  return rows.map((row) => ({
    ...{ queue, id: row.id, failedAt: row.failed_at },
    message: { ...messageOf(table, row.row), body: Buffer.from(row.payload ?? "") },
  }));
}

function messageOf({ called }: JobTable, row: string): Omit<Message, "body"> {
  const columns = parseContainer(row);
  return { headers: [], key: null, properties: rowProperties(called, isObject(columns) ? columns : {}) };
}

async function standings(
  queries: Queries,
  table: JobTable,
  jobs: readonly JobFailure[],
): Promise<readonly JobStanding[]> {
  const { rows } = await queries.query<{ id: string; queue: string; failed_at: string; standing: JobStanding }>(
    `select j.${table.id.column}::text as id, ${table.queue} as queue, ${micros(table.failedAt)}::text as failed_at,
       case when ${table.isFailed} then 'failed' when ${table.isPending} then 'pending' else 'over' end as standing
     from ${table.from} where j.${table.id.column} = any ($1::${table.id.type}[]) and ${table.queue} = any ($2::text[])`,
    [jobs.map(({ id }) => id), [...new Set(jobs.map(({ queue }) => queue))]],
  );
  const found = new Map(rows.map((row) => [JSON.stringify([row.queue, row.id]), row]));
  return jobs.map(({ queue, id, failedAt }) => {
    const row = found.get(JSON.stringify([queue, id]));
    if (row === undefined) return table.gone ?? "over";
    return row.standing === "failed" && row.failed_at !== failedAt ? "over" : row.standing;
  });
}

/** What was refused after something was changed: the transaction is undone by it. */
class Undone extends Error {
  readonly refusal: PutBackRefusal | "late";

  constructor(refusal: PutBackRefusal | "late") {
    super("The job stays where it is.");
    this.refusal = refusal;
  }
}

/** For so long a connection may be silent within the transaction before PostgreSQL ends it, and undoes all, in milliseconds. */
const silentMs = 5_000;
/** What remains of the time when the last statement is done: to be silent, and to commit, in milliseconds. */
const committingMs = 6_000;

async function putBack(database: Database, table: JobTable, job: TimedFailure): Promise<PutBack> {
  try {
    return await database.transaction(async (queries): Promise<PutBack> => {
      await queries.query(`set local idle_in_transaction_session_timeout = ${silentMs}`);
      const { rows } = await queries.query(
        `select from ${table.from} where j.${table.id.column} = $1::${table.id.type} and ${table.queue} = $2
         and ${table.isFailed} and ${micros(table.failedAt)} = $3::bigint for update of j`,
        [job.id, job.queue, job.failedAt],
      );
      if (rows.length === 0) return "moved";
      const moved = await table.move(queries, job);
      if (moved !== "done") throw new Undone(moved);
      if (!(await isInTime(queries, job.beforeMs - committingMs))) throw new Undone("late");
      return moved;
    });
  } catch (error) {
    if (error instanceof Undone) return error.refusal;
    if (isUniqueViolation(error) && table.notUnique !== undefined) return table.notUnique;
    throw error;
  }
}

async function isInTime(queries: Queries, beforeMs: number): Promise<boolean> {
  const { rows } = await queries.query<{ is_so: boolean }>(`select clock_timestamp() < ${momentOfMs("$1")} as is_so`, [
    beforeMs,
  ]);
  return rows[0]?.is_so === true;
}
