import { letterQueues, lettersIn } from "../../wiring/dead-letter-queues.ts";
import { severities } from "../../wiring/finding.ts";
import { command } from "../command.ts";
import { switchFlag } from "../flags.ts";
import { inspectOptions, lookFlags, sourcesAskedFor } from "../sources/source-flags.ts";
import { countOf, exitCodeOf, lookAt, type Seen } from "./look.ts";
import { count, report, summary } from "./report.ts";

export const doctorCommand = command({
  name: "doctor",
  summary: "what is wrong with the dead-letter queues of your brokers, and what to do about it",
  examples: [
    { line: "dlo doctor", about: "all sources of dlo.config.yaml" },
    { line: "dlo doctor rabbit-eu --strict", about: "one of them; warnings fail as well, for a pipeline" },
    { line: "dlo doctor --url '${RABBIT_URL}'", about: "a broker that no configuration names" },
  ],
  details: [
    "Looks and changes nothing: no message is taken, nothing is made. Each finding has a code for scripts, a sentence, and " +
      "what to paste; read it before you do. docs/guides/doctor.md lists all codes.",
    "error: messages are lost, or will be. warning: they are in circumstances that are not rare. note: good to know.",
    "Exit codes: 0 nothing wrong, or only warnings and notes; 1 errors (with --strict also warnings); 4 a source refuses " +
      "access; 9 a source cannot be reached, or was skipped and with it all there was (with --strict also one of several).",
  ],
  operand: { placeholder: "SOURCE", about: "one source of the configuration; all without it", required: false },
  flags: {
    ...lookFlags,
    strict: switchFlag("warnings fail as errors do"),
    all: switchFlag("every finding, however many there are of a kind"),
  },

  async run(values, context) {
    const { print, note, terminal } = context;
    const sources = await sourcesAskedFor(values, context);
    const seen = await lookAt(sources, inspectOptions(values, context));
    if (values.json) print(JSON.stringify(asJson(seen)));
    else if (seen.length > 0) print(report(seen, values, terminal));
    note(`${count(seen.length, "source")}, ${summary(seen)}`);
    return exitCodeOf(seen, values);
  },
});

function asJson(seen: readonly Seen[]) {
  const [errors, warnings, notes] = severities.map((severity) => countOf(seen, severity));
  return { sources: seen.map(sourceAsJson), errors, warnings, notes };
}

function sourceAsJson(seen: Seen) {
  const { name, broker } = seen.source;
  if (seen.state === "skipped") return { name, broker, state: "skipped" };
  if (seen.state === "failed") {
    const { code, message } = seen.failure;
    return { name, broker, state: "failed", error: { code, message } };
  }
  const { wiring, findings } = seen;
  const letters = letterQueues(wiring);
  return {
    name,
    broker,
    state: "seen",
    product: wiring.product,
    queues: wiring.queues.length,
    deadLetterQueues: letters.length,
    letters: lettersIn(letters),
    findings,
  };
}
