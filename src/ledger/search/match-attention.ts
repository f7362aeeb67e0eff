import { findTerm } from "../../domain/query/find-term.ts";
import type { Query, Term, Value } from "../../domain/query/query.ts";
import { queryProblem } from "../../domain/query/query-problem.ts";
import type { CompileContext } from "./compile-context.ts";

const attendedKinds: readonly string[] = ["mine", "snoozed", "acknowledged"];

/** What of this value is about people's words, by its name; null for anything else. */
export function attendedKindOf({ field }: Term, value: Value): string | null {
  if (value.kind === "range") return null;
  const text = value.text.toLowerCase();
  if (field === "assignee") return value.kind === "word" && text === "me" ? "mine" : null;
  return field === "is" && attendedKinds.includes(text) ? text : null;
}

/** Whether a search is about what people said of groups as it holds now, which no column says. */
export function asksForAttention(query: Query): boolean {
  if (query.kind === "and" || query.kind === "or") return query.parts.some(asksForAttention);
  if (query.kind === "not") return asksForAttention(query.part);
  const term = findTerm(query, ["is", "assignee"]);
  return term?.values.some((value) => attendedKindOf(term, value) !== null) ?? false;
}

/** Letters of the groups of which that holds. */
export function matchesAttention(kind: string, term: Term, { attended, parameters, text }: CompileContext): string {
  if (attended !== null) return `l.group_id = any (${parameters.add(attended.get(kind) ?? [])}::uuid[])`;
  throw queryProblem({
    text,
    at: term.at,
    length: term.length,
    message: `\`${term.field}:${kind === "mine" && term.field === "assignee" ? "me" : kind}\` cannot be searched for here.`,
    hint: "Ask for it where letters or groups are listed.",
  });
}
