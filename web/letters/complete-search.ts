import { fieldNamed, queryFields } from "../../src/domain/query/query-fields.ts";

/** A search as it would go on. */
export interface Completion {
  readonly text: string;
  readonly about: string;
}

/** What the last word of a search may become: a field, or one of the choices that its field has. */
export function completionsOf(text: string): readonly Completion[] {
  const [, before = "", negation = "", word = ""] = /^((?:.*[\s(])?)([-!]?)([^\s()"]*)$/s.exec(text) ?? [];
  const isQuoted = before.replaceAll(/\\./g, "").split('"').length % 2 === 0;
  if (word === "" || isQuoted) return [];
  const [field = "", value] = word.split(":", 2);
  const found = value === undefined ? fieldsLike(field) : choicesLike(field, value);
  return found
    .filter(([completed]) => completed !== word)
    .map(([completed, about]) => ({ text: `${before}${negation}${completed}`, about }));
}

type Found = readonly (readonly [completed: string, about: string])[];

function fieldsLike(typed: string): Found {
  return Object.entries(queryFields)
    .filter(([name]) => name.startsWith(typed.toLowerCase()))
    .map(([name, { about, ...field }]) => [`${name}${"hasPath" in field ? "." : ":"}`, about]);
}

/** The last of several: `state:open,ret` goes on with `returned`. */
function choicesLike(field: string, typed: string): Found {
  const { of = [], about = "" } = fieldNamed(field.toLowerCase()) ?? {};
  const [, others = "", last = ""] = /^(.*,)?(.*)$/.exec(typed.toLowerCase()) ?? [];
  return of.filter((choice) => choice.startsWith(last)).map((choice) => [`${field}:${others}${choice}`, about]);
}
