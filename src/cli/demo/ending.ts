import { countOf } from "../../demo/sentences.ts";
import type { Ending } from "../../demo/story.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { padLeft, padRight, wrap } from "../terminal/text.ts";
import { showDuration } from "../terminal/units.ts";

interface Row {
  readonly name: string;
  readonly count: number;
  readonly about: string;
}

const next = [
  ["npm test", "every proof there is, kill -9 included"],
  ["npx dlo simulate outage --policy all", "what retries do to a weak service"],
  ["npm run sim -- --seeds 200", "worlds full of faults, nothing lost"],
] as const;

/** What became of every message, and what to look at next. */
export function endingLines(ending: Ending, seed: number, terminal: Terminal): string[] {
  const rows = rowsOf(ending);
  const names = Math.max(...rows.map(({ name }) => name.length));
  const commands = Math.max(...next.map(([line]) => line.length));
  const { paint } = terminal;
  return [
    paint("bold", `What became of ${countOf(ending.sent, "message")} in ${showDuration(ending.tookMs)} (seed ${seed})`),
    ...rows.flatMap(({ name, count, about }) => {
      const [first = "", ...rest] = wrap(about, Math.max(20, terminal.columns - names - 11));
      const head = `  ${padRight(name, names)} ${padLeft(String(count), 5)}`;
      return [
        `${head}  ${paint("dim", first)}`.trimEnd(),
        ...rest.map((line) => " ".repeat(names + 10) + paint("dim", line)),
      ];
    }),
    "",
    paint("bold", "What next"),
    ...next.map(([line, about]) => `  ${padRight(line, commands)}  ${paint("dim", about)}`),
  ];
}

function rowsOf(ending: Ending): Row[] {
  const { charged, recovered, retries, duplicates, deadLettered, quarantined, queued, lost, chargedTwice } = ending;
  return [
    { name: "charged", count: charged, about: recoveredWords(recovered, retries) },
    { name: "duplicates", count: duplicates, about: "acknowledged without a second charge" },
    { name: "dead-lettered", count: sumOf(deadLettered), about: reasonsOf(deadLettered) },
    { name: "quarantined", count: sumOf(quarantined), about: reasonsOf(quarantined) },
    { name: "still queued", count: queued, about: queued === 0 ? "" : "the next consumer would go on with them" },
    { name: "lost", count: lost, about: "each message was looked for, in all queues and in payments' books" },
    { name: "charged twice", count: chargedTwice, about: "" },
  ];
}

function recoveredWords(recovered: number, retries: number): string {
  if (retries === 0) return "at the first attempt";
  return `${recovered} of them after a failure; ${countOf(retries, "retry", "retries")} in all`;
}

function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function reasonsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
}
