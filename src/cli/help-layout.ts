import type { Example } from "./command.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { wrap } from "./terminal/text.ts";

export interface HelpPage {
  readonly heading: string;
  readonly sections: readonly Section[];
}

/** A title, and under it one kind of thing. A section with nothing under its title is left out. */
export interface Section {
  readonly title: string;
  readonly examples?: readonly Example[];
  readonly pairs?: readonly Pair[];
  readonly paragraphs?: readonly string[];
}

export type Pair = readonly [name: string, about: string];

/** Headings at the edge, what is under them indented, a blank line between sections. */
export function layOut({ heading, sections }: HelpPage, terminal: Terminal): string {
  const { columns, paint } = terminal;
  const blocks = sections
    .map((section) => ({ title: section.title, lines: linesOf(section, terminal) }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ title, lines }) => [paint("bold", title), ...lines.map((line) => (line === "" ? "" : `  ${line}`))]);
  return [wrap(heading, columns).map((line) => paint("bold", line)), ...blocks]
    .map((block) => block.join("\n"))
    .join("\n\n");
}

function linesOf({ examples = [], pairs = [], paragraphs = [] }: Section, { columns, paint }: Terminal): string[] {
  return [
    ...examples.flatMap(({ line, about }) => [line, `  ${paint("dim", about)}`]),
    ...pairLines(pairs, columns - 2),
    ...paragraphs.flatMap((paragraph, index) => [...(index === 0 ? [] : [""]), ...wrap(paragraph, columns - 2)]),
  ];
}

const widestName = 30;
const narrowestAbout = 20;

/** Names on the left, what they are on the right; a name too long for its column gets a line of its own. */
function pairLines(pairs: readonly Pair[], columns: number): string[] {
  const left = Math.min(widestName, Math.max(...pairs.map(([name]) => name.length))) + 2;
  return pairs.flatMap(([name, about]) => {
    const lines = wrap(about, Math.max(narrowestAbout, columns - left)).map((line) => " ".repeat(left) + line);
    if (name.length + 2 > left) return [name, ...lines];
    return [name.padEnd(left) + (lines[0] ?? "").trimStart(), ...lines.slice(1)];
  });
}
