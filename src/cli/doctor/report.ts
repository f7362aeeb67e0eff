import { letterQueues, lettersIn } from "../../wiring/dead-letter-queues.ts";
import { type Finding, type Severity, severities } from "../../wiring/finding.ts";
import type { Terminal, Tone } from "../terminal/terminal.ts";
import { fill, padRight, shortened, visible, wrap } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { countOf, type Seen } from "./look.ts";

/** What people read: a block for each source, the gravest first in each. */
export function report(seen: readonly Seen[], { all }: { readonly all: boolean }, terminal: Terminal): string {
  return seen.map((each) => [heading(each, terminal), ...body(each, all, terminal)].join("\n")).join("\n\n");
}

function heading(seen: Seen, { paint, columns }: Terminal): string {
  const name = paint("bold", visible(seen.source.name));
  if (seen.state === "skipped") return `${name}  ${seen.source.broker}`;
  if (seen.state === "failed") return `${name}  ${seen.source.broker}  ${paint("red", "not looked at")}`;
  const letters = letterQueues(seen.wiring);
  const queues = `${count(seen.wiring.queues.length, "queue")}, ${letters.length} for dead letters`;
  const held = `${count(lettersIn(letters), "letter")} in them`;
  return fill([name, visible(seen.wiring.product), `${queues}, ${held}`], columns, "  ").join("\n  ");
}

function body(seen: Seen, all: boolean, terminal: Terminal): string[] {
  if (seen.state === "skipped") return [`  dlo cannot look at ${seen.source.broker} yet.`];
  if (seen.state === "failed") return wrapped(visible(seen.failure.message), terminal);
  if (seen.findings.length === 0) return [`  ${terminal.paint("green", "all is well")}`];
  return rowsOf(seen.findings, all, terminal);
}

/** Of one kind; the rest is counted. A broker with ten thousand queues has ten thousand times the same finding. */
const mostOfAKind = 10;

function rowsOf(findings: readonly Finding[], all: boolean, terminal: Terminal): string[] {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) kinds.set(finding.code, [...(kinds.get(finding.code) ?? []), finding]);
  const titles = terminal.paint("dim", `  ${padRight("SEVERITY", severityWidth)}${padRight("CODE", codeWidth)}QUEUE`);
  return [titles, ...[...kinds.values()].flatMap((kind) => rowsOfKind(kind, all, terminal))];
}

function rowsOfKind(kind: readonly Finding[], all: boolean, terminal: Terminal): string[] {
  const shown = all ? kind : kind.slice(0, mostOfAKind);
  const left = kind.length - shown.length;
  const more =
    left === 0 ? [] : [`  ${terminal.paint("dim", `and ${showNumber(left)} more of this kind: --all shows them`)}`];
  return [...shown.flatMap((finding) => rowOf(finding, terminal)), ...more];
}

const severityWidth = 10;
const codeWidth = 30;
const tones: Readonly<Record<Severity, Tone>> = { error: "red", warning: "yellow", note: "cyan" };

/** What to paste is never broken: a line break in it would run half a command. */
function rowOf({ severity, code, queue, sentence, remedy }: Finding, terminal: Terminal): string[] {
  const { paint, columns } = terminal;
  const room = Math.max(12, columns - severityWidth - codeWidth - 2);
  const name = shortened(visible(queue ?? "(the source)"), room);
  return [
    `  ${paint(tones[severity], padRight(severity, severityWidth))}${padRight(code, codeWidth)}${name}`,
    ...wrapped(visible(sentence), terminal, "    "),
    ...remedy.split("\n").flatMap((line) => remedyLines(visible(line), terminal)),
  ];
}

function remedyLines(line: string, { paint, columns }: Terminal): string[] {
  if (isCommand(line)) return [`    ${paint("dim", "$")} ${line}`];
  return wrap(line, columns - 6).map((part, index) => `    ${index === 0 ? paint("dim", ">") : " "} ${part}`);
}

function isCommand(line: string): boolean {
  return /^(rabbitmqctl|redis-cli|nats|curl|kafka-[a-z]+\.sh|grant|create) /.test(line);
}

function wrapped(text: string, { columns }: Terminal, indent = "  "): string[] {
  return text.split("\n").flatMap((line) => wrap(line, columns - indent.length).map((part) => indent + part));
}

/** `2 errors, 1 warning, 1 not looked at`. */
export function summary(seen: readonly Seen[]): string {
  const found = severities.flatMap((severity) => {
    const number = countOf(seen, severity);
    return number === 0 ? [] : [count(number, severity)];
  });
  const unseen = seen.filter(({ state }) => state !== "seen").length;
  const parts = unseen === 0 ? found : [...found, `${unseen} not looked at`];
  return parts.length === 0 ? "nothing wrong" : parts.join(", ");
}

export function count(number: number, what: string): string {
  return `${showNumber(number)} ${what}${number === 1 ? "" : "s"}`;
}
