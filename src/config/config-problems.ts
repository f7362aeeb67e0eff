import { type Document, isMap, isNode, isScalar, type LineCounter, type Node } from "yaml";
import { z } from "zod";
import { nearestName } from "../domain/options.ts";

/** One thing that is wrong with a configuration. It never quotes a value: the value may be a secret. */
export interface ConfigProblem {
  /** From 1. */
  readonly line: number;
  /** `sources[0].url`; empty for the file as a whole. */
  readonly path: string;
  /** Goes on from the path: "must be text". */
  readonly sentence: string;
}

/** A document that can be changed and written again, with its comments. */
export interface ParsedYaml {
  readonly document: Document;
  readonly lines: LineCounter;
}

type Path = readonly PropertyKey[];

/** What the schema found, said in sentences and with the lines of the file. */
export function problemsOf(error: z.ZodError, schema: z.ZodType, { document, lines }: ParsedYaml): ConfigProblem[] {
  const problem = (path: Path, sentence: string) => ({
    line: lines.linePos(offsetOf(document, path)).line,
    path: shownPath(path),
    sentence,
  });
  return error.issues.flatMap((issue) => {
    if (issue.code !== "unrecognized_keys") return [problem(issue.path, sentenceOf(issue, document))];
    return issue.keys.map((key) => problem([...issue.path, key], unknownKey(key, keysAt(schema, issue.path))));
  });
}

/** The line, from 1, on which what is named begins; null where it is not there. */
export function lineOf({ document, lines }: ParsedYaml, path: Path): number | null {
  return document.hasIn(path) ? lines.linePos(offsetOf(document, path)).line : null;
}

function unknownKey(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  return nearest === undefined
    ? `is not known; known here are ${known.join(", ")}`
    : `is not known; did you mean \`${nearest}\`?`;
}

function sentenceOf(issue: z.core.$ZodIssue, document: Document): string {
  if (!document.hasIn(issue.path) && issue.path.length > 0) return "is missing";
  if (issue.code === "invalid_type") return `must be ${kinds[issue.expected] ?? issue.expected}`;
  if (issue.code === "invalid_value" && issue.values.length > 1)
    return `must be one of ${issue.values.map(String).join(", ")}`;
  return issue.message;
}

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  boolean: "true or false",
  array: "a list",
  object: "a group of keys",
};

function shownPath(path: Path): string {
  const parts = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`));
  return parts.join("").replace(/^\./, "");
}

/** The keys that may stand in a group of the schema. */
function keysAt(schema: unknown, path: Path): readonly string[] {
  const inner = unwrapped(schema);
  const [first, ...rest] = path;
  if (inner instanceof z.ZodArray) return keysAt(inner.element, rest);
  if (!(inner instanceof z.ZodObject)) return [];
  return first === undefined ? Object.keys(inner.shape) : keysAt(inner.shape[String(first)], rest);
}

function unwrapped(schema: unknown): unknown {
  const isWrapper =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}

/** Where the thing named begins, or the nearest thing around it that is there. */
function offsetOf(document: Document, path: Path): number {
  const last = path.at(-1);
  if (last === undefined) return startOf(document.contents);
  const around: unknown = document.getIn(path.slice(0, -1), true);
  const key = isMap(around) ? around.items.map((pair) => pair.key).find((each) => isNamed(each, last)) : undefined;
  const found: unknown = key ?? document.getIn(path, true);
  return isNode(found) ? startOf(found) : offsetOf(document, path.slice(0, -1));
}

function isNamed(key: unknown, name: PropertyKey): boolean {
  return isScalar(key) && String(key.value) === String(name);
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
