import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../sources.ts";

/** The documents that readers are given, as paths from the root of the repository. */
export function documentPaths(): string[] {
  const atTop = readdirSync(root).filter((name) => name.endsWith(".md"));
  const below = ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  return [...atTop, ...below].filter((path) => path.endsWith(".md") && !path.includes("node_modules")).sort();
}

/** Code in a document, between fences. */
export interface CodeBlock {
  readonly page: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The words after the language: "run", "more", "output". */
  readonly marks: readonly string[];
  readonly text: string;
  /** Code that is needed to compile the block and that readers need not see: `<!-- given … -->` right above it. */
  readonly given: string;
}

export interface Page {
  readonly path: string;
  readonly text: string;
  readonly blocks: readonly CodeBlock[];
  /** Anchors that links may lead to. */
  readonly anchors: ReadonlySet<string>;
  readonly links: readonly { readonly to: string; readonly line: number }[];
}

export function readPages(): Page[] {
  return documentPaths().map((path) => readPage(path, readFileSync(join(root, path), "utf8")));
}

function readPage(path: string, text: string): Page {
  const prose = withoutCode(text);
  return { path, text, blocks: blocksOf(path, text), anchors: anchorsOf(prose), links: linksOf(prose) };
}

const fence = /(?:^<!-- given\n([\s\S]*?)-->\n\n?)?^```(\w+)?([^\n]*)\n([\s\S]*?)^```$/gm;

function blocksOf(page: string, text: string): CodeBlock[] {
  return [...text.matchAll(fence)].map(
    ({ 0: all, 1: given = "", 2: language = "", 3: marks = "", 4: code = "", index }) => ({
      page,
      line: lineOf(text, index + all.indexOf("```")),
      language,
      marks: marks.trim().split(/\s+/).filter(Boolean),
      text: code,
      given,
    }),
  );
}

/** Blanked out, not removed, so that lines stay where they are. */
function withoutCode(text: string): string {
  const blank = (code: string) => code.replace(/[^\n]/g, " ");
  return text.replace(fence, blank).replace(/`[^`\n]*`/g, (code) => (code.includes("](") ? blank(code) : code));
}

/** As GitHub makes them of headings: lower case, punctuation gone, blanks as dashes, a number for repeats. */
function anchorsOf(prose: string): Set<string> {
  const seen = new Map<string, number>();
  const anchors = [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) => {
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-");
    const count = seen.get(plain) ?? 0;
    seen.set(plain, count + 1);
    return count === 0 ? plain : `${plain}-${count}`;
  });
  return new Set(anchors);
}

function linksOf(prose: string): { to: string; line: number }[] {
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(({ 1: to = "", index }) => ({ to, line: lineOf(prose, index) }));
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}
