import { loadClient } from "../domain/client-library.ts";
import type { Database } from "../domain/database.ts";
import { pgDatabase } from "./pg.ts";

export interface OpenPg {
  readonly database: Database;
  /** Statements that wait for a connection. @default none ever do */
  readonly waits?: () => number;
  /** Ends all connections. */
  close(): Promise<void>;
}

export interface OpenPgOptions {
  /** How many connections at most. @default 1 */
  readonly connections?: number;
  /** No statement, and no attempt to connect, takes longer than this, in milliseconds. */
  readonly limitMs: number;
  /** No attempt to connect takes longer than this, in milliseconds: a pool that is closed waits for one. @default `limitMs` */
  readonly connectMs?: number;
  /** A statement takes as long as it takes. @default false */
  readonly isPatient?: boolean;
  /** The server refuses every statement that would change something. @default false */
  readonly readOnly?: boolean;
}

/** A database by its address, through a pool of its own. Nothing is asked yet. */
export async function openPg(
  url: string,
  { connections = 1, limitMs, connectMs = limitMs, isPatient = false, readOnly = false }: OpenPgOptions,
): Promise<OpenPg> {
  const { default: pg } = await loadClient("PostgreSQL", "pg", () => import("pg"));
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectMs,
    ...(isPatient ? {} : { query_timeout: limitMs }),
    application_name: "dlo",
  });
  const plain = pgDatabase(pool, { listener: false });
  const database = readOnly ? onlyReading(plain, limitMs) : plain;
  return { database, waits: () => pool.waitingCount, close: () => pool.end() };
}

/** By transaction: a pooler in front may give each one another connection, and refuses settings of a connection. */
function onlyReading(database: Database, limitMs: number): Database {
  const start = `set transaction read only; set local statement_timeout = ${Math.ceil(limitMs)}`;
  const transaction: Database["transaction"] = (run) =>
    database.transaction(async (opened) => {
      await opened.query(start);
      return run(opened);
    });
  return { ...database, transaction, query: (text, values) => transaction((opened) => opened.query(text, values)) };
}
