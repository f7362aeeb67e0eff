import pg from "pg";
import { type BareClient, type BareMessage, batchSize, inParts } from "./bare-client.ts";

/** A table that is a queue, as many programs have one: rows are deleted with `skip locked`, and stay if that is rolled back. */
export async function barePostgres(connectionString: string): Promise<BareClient> {
  const pool = new pg.Pool({ connectionString, max: 4 });
  await pool.query(`create table if not exists bench_queue (
    id bigint generated always as identity primary key, queue text, headers text, body bytea)`);
  return {
    fill: (queue, messages) => insertAll(pool, queue, messages),
    read: async (queue) => ({ next: () => taken(pool, queue), close: async () => {} }),
    send: (queue, messages) => insertAll(pool, queue, messages),
    close: () => pool.end(),
  };
}

async function taken(pool: pg.Pool, queue: string) {
  const client = await pool.connect();
  await client.query("begin");
  const { rows } = await client.query(
    `delete from bench_queue where id in
      (select id from bench_queue where queue = $1 order by id limit $2 for update skip locked) returning headers, body`,
    [queue, batchSize],
  );
  const acknowledge = async () => {
    await client.query("commit");
    client.release();
  };
  return { count: rows.length, acknowledge };
}

async function insertAll(pool: pg.Pool, queue: string, messages: readonly BareMessage[]): Promise<void> {
  for (const part of inParts(messages, batchSize)) {
    await pool.query(
      "insert into bench_queue (queue, headers, body) select $1, * from unnest($2::text[], $3::bytea[])",
      [queue, part.map(({ headers }) => JSON.stringify(headers)), part.map(({ body }) => body)],
    );
  }
}
