import { access, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { type Document, LineCounter, parseDocument, type YAMLError } from "yaml";
import { OfficeError } from "../domain/errors.ts";
import { type Config, configSchema } from "./config.ts";
import { type ConfigProblem, problemsOf } from "./config-problems.ts";

/** A configuration and where it stands. */
export interface ConfigFile {
  /** Absolute. What the configuration names by a relative path lies in this file's folder. */
  readonly path: string;
  /** As it stands, comments included. */
  readonly text: string;
  readonly config: Config;
}

/** JSON is YAML too. */
const configFileNames = ["dlo.config.yaml", "dlo.config.yml", "dlo.config.json"] as const;

/** The configuration that holds for a folder: its own, or the nearest one further up; undefined if there is none. */
export async function findConfig(folder: string): Promise<string | undefined> {
  for (const name of configFileNames) {
    const path = join(resolve(folder), name);
    if (await exists(path)) return path;
  }
  const above = dirname(resolve(folder));
  return above === resolve(folder) ? undefined : findConfig(above);
}

/** Reads and checks a configuration. Refuses it with all that is wrong, each with its line. */
export async function readConfig(path: string): Promise<ConfigFile> {
  const text = await readFile(path, "utf8").catch((error: unknown) => {
    const why = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new OfficeError("INVALID_CONFIG", `${path} cannot be read (${why}). Check the path and its rights.`, {
      details: { path },
      cause: error,
    });
  });
  return { path: resolve(path), text, config: parseConfig(text, path) };
}

/** Checks the text of a configuration; `path` is only for the words of a refusal. */
export function parseConfig(text: string, path = "dlo.config.yaml"): Config {
  return checkDocument(parseYaml(text, path), path);
}

/** A document that can be changed and written again, with its comments. */
export interface ParsedYaml {
  readonly document: Document;
  readonly lines: LineCounter;
}

/** No key may stand twice: which of the two holds would be anybody's guess. */
export function parseYaml(text: string, path: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, schema: "core" });
  const faults = [...document.errors, ...document.warnings];
  if (faults.length === 0) return { document, lines };
  throw invalidConfig(path, yamlProblems(faults, lines, text));
}

/** The first of each line: one slip makes the parser stumble over everything behind it. */
function yamlProblems(faults: readonly YAMLError[], lines: LineCounter, text: string): ConfigProblem[] {
  const byLine = new Map<number, ConfigProblem>();
  for (const { pos, message } of faults) {
    const { line } = lines.linePos(pos[0]);
    // The parser quotes what it stumbled over, and that may be a secret.
    const said = message.split(/[:"]/)[0]?.trim() ?? "";
    const isBare = /[{[,].*[^"']\$\{/.test(text.split("\n")[line - 1] ?? "");
    const hint = isBare ? "; between { } or [ ] a reference needs quotes" : "";
    if (!byLine.has(line)) byLine.set(line, { line, path: "", sentence: `is not YAML: ${said}${hint}` });
  }
  return [...byLine.values()];
}

export function checkDocument({ document, lines }: ParsedYaml, path: string): Config {
  const read = configSchema.safeParse(contentOf(document, path) ?? {});
  if (read.success) return read.data;
  throw invalidConfig(path, problemsOf(read.error, document, lines));
}

/** A few aliases of aliases can stand for more than there is memory. */
function contentOf(document: Document, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw invalidConfig(path, [{ line: 1, path: "", sentence: "repeats itself too often by aliases" }]);
  }
}

function invalidConfig(file: string, problems: readonly ConfigProblem[]): OfficeError {
  const sentences = problems.map(
    ({ line, path, sentence }) => `${file}:${line}: ${path === "" ? "the file" : `\`${path}\``} ${sentence}`,
  );
  return new OfficeError("INVALID_CONFIG", sentences.join("\n"), { details: { file, problems } });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
