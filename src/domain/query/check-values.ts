import { nearestName } from "../options.ts";
import type { Term, Value } from "./query.ts";
import { type FieldKind, fieldNamed, type QueryField } from "./query-fields.ts";
import { queryProblem } from "./query-problem.ts";
import { durationValue, numberValue, sizeValue, timeValue } from "./query-values.ts";

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

/** Refuses a value that its field cannot have. */
export function checkValues(text: string, term: Term): void {
  const field = fieldNamed(term.field);
  if (field === undefined) return;
  if (term.comparison !== "=" && !comparable.has(field.kind)) {
    throw queryProblem({
      text,
      at: term.at,
      length: term.length,
      message: `\`${term.field}:\` cannot be compared with \`${term.comparison}\`.`,
      hint: `Leave it out: ${term.field}:${shownValue(term.values[0])}`,
    });
  }
  for (const value of term.values) checkValue(text, term, field, value);
}

function checkValue(text: string, term: Term, field: QueryField, value: Value): void {
  if (value.kind === "range") {
    if (comparable.has(field.kind)) for (const end of [value.from, value.to]) checkOne(text, field, end, value.at);
    return;
  }
  if (field.kind === "choice") checkChoice(text, term, field.of ?? [], value);
  else checkOne(text, field, value.text, value.at);
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

function checkChoice(
  text: string,
  { field }: Term,
  of: readonly string[],
  { text: given, at }: { text: string; at: number },
): void {
  const isKnown = of.includes(given.toLowerCase()) || (given.includes("*") && of.length > 0);
  if (isKnown) return;
  const nearest = nearestName(given, of);
  const hint = nearest === undefined ? `It is one of ${of.join(", ")}.` : `Did you mean ${field}:${nearest} ?`;
  throw queryProblem({ text, at, length: given.length, message: `There is no ${field} "${given}".`, hint });
}

function shownValue(value: Value | undefined): string {
  if (value === undefined) return "…";
  return value.kind === "range" ? `${value.from}..${value.to}` : value.text;
}

function sentence(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}.`;
}
