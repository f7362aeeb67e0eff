import { fieldNamed, queryFields } from "./query-fields.ts";

/** A search as it would go on. */
export interface Completion {
  readonly text: string;
  readonly about: string;
}

/** A value that a field has somewhere, and what to know of it. */
export interface KnownValue {
  readonly value: string;
  readonly about: string;
}

/** The last word of a search, and what stands before it. */
export interface LastWord {
  readonly before: string;
  readonly negation: string;
  readonly field: string;
  /** Null while the field itself is being written. */
  readonly value: string | null;
}

/** Null within quotes and right after them: what is written there is nobody's to complete. */
export function lastWordOf(text: string): LastWord | null {
  const parts = /^((?:.*[\s(])?)([-!]?)([^\s()"]*)$/s.exec(text);
  const isQuoted = text.replaceAll(/\\./g, "").split('"').length % 2 === 0;
  if (parts === null || isQuoted) return null;
  const [, before = "", negation = "", word = ""] = parts;
  const [field = "", value = null] = word.split(":", 2);
  return { before, negation, field, value };
}

export interface CompletionOptions {
  /** Values that the last word's field has, besides those it has by its nature. @default none */
  readonly known?: readonly KnownValue[];
  /** Offers every field where no word was begun. @default false */
  readonly fromNothing?: boolean;
}

/** What the last word of a search may become: a field, or one of the values that its field has. */
export function completionsOf(
  text: string,
  { known = [], fromNothing = false }: CompletionOptions = {},
): readonly Completion[] {
  const last = lastWordOf(text);
  if (last === null) return [];
  const { before, negation, field, value } = last;
  if (field === "" && !fromNothing) return [];
  const found = value === null ? fieldsLike(field) : valuesLike(field, value, known);
  return found
    .map(([completed, about]) => ({ text: `${before}${negation}${completed}`, about }))
    .filter((completion) => completion.text !== text);
}

type Found = readonly (readonly [completed: string, about: string])[];

function fieldsLike(typed: string): Found {
  return Object.entries(queryFields)
    .filter(([name]) => name.startsWith(typed.toLowerCase()))
    .map(([name, { about, ...field }]) => [`${name}${"hasPath" in field ? "." : ":"}`, about]);
}

/** The last of several: `state:open,ret` goes on with `returned`. */
function valuesLike(field: string, typed: string, known: readonly KnownValue[]): Found {
  const { of = [], about = "" } = fieldNamed(field.toLowerCase()) ?? {};
  const [, others = "", last = ""] = /^(.*,)?(.*)$/.exec(typed) ?? [];
  const choices = of.map((value) => ({ value, about }));
  return [...choices, ...known]
    .filter(({ value }) => value.toLowerCase().startsWith(last.toLowerCase()))
    .map((found) => [`${field}:${others}${found.value}`, found.about]);
}
