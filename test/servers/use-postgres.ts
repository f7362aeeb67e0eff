import pg from "pg";
import { afterAll, beforeAll } from "vitest";
import { pgDatabase } from "../../src/databases/pg.ts";
import type { Database } from "../../src/domain/database.ts";
import { startPgBouncer } from "./pgbouncer.ts";
import { postgresDatabase } from "./postgres.ts";

/** A database for the tests of one `describe`; its fields may be read once those run. */
export interface UsedPostgres {
  readonly url: string;
  readonly pool: pg.Pool;
  readonly database: Database<pg.PoolClient>;
  /** Connections of its own, as another process has them; ended with the tests. */
  otherPool(config?: pg.PoolConfig): pg.Pool;
}

export interface UsePostgresOptions {
  /** Through PgBouncer in transaction mode. @default false */
  readonly pooled?: boolean;
}

export function usePostgres({ pooled = false }: UsePostgresOptions = {}): UsedPostgres {
  const closing: (() => Promise<void>)[] = [];
  let url = "";
  let pool: pg.Pool;
  let database: Database<pg.PoolClient>;

  function otherPool(config: pg.PoolConfig = {}): pg.Pool {
    const other = new pg.Pool({ connectionString: url, ...config });
    closing.unshift(() => other.end());
    return other;
  }

  beforeAll(async () => {
    const server = await postgresDatabase();
    closing.unshift(server.close);
    url = server.url;
    if (pooled) {
      const bouncer = await startPgBouncer(server.url);
      closing.unshift(bouncer.close);
      url = bouncer.url;
    }
    pool = otherPool();
    database = pgDatabase(pool);
  });
  afterAll(async () => {
    for (const close of closing) await close();
  });
  return {
    get url() {
      return url;
    },
    get pool() {
      return pool;
    },
    get database() {
      return database;
    },
    otherPool,
  };
}
