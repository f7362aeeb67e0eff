import { nearestName } from "../../domain/options.ts";
import { type LeftOut, leftOutNames } from "../../domain/query/left-out.ts";
import { parseQuery } from "../../domain/query/parse-query.ts";
import type { Query } from "../../domain/query/query.ts";
import type { FieldName } from "../../domain/query/query-fields.ts";
import type { Ledger } from "../ledger.ts";
import { bounds, compileQuery, isBoundedBy } from "./compile-query.ts";
import { attentionAskedFor } from "./match-attention.ts";
import { namesInScope } from "./names-in-scope.ts";
import { Parameters } from "./parameters.ts";
import { type Search, searchContext } from "./search-condition.ts";
import { withinScope } from "./within-scope.ts";

/** A name by which a search leaves letters out, and that no letter has: it leaves out none. */
export interface UnknownName {
  /** As it is written: `tag:hlod`. */
  readonly name: string;
  /** What may have been meant, written so too; null where nothing is near. */
  readonly nearest: string | null;
}

/** Of the letters that can be seen through this ledger: what lies outside is not there. */
export async function unknownNames(ledger: Ledger, search: Search): Promise<readonly UnknownName[]> {
  const query = parseQuery(search.q);
  const names = leftOutNames(query).filter((each) => attentionAskedFor(each.query).size === 0);
  if (names.length === 0) return [];
  const known = await whichAreHad(ledger, search, { query, names });
  const unknown = names.filter((_, place) => known[place] !== true);
  return Promise.all(
    unknown.map(async (each) => ({ name: each.name, nearest: await nearestTo(ledger, search, each) })),
  );
}

interface Asked {
  readonly query: Query;
  readonly names: readonly LeftOut[];
}

async function whichAreHad(ledger: Ledger, search: Search, { query, names }: Asked): Promise<readonly boolean[]> {
  const parameters = new Parameters();
  const context = { ...(await searchContext(ledger, search, query)), parameters, judged: null };
  const conditions = names.map((each) => {
    const matching = compileQuery(within(query, each.query), context);
    return `exists (select from ${ledger.at}.letters l where ${matching} and ${withinScope(ledger, parameters, "l")})`;
  });
  const { rows } = await ledger.database.query<{ had: readonly boolean[] }>(
    `select array[${conditions.join(", ")}] as had`,
    parameters.values,
  );
  return rows[0]?.had ?? [];
}

/** What is looked for letter by letter is looked for where the search looks. */
function within(query: Query, name: LeftOut["query"]): Query {
  return isSlow(name) ? { kind: "and", parts: [boundsOf(query), name] } : name;
}

function isSlow(name: LeftOut["query"]): boolean {
  if (name.kind === "term" && ["header", "body", "version"].includes(name.field)) return true;
  const values = name.kind === "term" ? name.values : [name.value];
  return values.some((value) => value.kind === "word" && value.text.startsWith("*"));
}

/** The queues, groups and times that a search names, without all else that it says. */
function boundsOf(query: Query): Query {
  if (query.kind === "and" || query.kind === "or") return { ...query, parts: query.parts.map(boundsOf) };
  return isBoundedBy(query, bounds) ? query : { kind: "all" };
}

async function nearestTo(ledger: Ledger, search: Search, { field, value }: LeftOut): Promise<string | null> {
  if (field === null) return null;
  const nearest = nearestName(value, await namesInScope(ledger, field as FieldName, search.owners ?? null));
  return nearest === undefined ? null : `${field}:${nearest}`;
}
