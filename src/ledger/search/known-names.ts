import { findTerm } from "../../domain/query/find-term.ts";
import type { Query } from "../../domain/query/query.ts";
import type { Ledger } from "../ledger.ts";

/** Fields whose values are names the ledger has a short list of. */
const named = ["queue", "source", "broker", "class"] as const;

export type NamedField = (typeof named)[number];

/** The names there are, as they are written. */
export type KnownNames = ReadonlyMap<NamedField, readonly string[]>;

/**
 * The names that a search may mean. It is told apart from the search itself, so that what is compared with letters is a value: of a
 * value the database knows how common it is, and plans accordingly.
 */
export async function readKnownNames({ database, at }: Ledger, query: Query): Promise<KnownNames> {
  if (findTerm(query, named) === undefined) return new Map();
  const { rows } = await database.query<{ readonly field: NamedField; readonly names: readonly string[] }>(
    `select field, array_agg(distinct name) as names from (
       select 'queue' as field, queue as name from ${at}.queues
       union all select 'source', source from ${at}.queues
       union all select 'broker', broker from ${at}.queues
       union all select 'class', error_class from ${at}.groups where error_class is not null
     ) known group by field`,
    [],
  );
  return new Map(rows.map(({ field, names }) => [field, names]));
}

/** A name in any case; `*` stands for anything where it is a pattern. */
export function matchingNames(names: readonly string[], wanted: string, isPattern: boolean): readonly string[] {
  const literal = (text: string) => text.replaceAll(/[\\^$.|?+()[\]{}*]/g, "\\$&");
  const parts = isPattern ? wanted.split("*") : [wanted];
  const pattern = new RegExp(`^${parts.map(literal).join(".*")}$`, "isu");
  return names.filter((name) => pattern.test(name));
}
