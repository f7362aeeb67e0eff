import { printReport } from "./print-report.ts";
import { runSuite, type Suite } from "./suite.ts";

/** Every benchmark, loaded when it is asked for: one may need a server or a client that others do not. */
const suites: Readonly<Record<string, () => Promise<Suite>>> = {
  policies: async () => (await import("./policies.ts")).suite(),
  runtime: async () => (await import("./runtime.ts")).suite(),
  postgres: async () => (await import("./postgres.ts")).suite(),
  brokers: async () => (await import("./brokers.ts")).suite(),
};

const usage = `Usage: npm run bench -- ${Object.keys(suites).join("|")} [--json]`;

const args = process.argv.slice(2);
const [name = "", ...others] = args.filter((arg) => arg !== "--json");
const load = others.length === 0 ? suites[name] : undefined;
if (load === undefined) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  const suite = await load();
  const report = await runSuite(suite);
  process.stdout.write(args.includes("--json") ? `${JSON.stringify(report)}\n` : printReport(suite, report));
}
