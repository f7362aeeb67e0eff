import { termsOf } from "../../domain/query/find-term.ts";
import type { Query } from "../../domain/query/query.ts";

/** What people say of groups that letters are found by: who has them, their tags, that something is noted. */
export type Mark = "assigned" | "tagged" | "noted";

const markOf: Readonly<Record<string, Mark>> = { owner: "assigned", assignee: "assigned", tag: "tagged" };

/** What of people's words on groups a search is about. */
export function marksAskedFor(query: Query): ReadonlySet<Mark> {
  return new Set(
    termsOf(query).flatMap(({ field, values }): Mark[] => {
      const mark = markOf[field];
      if (mark !== undefined) return [mark];
      const isNote = field === "has" && values.some((value) => value.kind !== "range" && /^note$/i.test(value.text));
      return isNote ? ["noted"] : [];
    }),
  );
}
