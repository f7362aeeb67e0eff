import type { Ledger } from "../ledger.ts";
import { likePattern } from "./like-pattern.ts";
import type { Parameters } from "./parameters.ts";

/** What rows of queues must fulfil to be seen through this ledger. `row` has a source and a queue. */
export function withinScope({ scope }: Pick<Ledger, "scope">, parameters: Parameters, row: string): string {
  return nameWithinScope({ scope }, parameters, `${row}.source || '/' || ${row}.queue`);
}

/** The same of any expression that gives `source/queue`. */
export function nameWithinScope({ scope }: Pick<Ledger, "scope">, parameters: Parameters, name: string): string {
  const conditions = scope.map(
    (patterns) => `(${name}) like any (${parameters.add(patterns.map(likePattern))}::text[])`,
  );
  return conditions.length === 0 ? "true" : `(${conditions.join(" and ")})`;
}
