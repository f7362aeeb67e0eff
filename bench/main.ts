import { parseArgs } from "node:util";
import { printReport } from "./print-report.ts";
import { runSuite, type Suite } from "./suite.ts";

interface Options {
  /** How many letters the ledger is filled with, at most; null: as many as the benchmark is meant for. */
  readonly letters: number | null;
}

/** What a benchmark came to: for programs, and as people read it. */
interface Outcome {
  readonly report: object;
  readonly text: string;
}

type Benchmark = (options: Options) => Promise<Outcome>;

interface SuiteModule {
  suite(letters?: number): Suite | Promise<Suite>;
}

function sideBySide(load: () => Promise<SuiteModule>): Benchmark {
  return async ({ letters }) => {
    const suite = await (await load()).suite(letters ?? undefined);
    const report = await runSuite(suite);
    return { report, text: printReport(suite, report) };
  };
}

const growth: Benchmark = async ({ letters }) => (await import("./growth.ts")).measureGrowth(letters ?? 100_000);
const brokers: Benchmark = async ({ letters }) => (await import("./brokers.ts")).measureBrokers(letters ?? 2_000);
const office: Benchmark = async ({ letters }) => (await import("./office.ts")).measureOffice(letters ?? 1_000_000);

/** Every benchmark, loaded when it is asked for: one may need a server or a client that others do not. */
const benchmarks: Readonly<Record<string, readonly Benchmark[]>> = {
  policies: [sideBySide(() => import("./policies.ts"))],
  runtime: [sideBySide(() => import("./runtime.ts"))],
  postgres: [sideBySide(() => import("./postgres.ts"))],
  ledger: [sideBySide(() => import("./ledger.ts")), growth],
  retention: [sideBySide(() => import("./retention.ts"))],
  growth: [growth],
  office: [office],
  drain: [sideBySide(() => import("./drain.ts"))],
  replay: [sideBySide(() => import("./replay.ts"))],
  triage: [sideBySide(() => import("./triage.ts"))],
  dialects: [sideBySide(() => import("./dialects.ts"))],
  rabbitmq: [sideBySide(() => import("./rabbitmq.ts"))],
  kafka: [sideBySide(() => import("./kafka.ts"))],
  redis: [sideBySide(() => import("./redis.ts"))],
  sqs: [sideBySide(() => import("./sqs.ts"))],
  nats: [sideBySide(() => import("./nats.ts"))],
  brokers: [brokers],
};

const usage = `Usage: npm run bench -- ${Object.keys(benchmarks).join("|")} [--json] [--letters 1000000]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, letters: { type: "string" } },
});
const chosen = positionals.length === 1 ? benchmarks[positionals[0] ?? ""] : undefined;
const letters = values.letters === undefined ? null : Number(values.letters);
if (chosen === undefined || (letters !== null && (!Number.isSafeInteger(letters) || letters < 1))) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  // One line a benchmark, as one after the other is done.
  for (const run of chosen) {
    const { report, text } = await run({ letters });
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : text);
  }
}
