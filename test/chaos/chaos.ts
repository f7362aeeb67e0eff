import { parseArgs } from "node:util";
import { commit, say, wholeNumber } from "../long-run.ts";
import { brokers, isBrokerName } from "./brokers.ts";
import { describeReport } from "./describe-report.ts";
import { type ChaosOptions, runChaos } from "./run-chaos.ts";

const usage = `npm run chaos -- [--broker X] [--kills N] [--stops N] [--server-kills N] [--no-inbox] [--seed S] [--json]

  --broker X        which broker: ${Object.keys(brokers).join(", ")} (default postgres)
  --kills N         consumers killed with -9 (default 20)
  --stops N         of these, stopped for longer than their lease before (default a tenth)
  --server-kills N  times the broker is killed with -9 and started again (default a tenth)
  --no-inbox        without an inbox: duplicates have effects, and still nothing is lost
  --seed S          the same orders and plan of kills as another run (default a new one)
  --json            print the report as JSON`;

// Leaving by the front door takes consumers and servers along.
process.once("SIGINT", () => process.exit(130)).once("SIGTERM", () => process.exit(143));
process.exitCode = await main();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      broker: { type: "string", default: "postgres" },
      kills: { type: "string", default: "20" },
      stops: { type: "string" },
      "server-kills": { type: "string" },
      "no-inbox": { type: "boolean", default: false },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return say(usage);
  if (!isBrokerName(values.broker)) return complain(`There is no broker ${values.broker}.\n\n${usage}`);
  const missing = brokers[values.broker].missing;
  if (missing !== undefined) return complain(missing);
  const kills = wholeNumber("--kills", values.kills);
  const tenth = String(Math.ceil(kills / 10));
  const options: ChaosOptions = {
    broker: values.broker,
    kills,
    stops: wholeNumber("--stops", values.stops ?? tenth),
    serverKills: wholeNumber("--server-kills", values["server-kills"] ?? tenth),
    inbox: !values["no-inbox"],
    seed: values.seed,
    progress: (line) => process.stderr.write(`${line}\n`),
  };
  return run(options, values.json);
}

async function run(options: ChaosOptions, asJson: boolean): Promise<number> {
  process.stderr.write(`seed ${options.seed} at commit ${commit()}\n`);
  const report = { commit: commit(), ...(await runChaos(options)) };
  say(asJson ? JSON.stringify(report, null, 2) : describeReport(report));
  return report.passed ? 0 : 1;
}

function complain(text: string): number {
  process.stderr.write(`${text}\n`);
  return 2;
}
