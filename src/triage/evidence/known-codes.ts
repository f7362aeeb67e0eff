import type { Finding, Source } from "../finding.ts";
import { type Knowledge, lastName, type Match } from "../knowledge/knowledge.ts";
import type { Row } from "../knowledge/read-table.ts";
import { systemNames } from "../knowledge/systems.ts";
import { meaningOf, quote } from "../sentences.ts";
import type { Reading } from "./reading.ts";

/** What tables know of the code, of codes in the text, of the class and of classes in the text. */
export function knownNames({ evidence, causes, systems }: Reading, knowledge: Knowledge): Finding[] {
  const { code, errorClass, message, language } = evidence;
  const findings: Finding[] = [];
  if (code !== null) add(findings, codeFinding("code", code, knowledge.findCode(code, systems), 1));
  if (errorClass !== null) add(findings, classFinding("class", errorClass, knowledge.findClass(errorClass, language)));
  for (const word of namesIn(message ?? "")) add(findings, nameFinding("message", word, knowledge, systems, language));
  for (const { text } of causes)
    for (const word of namesIn(text)) add(findings, nameFinding("cause", word, knowledge, systems, language));
  return findings;
}

function add(findings: Finding[], finding: Finding | undefined): void {
  if (finding !== undefined) findings.push(finding);
}

/** In characters and in words: names worth looking up stand near the beginning. */
const searched = { characters: 700, words: 14 };
const name = /(?:SQLSTATE\[|\b)[A-Za-z*][\w.$\\:-]*[A-Z_.\\:\d-][\w$]+/g;

/** Words that look like names rather than prose: with a capital, a dot, an underscore or a digit inside. */
function namesIn(text: string): readonly string[] {
  if (text === "") return [];
  const cut = text.length > searched.characters ? text.slice(0, searched.characters) : text;
  const found = cut.match(name) ?? [];
  return found.length > searched.words ? found.slice(0, searched.words) : found;
}

function nameFinding(
  source: Source,
  found: string,
  knowledge: Knowledge,
  systems: ReadonlySet<string>,
  language: string | null,
): Finding | undefined {
  if (found.length < 5) return undefined;
  const word = found.startsWith("SQLSTATE[") ? found.slice(9) : found;
  const known = classLike.test(word) ? knowledge.findClass(word, language) : undefined;
  if (known !== undefined) return classFinding(source, word, known);
  return codeFinding(source, word, knowledge.findCode(word, systems), 0.92);
}

const classLike = /(?:Exception|Error|Violation|Timeout|NotFound)$/;

function codeFinding(
  source: Source,
  code: string,
  match: Match | "decides nothing" | undefined,
  trust: number,
): Finding | undefined {
  if (match === undefined || match === "decides nothing") return undefined;
  const { row } = match;
  return {
    source,
    category: row.category,
    weight: row.confidence * match.trust * trust,
    rule: `code/${row.system}/${row.key}`,
    why: () => `${systemName(row)} code ${code}${labelOf(row, code)}: ${meaningOf[row.category]}.`,
    effect: row.uncertain ? "if writing" : "none",
  };
}

function classFinding(source: Source, name: string, match: Match | "decides nothing" | undefined): Finding | undefined {
  if (match === undefined || match === "decides nothing") return undefined;
  const { row } = match;
  return {
    source,
    category: row.category,
    weight: row.confidence * match.trust,
    rule: `class/${row.system}/${row.key}`,
    why: () => `The error is a ${quote(lastName(name), 60)}: ${meaningOf[row.category]}.`,
    effect: row.uncertain ? "if writing" : "none",
  };
}

const labelOf = ({ label }: Row, code: string) =>
  label === null || label.toLowerCase() === code.toLowerCase() ? "" : ` (${label.replaceAll("_", " ")})`;

const systemName = ({ system }: Row) => systemNames[system] ?? system.charAt(0).toUpperCase() + system.slice(1);
