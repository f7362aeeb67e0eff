import pg from "pg";
import { createConsumer } from "../../src/index.ts";
import { pgDatabase, postgresBlockedKeys, postgresTransport } from "../../src/postgres.ts";

/** An ordered consumer that is killed at any line. */
export interface OrderedConsumerTask {
  readonly postgresUrl: string;
  readonly queue: string;
}

/** A message is the n-th of its key. It fails for as long as it is in the table `broken`. */
export interface NumberedMessage {
  readonly key: string;
  /** Counts from 1. */
  readonly n: number;
}

const { postgresUrl, queue } = JSON.parse(process.argv[2] ?? "{}") as OrderedConsumerTask;
const pool = new pg.Pool({ connectionString: postgresUrl, max: 8 });
const database = pgDatabase(pool);
const consumer = createConsumer<NumberedMessage>({
  ...{ transport: postgresTransport({ database, pollMs: 50 }), queue, order: "key", concurrency: 8, prefetch: 16 },
  ...{ blockedKeys: postgresBlockedKeys({ database }), leaseMs: 1_000, breaker: false },
  retry: { maxAttempts: 3, backoff: { strategy: "fixed", delayMs: 50 }, budget: false },
  // A process that dies at every other message makes suspects of them all.
  poison: { crashes: 20, sameFailures: 20 },
  deadLetter: { returnDelayMs: 200 },
  async handler({ payload: { key, n } }) {
    const { rowCount } = await pool.query("select from broken where key = $1 and n = $2", [key, n]);
    if (rowCount !== 0) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    await pool.query("insert into effects (key, n) values ($1, $2)", [key, n]);
  },
});
await consumer.start();
