import type { BareText, Query, Term, Value } from "./query.ts";
import { type FieldKind, queryFields } from "./query-fields.ts";
import { valueText } from "./value-text.ts";

/** A name by which a search leaves letters out. */
export interface LeftOut {
  /** As it is written: `tag:hold`. */
  readonly name: string;
  readonly field: string | null;
  /** Without its field. */
  readonly value: string;
  /** What finds the letters that are left out by it. */
  readonly query: Term | BareText;
}

const named: ReadonlySet<FieldKind> = new Set(["text", "id", "words"]);

/**
 * The names that a search leaves letters out by, each once: of what is negated, whether by a dash, by NOT or around a parenthesis. What is
 * one of a few words, a number or a time is no name: that nothing has it is no mistake.
 */
export function leftOutNames(query: Query): readonly LeftOut[] {
  const found = namesIn(query, false);
  return [...new Map(found.map((each) => [plainName(each.name), each])).values()];
}

/** The names that a search asks for, each once. */
export function askedNames(query: Query): readonly LeftOut[] {
  const found = namesIn(query, true);
  return [...new Map(found.map((each) => [plainName(each.name), each])).values()];
}

/** The same name, however it is written. */
export function plainName(name: string): string {
  return name.replaceAll('"', "").toLowerCase();
}

function namesIn(query: Query, isNegated: boolean): readonly LeftOut[] {
  switch (query.kind) {
    case "all":
      return [];
    case "and":
    case "or":
      return query.parts.flatMap((part) => namesIn(part, isNegated));
    case "not":
      return namesIn(query.part, !isNegated);
    case "text":
      return isNegated ? [{ name: written(query.value), field: null, value: query.value.text, query }] : [];
    case "term":
      return isNegated && isNamed(query) ? query.values.flatMap((value) => nameOf(query, value)) : [];
  }
}

function isNamed({ field, comparison }: Term): boolean {
  const { kind } = queryFields[field];
  return named.has(kind) || (kind === "version" && comparison === "=");
}

function nameOf(term: Term, value: Value): readonly LeftOut[] {
  if (value.kind === "range" && queryFields[term.field].kind === "version") return [];
  const field = term.path === null ? term.field : `${term.field}.${term.path}`;
  const query: Term = { ...term, values: [value] };
  return [{ name: `${field}:${written(value)}`, field, value: valueText(value), query }];
}

function written(value: Value): string {
  return value.kind === "phrase" ? `"${value.text.replaceAll(/["\\]/g, "\\$&")}"` : valueText(value);
}
