import { printReport } from "./print-report.ts";
import { runSuite, type Suite } from "./suite.ts";

const rabbitmq = async () => (await import("./rabbitmq.ts")).suite();
const kafka = async () => (await import("./kafka.ts")).suite();

/** Every benchmark, loaded when it is asked for: one may need a server or a client that others do not. */
const suites: Readonly<Record<string, readonly (() => Promise<Suite>)[]>> = {
  policies: [async () => (await import("./policies.ts")).suite()],
  runtime: [async () => (await import("./runtime.ts")).suite()],
  postgres: [async () => (await import("./postgres.ts")).suite()],
  ledger: [async () => (await import("./ledger.ts")).suite()],
  triage: [async () => (await import("./triage.ts")).suite()],
  dialects: [async () => (await import("./dialects.ts")).suite()],
  rabbitmq: [rabbitmq],
  kafka: [kafka],
  brokers: [rabbitmq, kafka],
};

const usage = `Usage: npm run bench -- ${Object.keys(suites).join("|")} [--json]`;

const args = process.argv.slice(2);
const [name = "", ...others] = args.filter((arg) => arg !== "--json");
const chosen = others.length === 0 ? suites[name] : undefined;
if (chosen === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  // One line a suite, as one after the other is done.
  for (const load of chosen) {
    const suite = await load();
    const report = await runSuite(suite);
    process.stdout.write(args.includes("--json") ? `${JSON.stringify(report)}\n` : printReport(suite, report));
  }
}
