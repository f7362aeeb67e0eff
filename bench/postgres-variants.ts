import { Logger, makeWorkerUtils, run } from "graphile-worker";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { done, makeMessage } from "../src/domain/message.ts";
import { pgDatabase, postgresTransport } from "../src/postgres.ts";
import { createConsumer } from "../src/runtime/consumer.ts";
import type { Transport } from "../src/transports/transport.ts";
import { serveSamples } from "./child-variant.ts";
import { stopwatch } from "./stopwatch.ts";
import type { Sample } from "./suite.ts";
import { untilQuiet } from "./until-quiet.ts";

const connectionString = process.env.DLO_BENCH_POSTGRES_URL ?? "";
const messages = 20_000;
/**
 * Measured is the middle, from this message to that one. What was taken ahead before the first is not paid for, and
 * neither is what is acknowledged after the last: over the whole, whoever takes most ahead would look fastest.
 */
const [measuredFrom, measuredTo] = [4_000, 18_000];
const sentAtOnce = 500;
const concurrency = 50;
/**
 * Messages that we take ahead: as many as the longer local queue of graphile-worker. On an idle machine 2,000 are 3 % slower; where
 * others keep it busy, asking and acknowledging take long enough for handlers to run out of them.
 */
const ahead = 4_000;
const payload = {
  id: 42,
  currency: "EUR",
  lines: Array.from({ length: 20 }, (_, n) => ({ sku: `article-${n}`, text: "x".repeat(24) })),
};
const body = JSON.stringify(payload);
const queue = { name: "bench" };

/** Something that works off messages; `handled` is to be called for each. */
interface Contestant {
  fill(): Promise<unknown>;
  start(handled: () => void): Promise<() => Promise<unknown>>;
  /** Makes the tables as they were before. */
  tidy(): Promise<unknown>;
}

/** Messages a second, in the middle of a queue. */
async function sample({ fill, start, tidy }: Contestant): Promise<Sample> {
  await fill();
  await ask("checkpoint");
  await untilQuiet();
  let count = 0;
  let elapsed = stopwatch();
  let measured: Sample | undefined;
  let over: () => void = () => {};
  const lastHandled = new Promise<void>((resolve) => {
    over = resolve;
  });
  const stop = await start(() => {
    count += 1;
    if (count === measuredFrom) elapsed = stopwatch();
    if (count === measuredTo) measured = elapsed(measuredTo - measuredFrom);
    if (count === messages) over();
  });
  await lastHandled;
  await stop();
  await tidy();
  return measured ?? elapsed(messages);
}

async function ask(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function office(consume: (transport: Transport, handled: () => void) => () => Promise<unknown>): Contestant {
  const transport = postgresTransport({ database: pgDatabase(new pg.Pool({ connectionString })) });
  const burst = Array.from({ length: sentAtOnce }, () => makeMessage({ body }));
  return {
    // No more at once than the others: the garbage of sending would be collected while handling is measured.
    async fill() {
      for (let sent = 0; sent < messages; sent += sentAtOnce) {
        await Promise.all(burst.map((message) => transport.send(queue, message)));
      }
    },
    start: async (handled) => consume(transport, handled),
    tidy: () => ask("vacuum dlo.messages"),
  };
}

const transportAlone = () =>
  office((transport, handled) => {
    const stop = new AbortController();
    const handle = async () => {
      handled();
      return done;
    };
    const consumed = transport.consume(queue, handle, {
      ...{ concurrency, prefetch: ahead, order: "none", leaseMs: 60_000, returnDelayMs: 5_000 },
      signal: stop.signal,
    });
    return () => {
      stop.abort();
      return consumed;
    };
  });

const wholeRuntime = () =>
  office((transport, handled) => {
    const load = { concurrency, prefetch: ahead };
    const consumer = createConsumer({ transport, queue, decode: "json", ...load, handler: async () => handled() });
    void consumer.start();
    return () => consumer.stop();
  });

async function graphile(localQueue: number): Promise<Contestant> {
  const preset = {
    worker: { maxPoolSize: 20, localQueue: { size: localQueue }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
  };
  const logger = new Logger(() => () => {});
  const work = await makeWorkerUtils({ connectionString, logger });
  await work.migrate();
  return {
    async fill() {
      const jobs = Array.from({ length: sentAtOnce }, () => ({ identifier: "bench", payload }));
      for (let sent = 0; sent < messages; sent += sentAtOnce) await work.addJobs(jobs);
    },
    async start(handled) {
      const taskList = { bench: async () => handled() };
      const runner = await run({ connectionString, preset, concurrency, taskList, noHandleSignals: true, logger });
      return () => runner.stop();
    },
    tidy: () => ask("vacuum graphile_worker._private_jobs"),
  };
}

async function pgBoss(batchSize: number, atOnce: number): Promise<Contestant> {
  // Without its own housekeeping, which would only slow it down here.
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(queue.name);

  async function work(handled: () => void): Promise<void> {
    for (;;) {
      const jobs = await boss.fetch(queue.name, { batchSize });
      if (jobs.length === 0) return;
      for (const _ of jobs) handled();
      await boss.complete(
        queue.name,
        jobs.map(({ id }) => id),
      );
    }
  }

  return {
    async fill() {
      const jobs = Array.from({ length: sentAtOnce }, () => ({ data: payload }));
      for (let sent = 0; sent < messages; sent += sentAtOnce) await boss.insert(queue.name, jobs);
    },
    async start(handled) {
      const working = Promise.all(Array.from({ length: atOnce }, () => work(handled)));
      return () => working;
    },
    async tidy() {
      await boss.deleteAllJobs(queue.name);
      await ask("vacuum");
    },
  };
}

/** Made for its first sample, and kept. */
function sampler(make: () => Contestant | Promise<Contestant>): () => Promise<Sample> {
  let made: Promise<Contestant> | undefined;
  return async () => {
    made ??= Promise.resolve(make());
    return sample(await made);
  };
}

serveSamples({
  "dead-letter-office, transport alone": sampler(transportAlone),
  "dead-letter-office, runtime": sampler(wholeRuntime),
  "graphile-worker, local queue of 2,000, completions batched": sampler(() => graphile(2_000)),
  "graphile-worker, local queue of 4,000, completions batched": sampler(() => graphile(4_000)),
  "pg-boss, fetch and complete 500 at a time, 4 at once": sampler(() => pgBoss(500, 4)),
  "pg-boss, fetch and complete 1,000 at a time, 4 at once": sampler(() => pgBoss(1_000, 4)),
  "pg-boss, fetch and complete 1,000 at a time, 2 at once": sampler(() => pgBoss(1_000, 2)),
});
