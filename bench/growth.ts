import { existsSync, readFileSync } from "node:fs";
import pg from "pg";
import { pgDatabase } from "../src/databases/pg.ts";
import { openLedger } from "../src/ledger/ledger.ts";
import { startPostgres } from "../test/servers/postgres.ts";
import { fillLedger } from "./growth-letters.ts";
import { type GrowthQuery, growthQueries } from "./growth-queries.ts";
import { printGrowth } from "./print-growth.ts";
import { untilQuiet } from "./until-quiet.ts";

/** How long one question takes, in ledgers of several sizes. */
export interface QuestionGrowth {
  readonly name: string;
  readonly goalMs: GrowthQuery["goalMs"];
  readonly at: readonly QuestionTime[];
}

/** In milliseconds. */
export interface QuestionTime {
  readonly letters: number;
  readonly p50: number;
  readonly p99: number;
  /** The median of the server's processor time, which others on the machine change little; null where nobody tells. */
  readonly cpu: number | null;
  readonly met: boolean;
}

/** What `--json` prints. */
export interface GrowthReport {
  readonly unit: "ms";
  readonly samples: number;
  readonly questions: readonly QuestionGrowth[];
}

const samples = 300;

/** As a small server of one's own is set up; memory beside it is the system's cache. */
const settings = { shared_buffers: "512MB", max_wal_size: "4GB", work_mem: "16MB", random_page_cost: "1.1" };

/** Asks ledgers of ten thousand letters, ten times that, and so on to `most`, what people ask of one. */
export async function measureGrowth(most: number): Promise<{ readonly report: GrowthReport; readonly text: string }> {
  const server = await startPostgres(settings);
  const pool = new pg.Pool({ connectionString: server.url(), max: 1 });
  try {
    const found: (QuestionTime & { readonly query: GrowthQuery })[] = [];
    for (const letters of sizesUpTo(most)) {
      const ledger = await openLedger({ database: pgDatabase(pool, { listener: false }), schema: `of_${letters}` });
      await fillLedger(ledger, letters);
      for (const query of growthQueries) found.push({ query, letters, ...(await timesOf(query, ledger, letters)) });
    }
    const questions = growthQueries.map(({ name, goalMs }) => ({
      name,
      goalMs,
      at: found.filter(({ query }) => query.name === name).map(({ query: _, ...time }) => time),
    }));
    const report: GrowthReport = { unit: "ms", samples, questions };
    return { report, text: printGrowth(report) };
  } finally {
    await pool.end();
    await server.close();
  }
}

function sizesUpTo(most: number): readonly number[] {
  return [...[10_000, 100_000, 1_000_000].filter((size) => size < most), most];
}

async function timesOf(
  { prepare, goalMs }: GrowthQuery,
  ...where: Parameters<GrowthQuery["prepare"]>
): Promise<Omit<QuestionTime, "letters">> {
  const ask = await prepare(...where);
  const { rows } = await where[0].database.query<{ pid: number }>("select pg_backend_pid() as pid", []);
  const pid = rows[0]?.pid ?? 0;
  const [times, cpu]: [number[], number[]] = [[], []];
  await untilQuiet();
  for (let n = 0; n < samples; n++) {
    const [startedAt, before] = [performance.now(), processorMs(pid)];
    await ask(n);
    times.push(performance.now() - startedAt);
    cpu.push(processorMs(pid) - before);
  }
  const [p50, p99, spent] = [shareOf(times, 0.5), shareOf(times, 0.99), shareOf(cpu, 0.5)];
  const met = p50 < goalMs.p50 && (goalMs.p99 === null || p99 < goalMs.p99);
  return { p50, p99, cpu: Number.isNaN(spent) ? null : spent, met };
}

function shareOf(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Number((sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN).toPrecision(3));
}

/** What a process has had of the processors, as Linux counts it. */
function processorMs(pid: number): number {
  const file = `/proc/${pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ")[0]) / 1e6 : Number.NaN;
}
