import { noPostgres, type PostgresDatabase, postgresDatabase, startPostgres } from "../test/servers/postgres.ts";
import { childVariant } from "./child-variant.ts";
import { type Suite, thenClose } from "./suite.ts";

const transport = "dead-letter-office, transport alone";
const runtime = "dead-letter-office, runtime";
/** Others in several configurations each: we are compared with whichever is fastest here. */
const others = {
  "graphile-worker": [
    "graphile-worker, local queue of 2,000, completions batched",
    "graphile-worker, local queue of 4,000, completions batched",
  ],
  "pg-boss": [
    "pg-boss, fetch and complete 500 at a time, 4 at once",
    "pg-boss, fetch and complete 1,000 at a time, 4 at once",
    "pg-boss, fetch and complete 1,000 at a time, 2 at once",
  ],
};

/** How many messages a second one process gets through, on one server, each product in its fastest configuration. */
export async function suite(): Promise<Suite> {
  if (noPostgres !== undefined) throw new Error(noPostgres);
  const server = await openServer();
  // The children find it there.
  process.env.DLO_BENCH_POSTGRES_URL = server.url;
  const file = new URL("./postgres-variants.ts", import.meta.url);
  const variants = [transport, runtime, ...Object.values(others).flat()].map((name) => childVariant(name, file));
  return {
    about:
      "Messages a second of 1.3 KB (JSON), by one process and a handler that does nothing, in the middle of a queue of\n" +
      "20,000 (the 4,000th to the 18,000th), on one PostgreSQL with its default settings: durable commits.",
    unit: "messages/s",
    rounds: 7,
    variants: thenClose(variants, server),
    ratios: Object.entries(others).map(([other, configurations]) => ({
      name: `runtime against ${other} at its fastest`,
      value: (median) => median(runtime) / Math.max(...configurations.map(median)),
      goal: 1.3,
      is: "at least",
    })),
  };
}

/** The server given, or one that syncs to disk as a real one does. */
async function openServer(): Promise<PostgresDatabase> {
  if (process.env.DLO_TEST_POSTGRES_URL !== undefined) return postgresDatabase();
  const server = await startPostgres({ fsync: "on", full_page_writes: "on" });
  return { url: server.url(), close: () => server.close() };
}
