import { matchesName } from "../name-pattern.ts";
import { nearestName } from "../options.ts";
import { wordsOf } from "../words.ts";
import type { Term, Value } from "./query.ts";
import { type FieldKind, type QueryField, queryFields } from "./query-fields.ts";
import { type QueryProblem, queryProblem } from "./query-problem.ts";
import { durationValue, numberValue, sizeValue, timeValue } from "./query-values.ts";
import { isPattern, valueText } from "./value-text.ts";

const comparable: ReadonlySet<FieldKind> = new Set(["number", "size", "duration", "time", "version"]);

/** What each kind of value is called, and how it is written. */
const kinds: Readonly<
  Partial<Record<FieldKind, { readonly name: string; readonly form: string; reads(text: string): unknown }>>
> = {
  number: { name: "a number", form: "use digits, such as 5 or 0.6", reads: numberValue },
  size: { name: "a size", form: "use 64kb, 2mb or a number of bytes", reads: sizeValue },
  duration: { name: "a duration", form: "use 30s, 15m, 1h, 7d or 2w", reads: durationValue },
  time: { name: "a time", form: "use 2026-11-15, 2026-11-15T14:00Z or now-2h", reads: (text) => timeValue(text, 0) },
  version: {
    name: "a version",
    form: "use digits and dots, such as 2.15.0",
    reads: (text) => (/^v?\d+(\.\w+)*/.test(text) ? text : undefined),
  },
};

/** Refuses a value that its field cannot have. Gives the values that it means: a pattern of a choice stands for all that fit it. */
export function checkedValues(text: string, term: Term): readonly Value[] {
  const field: QueryField = queryFields[term.field];
  if (term.comparison !== "=" && !comparable.has(field.kind)) {
    throw queryProblem({
      text,
      at: term.at,
      length: term.length,
      message: `\`${term.field}:\` cannot be compared with \`${term.comparison}\`.`,
      hint: `Leave it out: ${term.field}:${shownValue(term.values[0])}`,
    });
  }
  return term.values.flatMap((value) => checkedValue(text, term, field, value));
}

function checkedValue(text: string, term: Term, field: QueryField, value: Value): readonly Value[] {
  const given = valueText(value);
  if (field.kind === "choice") return chosen(text, term, field.of ?? [], value);
  if (value.kind === "range" && comparable.has(field.kind)) {
    for (const end of [value.from, value.to]) checkOne(text, field, end, value.at);
  } else checkOne(text, field, given, value.at);
  if (given.trim() === "")
    throw noMeaning({ text, at: value.at, length: 2, message: `\`${term.field}:\` has no value.` });
  // A leading star looks for parts of the text, whatever they are made of.
  if (field.kind === "words" && !isLeading(value) && wordsOf(given).length === 0)
    throw noMeaning({ text, at: value.at, length: given.length, message: `There is no word in "${given}".` });
  return [value];
}

function isLeading(value: Value): boolean {
  return isPattern(value) && valueText(value).startsWith("*");
}

function noMeaning(problem: Omit<QueryProblem, "hint">) {
  return queryProblem({ ...problem, hint: "Write what to look for: letters or digits, or a name in quotes." });
}

function checkOne(text: string, { kind }: QueryField, given: string, at: number): void {
  const known = kinds[kind];
  if (known === undefined || known.reads(given) !== undefined) return;
  throw queryProblem({
    text,
    at,
    length: given.length,
    message: `"${given}" is not ${known.name}.`,
    hint: sentence(known.form),
  });
}

/** What a choice means is said by the field alone: a word that it does not have would fit no letter, and its opposite all. */
function chosen(text: string, { field }: Term, of: readonly string[], value: Value): readonly Value[] {
  const given = valueText(value);
  const { at } = value;
  const wanted = given.toLowerCase();
  const meant = of.filter((word) => (isPattern(value) ? matchesName(wanted, word) : word === wanted));
  if (meant.length > 0) return meant.map((word) => ({ kind: "word", text: word, at }));
  const nearest = nearestName(given, of);
  const hint = nearest === undefined ? `It is one of ${of.join(", ")}.` : `Did you mean ${field}:${nearest} ?`;
  throw queryProblem({ text, at, length: given.length, message: `There is no ${field} "${given}".`, hint });
}

function shownValue(value: Value | undefined): string {
  return value === undefined ? "…" : valueText(value);
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
