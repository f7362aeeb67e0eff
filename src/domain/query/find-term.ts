import type { Query, Term } from "./query.ts";

/** The first of the search's terms about one of these fields, wherever it stands. */
export function findTerm(query: Query, fields: readonly string[]): Term | undefined {
  return termsOf(query).find(({ field }) => fields.includes(field));
}

/** All terms of a search, wherever they stand. */
export function termsOf(query: Query): readonly Term[] {
  if (query.kind === "term") return [query];
  if (query.kind === "not") return termsOf(query.part);
  return query.kind === "and" || query.kind === "or" ? query.parts.flatMap(termsOf) : [];
}
