import { letterQueues } from "../../wiring/dead-letter-queues.ts";
import { command } from "../command.ts";
import { exitCodeOf, lookAt, type Seen } from "../doctor/look.ts";
import { count } from "../doctor/report.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { visible, wrap } from "../terminal/text.ts";
import { inspectOptions, lookFlags, sourcesAskedFor } from "./source-flags.ts";

export const sourcesTestCommand = command({
  name: "sources test",
  summary: "connects to brokers and says what can be seen there, and what not",
  examples: [
    { line: "dlo sources test", about: "all sources of dlo.config.yaml" },
    { line: "dlo sources test rabbit-eu --timeout 5s", about: "one of them, with less patience" },
  ],
  details: [
    "Connects and looks; no message is taken, nothing is made. Exit codes are those of `dlo doctor`, findings aside.",
  ],
  operand: { placeholder: "SOURCE", about: "one source of the configuration; all without it", required: false },
  flags: lookFlags,

  async run(values, context) {
    const { print, terminal } = context;
    const seen = await lookAt(await sourcesAskedFor(values, context), inspectOptions(values, context));
    if (values.json) print(JSON.stringify({ items: seen.map(asJson), next: null }));
    else for (const each of seen) print([heading(each, terminal), ...linesOf(each, terminal)].join("\n"));
    return exitCodeOf(
      seen.map((each) => (each.state === "seen" ? { ...each, findings: [] } : each)),
      { strict: false },
    );
  },
});

const answers: Readonly<Record<Seen["state"], readonly [Tone, string]>> = {
  seen: ["green", "answers"],
  failed: ["red", "fails"],
  skipped: ["yellow", "cannot be looked at yet"],
};

function heading(seen: Seen, { paint }: Terminal): string {
  const [tone, answer] = answers[seen.state];
  const product = seen.state === "seen" ? visible(seen.wiring.product) : seen.source.broker;
  return `${paint("bold", visible(seen.source.name))}  ${product}  ${paint(tone, answer)}`;
}

function linesOf(seen: Seen, terminal: Terminal): string[] {
  if (seen.state === "skipped") return [];
  if (seen.state === "failed") return item("", seen.failure.message, terminal);
  const { wiring } = seen;
  const letters = letterQueues(wiring).length;
  return [
    ...item("sees", `${count(wiring.queues.length, "queue")}, ${letters} for dead letters`, terminal),
    ...wiring.sees.flatMap((what) => item("sees", what, terminal)),
    ...wiring.blindTo.flatMap((what) => item("not", what, terminal)),
    ...wiring.gaps.flatMap(({ kind, sentence, remedy }) => [
      ...item(kind === "missing" ? "not" : "note", sentence, terminal),
      `        ${terminal.paint("dim", ">")} ${visible(remedy)}`,
    ]),
  ];
}

const labels: Readonly<Record<string, Tone>> = { sees: "green", not: "yellow", note: "cyan" };
const labelWidth = 6;

function item(label: string, text: string, { columns, paint }: Terminal): string[] {
  const indent = label === "" ? 2 : labelWidth + 2;
  const lines = text.split("\n").flatMap((line) => wrap(visible(line), columns - indent));
  return lines.map((line, index) => {
    const shown = index === 0 ? label : "";
    return `  ${paint(labels[label] ?? "red", shown.padEnd(indent - 2))}${line}`;
  });
}

function asJson(seen: Seen) {
  const { name, broker } = seen.source;
  if (seen.state === "skipped") return { name, broker, state: seen.state };
  if (seen.state === "failed") {
    const { code, message } = seen.failure;
    return { name, broker, state: seen.state, error: { code, message } };
  }
  const { product, queues, sees, blindTo, gaps } = seen.wiring;
  return { name, broker, state: seen.state, product, queues: queues.length, sees, blindTo, gaps };
}
