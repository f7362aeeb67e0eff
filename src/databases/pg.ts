import type { ClientConfig, QueryResult as PgResult, Pool, PoolClient } from "pg";
import { type Clock, within } from "../domain/clock.ts";
import type { Database, QueryResult, Transaction } from "../domain/database.ts";
import { withDefaults } from "../domain/options.ts";
import { systemClock } from "../system/host.ts";
import { type Loan, lend, nothingCommitted } from "./borrowed-client.ts";
import { copyIn } from "./pg-copy.ts";
import { PgEar } from "./pg-ear.ts";

export interface PgDatabaseOptions {
  /**
   * How to connect for notifications, which only hasten consumers. They need a connection of their own that no pooler
   * in transaction mode stands in front of: give a direct address here if the pool goes through one. False: none, and
   * consumers find new messages by asking.
   * @default the pool's own settings
   */
  readonly listener?: ClientConfig | false | null;
  /** @default the host's clock */
  readonly clock?: Clock;
}

export const pgDatabaseDefaults: Required<PgDatabaseOptions> = { listener: null, clock: systemClock };

/** An idle connection rolls back at once; one that takes this long, in milliseconds, is busy with something else. */
const rollbackWithinMs = 2_000;

/**
 * PostgreSQL through a pool of `pg`. The pool stays yours: set its size, and end it when all that uses it is closed.
 *
 * ```ts
 * const pool = new Pool({ connectionString });
 * const transport = postgresTransport({ database: pgDatabase(pool) });
 * ```
 */
export function pgDatabase(pool: Pool, options?: PgDatabaseOptions): Database<PoolClient> {
  const { listener, clock } = withDefaults(pgDatabaseDefaults, options);
  survive(pool);
  const queries: Database<PoolClient> = {
    serial: false,
    query: async <Row>(text: string, values?: readonly unknown[]) =>
      rowsOf<Row>(await pool.query(...given(text, values))),
    transaction: (run) => transact(pool, clock, run),
  };
  if (listener === false) return queries;
  const ear = new PgEar(pool, listener ?? pool.options, clock);
  return { ...queries, listen: (channel, wake) => ear.listen(channel, wake) };
}

async function transact<Result>(
  pool: Pool,
  clock: Clock,
  run: (transaction: Transaction<PoolClient>) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const loan = lend(client, { refused: ["query", "copyFrom", "copyTo"], kept: ["release", "end"] });
  const { transaction, isDiscarded } = transactionOf(loan);
  // A broken client given back to the pool would fail somebody else.
  let sound = false;
  try {
    await client.query("begin");
    const result = await run(transaction);
    loan.end();
    await commit(client);
    sound = true;
    return result;
  } catch (error) {
    loan.end();
    // A rollback would wait behind a statement that somebody forgot; the server rolls back when the connection goes.
    sound = !loan.isBusy() && (await rolledBack(client, clock));
    throw error;
  } finally {
    client.release(!sound || isDiscarded());
  }
}

function transactionOf({ client, isBusy, end }: Loan<PoolClient>) {
  let discarded = false;
  const transaction: Transaction<PoolClient> = {
    client,
    get busy() {
      return isBusy();
    },
    query: async <Row>(text: string, values?: readonly unknown[]) =>
      rowsOf<Row>(await client.query(...given(text, values))),
    copyIn: (...tables) => copyIn(client, tables),
    discard() {
      discarded = true;
      end();
    },
  };
  return { transaction, isDiscarded: () => discarded };
}

/** A transaction in which a statement failed answers a commit with a rollback, without any error. */
async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query("commit");
  if (command !== "COMMIT") throw nothingCommitted();
}

/** False if the connection is of no more use. The error that led here says more than one of the rollback. */
function rolledBack(client: PoolClient, clock: Clock): Promise<boolean> {
  const answered = client.query("rollback").then(
    () => true,
    () => false,
  );
  return within(clock, rollbackWithinMs, answered, () => false);
}

/** Without values the simple protocol is used, which takes several statements at once. */
function given(text: string, values: readonly unknown[] | undefined): [string, unknown[]?] {
  return values === undefined ? [text] : [text, [...values]];
}

const bigintOid = 20;
const byteaOid = 17;

function rowsOf<Row>(answer: PgResult | readonly PgResult[]): QueryResult<Row> {
  const result = Array.isArray(answer) ? (answer as readonly PgResult[]).at(-1) : (answer as PgResult);
  const rows = (result?.rows ?? []) as Record<string, unknown>[];
  for (const { name, dataTypeID } of result?.fields ?? []) {
    if (dataTypeID === bigintOid) convert(rows, name, String);
    if (dataTypeID === byteaOid) convert(rows, name, plainBytes);
  }
  return { rows: rows as Row[], count: result?.rowCount ?? 0 };
}

function convert(rows: readonly Record<string, unknown>[], name: string, to: (value: never) => unknown): void {
  for (const row of rows) if (row[name] !== null) row[name] = to(row[name] as never);
}

function plainBytes({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** What has a listener for its errors already: one more for each use would pile up. */
const surviving = new WeakSet<object>();

/**
 * A connection that the server ends emits `error`, sometimes twice, and one that nobody listens to ends the process. The
 * pool itself listens to the first only. Whatever was asked rejects anyway.
 */
export function survive(pool: Pool): void {
  if (surviving.has(pool)) return;
  surviving.add(pool);
  pool.on("error", () => {});
  pool.on("acquire", (client) => {
    if (surviving.has(client)) return;
    surviving.add(client);
    client.on("error", () => {});
  });
}
