import pg from "pg";
import { pgDatabase, survive } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { postgresDatabase } from "../servers/postgres.ts";
import type { RunningBroker } from "./broker-driver.ts";

/** One payment that stands: what a handler's success leaves in the world. */
export interface Payment {
  readonly id: string;
  readonly key: string;
  /** The digest of the body that was paid for. */
  readonly digest: string;
}

/** What can write a payment: the books' own pool, or the client of a handler's transaction. */
export type Payer = Pick<pg.Pool, "query"> | Pick<pg.PoolClient, "query">;

/** The business's own tables. Nothing in them keeps a payment from being made twice: that is what is tested. */
export interface Books {
  readonly database: Database<pg.PoolClient>;
  readonly pool: pg.Pool;
  payments(queue: string): Promise<readonly Payment[]>;
  /** Counts how often a handler was at this order; survives the process. Counts from 1. */
  visit(queue: string, id: string): Promise<number>;
  close(): Promise<void>;
}

/** Books that processes can find. */
export interface StartedBooks extends Books {
  readonly url: string;
}

/** The books of a broker's consumers: in the broker itself where it is a database, else in one started beside it. */
export async function startBooks({ booksUrl }: RunningBroker): Promise<StartedBooks> {
  const server = booksUrl === undefined ? await postgresDatabase() : { url: booksUrl, close: async () => {} };
  const books = openBooks(server.url);
  await books.pool.query(tables);
  return {
    ...books,
    url: server.url,
    async close() {
      await books.close();
      await server.close();
    },
  };
}

const tables = `
  create table payments (queue text not null, order_id text not null, key text not null, digest text not null);
  create table visits (queue text not null, order_id text not null)`;

export function openBooks(url: string, connections = 5): Books {
  const pool = new pg.Pool({ connectionString: url, max: connections });
  survive(pool);
  return {
    pool,
    database: pgDatabase(pool, { listener: false }),
    async payments(queue) {
      const sql = "select order_id as id, key, digest from payments where queue = $1";
      return (await pool.query<Payment>(sql, [queue])).rows;
    },
    async visit(queue, id) {
      await pool.query("insert into visits values ($1, $2)", [queue, id]);
      const counting = "select count(*)::integer as visits from visits where queue = $1 and order_id = $2";
      const { rows } = await pool.query<{ visits: number }>(counting, [queue, id]);
      return rows[0]?.visits ?? 0;
    },
    close: () => pool.end(),
  };
}

export async function pay(payer: Payer, queue: string, { id, key, digest }: Payment): Promise<void> {
  // Both know `query`, but TypeScript cannot call a union of overloads.
  await (payer as pg.Pool).query("insert into payments values ($1, $2, $3, $4)", [queue, id, key, digest]);
}
