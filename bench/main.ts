import { parseArgs } from "node:util";
import { printReport } from "./print-report.ts";
import { runSuite, type Suite } from "./suite.ts";

interface Options {
  /** How many letters the ledger is filled with, at most. */
  readonly letters: number;
}

/** What a benchmark came to: for programs, and as people read it. */
interface Outcome {
  readonly report: object;
  readonly text: string;
}

type Benchmark = (options: Options) => Promise<Outcome>;

function sideBySide(load: () => Promise<{ readonly suite: () => Suite | Promise<Suite> }>): Benchmark {
  return async () => {
    const suite = await (await load()).suite();
    const report = await runSuite(suite);
    return { report, text: printReport(suite, report) };
  };
}

const rabbitmq = sideBySide(() => import("./rabbitmq.ts"));
const kafka = sideBySide(() => import("./kafka.ts"));
const redis = sideBySide(() => import("./redis.ts"));
const growth: Benchmark = async ({ letters }) => (await import("./growth.ts")).measureGrowth(letters);

/** Every benchmark, loaded when it is asked for: one may need a server or a client that others do not. */
const benchmarks: Readonly<Record<string, readonly Benchmark[]>> = {
  policies: [sideBySide(() => import("./policies.ts"))],
  runtime: [sideBySide(() => import("./runtime.ts"))],
  postgres: [sideBySide(() => import("./postgres.ts"))],
  ledger: [sideBySide(() => import("./ledger.ts")), growth],
  growth: [growth],
  drain: [sideBySide(() => import("./drain.ts"))],
  triage: [sideBySide(() => import("./triage.ts"))],
  dialects: [sideBySide(() => import("./dialects.ts"))],
  rabbitmq: [rabbitmq],
  kafka: [kafka],
  redis: [redis],
  brokers: [rabbitmq, kafka, redis],
};

const usage = `Usage: npm run bench -- ${Object.keys(benchmarks).join("|")} [--json] [--letters 1000000]`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, letters: { type: "string", default: "100000" } },
});
const chosen = positionals.length === 1 ? benchmarks[positionals[0] ?? ""] : undefined;
const letters = Number(values.letters);
if (chosen === undefined || !Number.isSafeInteger(letters) || letters < 1) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  // One line a benchmark, as one after the other is done.
  for (const run of chosen) {
    const { report, text } = await run({ letters });
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : text);
  }
}
