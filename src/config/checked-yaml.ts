import { type Document, LineCounter, parseDocument, type YAMLError } from "yaml";
import type { z } from "zod";
import { OfficeError } from "../domain/errors.ts";
import { type ConfigProblem, type ParsedYaml, problemsOf } from "./config-problems.ts";

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

/** What a file says, checked against its schema; refused with all that is wrong, each with its line. */
export function checkYaml<Schema extends z.ZodType>(
  parsed: ParsedYaml,
  path: string,
  schema: Schema,
): z.output<Schema> {
  const read = schema.safeParse(contentOf(parsed.document, path) ?? {});
  if (read.success) return read.data;
  throw invalidConfig(path, problemsOf(read.error, schema, parsed));
}

/** A few aliases of aliases can stand for more than there is memory. */
export function contentOf(document: Document, path: string): unknown {
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
