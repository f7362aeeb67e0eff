import { findTerm } from "../../domain/query/find-term.ts";
import type { Query } from "../../domain/query/query.ts";
import type { Ledger } from "../ledger.ts";

/** Fields whose values are names the ledger has a short list of, and where it has it. */
const named = {
  queue: { name: "queue", table: "queues" },
  source: { name: "source", table: "queues" },
  broker: { name: "broker", table: "queues" },
  class: { name: "error_class", table: "groups" },
} as const;

export type NamedField = keyof typeof named;

const fields = Object.keys(named) as readonly NamedField[];

/** The names there are, as they are written. */
export type KnownNames = ReadonlyMap<NamedField, readonly string[]>;

/**
 * The names that a search may mean. It is told apart from the search itself, so that what is compared with letters is a value: of a
 * value the database knows how common it is, and plans accordingly.
 */
export async function readKnownNames({ database, at }: Ledger, query: Query): Promise<KnownNames> {
  const wanted = fields.filter((field) => findTerm(query, [field]) !== undefined);
  if (wanted.length === 0) return new Map();
  const lists = wanted.map((field) => {
    const { name, table } = named[field];
    return `select '${field}' as field, array_agg(distinct ${name}) as names from ${at}.${table} where ${name} is not null`;
  });
  const { rows } = await database.query<{ readonly field: NamedField; readonly names: readonly string[] | null }>(
    lists.join(" union all "),
    [],
  );
  return new Map(rows.map(({ field, names }) => [field, names ?? []]));
}

/** A name in any case; `*` stands for anything where it is a pattern. */
export function matchingNames(names: readonly string[], wanted: string, isPattern: boolean): readonly string[] {
  // To capitals: what a character becomes there does not depend on its neighbours, so that a piece becomes what it is in a whole.
  const text = wanted.toUpperCase();
  const pieces = isPattern ? text.split("*") : [text];
  return names.filter((name) => fits(name.toUpperCase(), pieces));
}

/** Each piece as early as it can be: what is left for the others is then the most there can be, and nothing is tried twice. */
function fits(name: string, [first = "", ...others]: readonly string[]): boolean {
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first)) return false;
  let from = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, from);
    if (found < 0) return false;
    from = found + piece.length;
  }
  return name.length - last.length >= from && name.endsWith(last);
}
