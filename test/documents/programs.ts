import type { CodeBlock, Page } from "./pages.ts";

/** Code of a page that stands by itself: a block, and those marked "more" that go on from it. */
export interface Program {
  /** The folder and file it is written to; other programs of its page are in the same folder. */
  readonly name: string;
  readonly text: string;
  /** Whether it is marked to be run, and then whether it starts a database of its own, which takes a while. */
  readonly runs: "no" | "alone" | "with a database";
  /** What the page shows as its output, if it does. */
  readonly output: string | undefined;
  /** Where a line of `text` (from 1) comes from. */
  place(line: number): string;
}

/**
 * The programs of a page in TypeScript, by the words after their fence: "run" runs it, "run database" where that takes a
 * while, "file=NAME" lets others import it, "more" goes on from the block before, and is compiled with it.
 */
export function programsOf({ blocks }: Page): Program[] {
  const programs: Program[] = [];
  let chain: CodeBlock[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.language !== "ts") continue;
    chain = block.marks.includes("more") ? [...chain, block] : [block];
    programs.push(programOf(chain, outputAfter(blocks, index)));
  }
  return programs;
}

function programOf(chain: readonly CodeBlock[], output: string | undefined): Program {
  const last = chain.at(-1) as CodeBlock;
  const lines = chain.flatMap(placedLines);
  return {
    name: `${last.page.replace(/[^a-z0-9]+/gi, "-")}/${fileName(last)}`,
    text: `${lines.map(({ text }) => text).join("\n")}\nexport {};\n`,
    runs: howRun(last),
    output,
    place: (line) => lines[line - 1]?.place ?? last.page,
  };
}

function howRun({ marks }: CodeBlock): Program["runs"] {
  if (!marks.includes("run")) return "no";
  return marks.includes("database") ? "with a database" : "alone";
}

/** As the page calls it ("file=shop.ts"), so that other code of the page can import it; else by its line. */
function fileName({ marks, line }: CodeBlock): string {
  const given = marks.find((mark) => mark.startsWith("file="));
  return given === undefined ? `line-${line}.ts` : given.slice("file=".length);
}

function placedLines({ page, line, given, text }: CodeBlock): { readonly text: string; readonly place: string }[] {
  const before = given === "" ? [] : given.trimEnd().split("\n");
  return [
    ...before.map((row) => ({ text: row, place: `${page}:${line} (given)` })),
    ...text
      .trimEnd()
      .split("\n")
      .map((row, index) => ({ text: row, place: `${page}:${line + 1 + index}` })),
  ];
}

function outputAfter(blocks: readonly CodeBlock[], index: number): string | undefined {
  const next = blocks[index + 1];
  return next?.language === "text" && next.marks.includes("output") ? next.text.trim() : undefined;
}
