import { termsOf } from "../../domain/query/find-term.ts";
import type { Query, Term, Value } from "../../domain/query/query.ts";
import { queryProblem } from "../../domain/query/query-problem.ts";
import type { CompileContext } from "./compile-context.ts";

const attendedKinds = ["mine", "snoozed", "acknowledged"] as const;

/** What of people's words about groups holds at this moment, for whoever asks. */
export type AttendedKind = (typeof attendedKinds)[number];

/** What of this value is about people's words, by its name; null for anything else. */
export function attendedKindOf({ field }: Term, value: Value): AttendedKind | null {
  if (value.kind === "range") return null;
  const text = value.text.toLowerCase();
  if (field === "assignee") return value.kind === "word" && text === "me" ? "mine" : null;
  return field === "is" ? (attendedKinds.find((kind) => kind === text) ?? null) : null;
}

/** What a search asks about people's words on groups as they hold now, which no column says. */
export function attentionAskedFor(query: Query): ReadonlySet<AttendedKind> {
  const kinds = termsOf(query).flatMap((term) => term.values.map((value) => attendedKindOf(term, value)));
  return new Set(kinds.filter((kind) => kind !== null));
}

/** Letters of the groups of which that holds. */
export function matchesAttention(
  kind: AttendedKind,
  term: Term,
  { attended, parameters, text }: CompileContext,
): string {
  if (attended !== null) return `l.group_id = any (${parameters.add(attended.get(kind) ?? [])}::uuid[])`;
  throw queryProblem({
    text,
    at: term.at,
    length: term.length,
    message: `\`${term.field}:${kind === "mine" && term.field === "assignee" ? "me" : kind}\` cannot be searched for here.`,
    hint: "Ask for it where letters or groups are listed.",
  });
}
