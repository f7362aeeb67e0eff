import type { Query, Term } from "./query.ts";

/** The first of the search's terms about one of these fields, wherever it stands. */
export function findTerm(query: Query, fields: readonly string[]): Term | undefined {
  if (query.kind === "term") return fields.includes(query.field) ? query : undefined;
  if (query.kind === "not") return findTerm(query.part, fields);
  if (query.kind !== "and" && query.kind !== "or") return undefined;
  for (const part of query.parts) {
    const found = findTerm(part, fields);
    if (found !== undefined) return found;
  }
  return undefined;
}
