import type { NewSource } from "../../config/add-source.ts";
import { showAge } from "../../domain/duration.ts";
import { type FoundQueue, foundQueues, letterQueues, lettersIn } from "../../wiring/dead-letter-queues.ts";
import { sourceOf } from "../../wiring/names.ts";
import { command } from "../command.ts";
import { exitCodeOf, lookAt, type Seen } from "../doctor/look.ts";
import { count } from "../doctor/report.ts";
import { switchFlag } from "../flags.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { shortened, visible } from "../terminal/text.ts";
import { showNumber } from "../terminal/units.ts";
import { inspectOptions, type Look, lookFlags, sourcesAskedFor } from "./source-flags.ts";

export const sourcesDiscoverCommand = command({
  name: "sources discover",
  summary: "finds the dead-letter queues of a broker, and writes what to add to the configuration",
  examples: [
    { line: "dlo sources discover --url '${RABBIT_URL}'", about: "a broker that no configuration names yet" },
    { line: "dlo sources discover rabbit-eu --all", about: "a source of the configuration; its other queues too" },
  ],
  details: [
    "Found are queues that others dead-letter to, and queues that are called so. FROM is whose letters they hold: by the " +
      "wiring, or in parentheses by the name alone. Looks and changes nothing.",
  ],
  operand: { placeholder: "SOURCE", about: "one source of the configuration; all without it", required: false },
  flags: { ...lookFlags, all: switchFlag("queues without dead letters too") },

  async run(values, context) {
    const { print, note, terminal } = context;
    const seen = await lookAt(await sourcesAskedFor(values, context), inspectOptions(values, context));
    if (values.json) print(JSON.stringify({ items: seen.map((each) => asJson(each, values.all)), next: null }));
    else for (const each of seen) print(await drawn(each, values.all, terminal));
    note(seen.map(summaryOf).join("\n"));
    return exitCodeOf(
      seen.map((each) => (each.state === "seen" ? { ...each, findings: [] } : each)),
      { strict: false },
    );
  },
});

async function drawn(seen: Seen, all: boolean, terminal: Terminal): Promise<string> {
  const name = terminal.paint("bold", visible(seen.source.name));
  if (seen.state === "skipped") return `${name}  dlo cannot look at ${seen.source.broker} yet.`;
  if (seen.state === "failed") return `${name}  ${terminal.paint("red", visible(seen.failure.message))}`;
  const found = foundQueues(seen.wiring, all);
  if (found.length === 0) return `${name}  ${visible(seen.wiring.product)}  no dead-letter queues`;
  const yaml = await yamlFor(seen.source, found);
  return [
    `${name}  ${visible(seen.wiring.product)}`,
    tableOf(found, terminal),
    ...(yaml === "" ? [] : ["", yaml]),
  ].join("\n");
}

const titles = ["QUEUE", "LETTERS FROM", "MESSAGES", "OLDEST", "DEAD LETTERS TO"] as const;

function tableOf(found: readonly FoundQueue[], terminal: Terminal): string {
  const room = Math.max(16, Math.floor(terminal.columns / 3));
  const name = (text: string) => shortened(visible(text), room);
  const names = (list: readonly string[]) =>
    (list.length > 2 ? `${list.length} queues` : list.map(name).join(", ")) || "-";
  const rows = found.map(({ queue, from, byName, depth, oldestSeconds, deadLettersTo }) => [
    name(queue),
    from === null ? "-" : byName ? `(${names(from)})` : names(from),
    depth === null ? "?" : showNumber(depth),
    oldestSeconds === null ? "?" : showAge(oldestSeconds * 1_000),
    names(deadLettersTo),
  ]);
  const used = rows.some((row) => row[4] !== "-") ? titles : titles.slice(0, 4);
  return table(
    used.map((title) => ({ title, align: title === "MESSAGES" || title === "OLDEST" ? "right" : "left" })),
    rows.map((row) => row.slice(0, used.length)),
    terminal,
  );
}

/** Nothing for what the configuration has already. Only what holds letters; a pattern where one says it all. */
async function yamlFor(source: Look, found: readonly FoundQueue[]): Promise<string> {
  const letters = found.filter(({ from }) => from !== null).map(({ queue }) => queue);
  if (letters.length === 0 || "queues" in source) return "";
  const { sourceYaml } = await import("../../config/add-source.ts");
  const added: NewSource = {
    name: `my-${source.broker}`,
    broker: source.broker,
    url: variableFor(source.url, "${BROKER_URL}"),
    ...(source.management === undefined ? {} : { management: variableFor(source.management, "${BROKER_API}") }),
    ...(source.schema === undefined ? {} : { schema: source.schema }),
    ...(source.prefix === undefined ? {} : { prefix: source.prefix }),
    queues: patternsFor(letters).map((match) => ({ match, mode: "observe" })),
  };
  return `Add to dlo.config.yaml (\`dlo sources add\` writes it for you):\n\nsources:\n${visibleLines(sourceYaml(added))}`;
}

/** The address as it was given if it is a variable; else the name of one, so that no password is copied into a file. */
function variableFor({ shown }: Look["url"], name: string): string {
  return shown.startsWith("${") ? shown : name;
}

const mostNamed = 20;

/** `*.dlq` where that is how all are called. */
function patternsFor(names: readonly string[]): string[] {
  const suffixes = [
    ...new Set(names.map((name) => (sourceOf(name) === null ? name : name.slice(sourceOf(name)?.length)))),
  ];
  const patterns = suffixes.map((suffix) => (names.includes(suffix) ? suffix : `*${suffix}`));
  return patterns.length > mostNamed ? ["*"] : patterns;
}

function visibleLines(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${visible(line)}`)
    .join("\n");
}

function summaryOf(seen: Seen): string {
  if (seen.state !== "seen") return `${seen.source.name}: not looked at`;
  const letters = letterQueues(seen.wiring);
  return `${seen.source.name}: ${count(seen.wiring.queues.length, "queue")}, ${letters.length} for dead letters, ${count(lettersIn(letters), "letter")} in them`;
}

function asJson(seen: Seen, all: boolean) {
  const { name, broker } = seen.source;
  if (seen.state === "seen") return { name, broker, state: seen.state, queues: foundQueues(seen.wiring, all) };
  if (seen.state === "skipped") return { name, broker, state: seen.state };
  const { code, message } = seen.failure;
  return { name, broker, state: seen.state, error: { code, message } };
}
