import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { type Comment, type EcmaScriptModule, type Node, type Program, parseSync, visitorKeys } from "oxc-parser";

/** The repository as text and syntax, for the tests that hold it to its habits. */

export const root = resolve(import.meta.dirname, "..");

/** A file of code; `path` starts at the root of the repository and has forward slashes. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly module: EcmaScriptModule;
  readonly comments: readonly Comment[];
}

export interface Visit {
  readonly node: Node;
  /** From the nearest to the program. */
  readonly ancestors: readonly Node[];
}

export interface Import {
  /** As written: `./message.ts`, `node:fs`, `pg`. */
  readonly from: string;
  /** Names asked for; empty where all of them are, or none. */
  readonly names: readonly string[];
  readonly line: number;
}

/** By path: several tests read all of them, in one process. */
const read = new Map<string, Source>();

/** Every file of code below the folders, tests too. A folder that does not exist has none. */
export function sourcesUnder(...folders: readonly string[]): Source[] {
  return folders.flatMap((folder) => codeFilesUnder(join(root, folder))).map(readSource);
}

export function parseSource(path: string, text: string): Source {
  const { program, module, comments, errors } = parseSync(path, text);
  if (errors[0] !== undefined) throw new Error(`${path} does not parse: ${errors[0].message}`);
  return { path, text, program, module, comments };
}

export function isTest(source: Source): boolean {
  return source.path.endsWith(".test.ts");
}

/** Where the lines of a file end; asked for at every name in it. */
const lineEnds = new WeakMap<Source, readonly number[]>();

export function lineAt(source: Source, offset: number): number {
  const ends = lineEnds.get(source) ?? Array.from(source.text.matchAll(/\n/g), ({ index }) => index);
  lineEnds.set(source, ends);
  const line = ends.findIndex((end) => end >= offset);
  return 1 + (line < 0 ? ends.length : line);
}

/** `path:line`, which an editor opens. */
export function placeOf(source: Source, offset: number): string {
  return `${source.path}:${lineAt(source, offset)}`;
}

/** Imports, re-exports and `import()` of a literal, type-only ones included. */
export function importsOf(source: Source): Import[] {
  const { staticImports, staticExports, dynamicImports } = source.module;
  const imported = staticImports.map(({ moduleRequest, entries, start }) => {
    const names = entries.map((entry) => entry.importName.name ?? "").filter((name) => name !== "");
    return { from: moduleRequest.value, names, line: lineAt(source, start) };
  });
  const reexported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, importName }) =>
      moduleRequest === null
        ? []
        : [{ from: moduleRequest.value, names: [importName.name ?? ""], line: lineAt(source, moduleRequest.start) }],
    ),
  );
  const loaded = dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^["'`]([^"'`$]+)["'`]$/.exec(source.text.slice(start, end))?.[1];
    return literal === undefined ? [] : [{ from: literal, names: [], line: lineAt(source, start) }];
  });
  return [...imported, ...reexported, ...loaded];
}

/** Each node of a file, parents before children. */
export function* nodesOf(source: Source): Generator<Visit> {
  yield* descend(source.program, []);
}

function* descend(node: Node, ancestors: readonly Node[]): Generator<Visit> {
  yield { node, ancestors };
  const within = [node, ...ancestors];
  for (const child of childrenOf(node)) yield* descend(child, within);
}

function childrenOf(node: Node): Node[] {
  const fields = new Map<string, unknown>(Object.entries(node));
  return (visitorKeys[node.type] ?? []).flatMap((key) => fields.get(key)).filter(isNode);
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

function codeFilesUnder(folder: string): string[] {
  return listing(folder)
    .filter((name) => /\.(ts|tsx|mjs|js)$/.test(name) && !name.split(sep).includes("node_modules"))
    .map((name) => join(folder, name));
}

function listing(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function readSource(file: string): Source {
  const source = read.get(file) ?? parseSource(relative(root, file).split(sep).join("/"), readFileSync(file, "utf8"));
  read.set(file, source);
  return source;
}
