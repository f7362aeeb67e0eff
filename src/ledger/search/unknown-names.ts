import { nearestName } from "../../domain/options.ts";
import { askedNames, type LeftOut, leftOutNames, plainName } from "../../domain/query/left-out.ts";
import { parseQuery } from "../../domain/query/parse-query.ts";
import type { Query } from "../../domain/query/query.ts";
import type { FieldName } from "../../domain/query/query-fields.ts";
import { isPattern } from "../../domain/query/value-text.ts";
import type { Ledger } from "../ledger.ts";
import type { CompileContext } from "./compile-context.ts";
import { bounds, compileQuery, isBoundedBy } from "./compile-query.ts";
import { attentionAskedFor } from "./match-attention.ts";
import { tagConditions } from "./match-marks.ts";
import { matchesKey, matchesWords } from "./match-words.ts";
import { namesInScope } from "./names-in-scope.ts";
import { Parameters } from "./parameters.ts";
import { type Search, searchContext } from "./search-condition.ts";
import { withinScope } from "./within-scope.ts";

/** A name by which a search leaves letters out, and that no letter has, as far as was checked: it probably leaves out none. */
export interface UnknownName {
  /** As it is written: `tag:hlod`. */
  readonly name: string;
  /** What may have been meant, written so too; null where nothing is near. */
  readonly nearest: string | null;
  /** False: there are too many letters to check them all, and those that were checked do not have it. */
  readonly isChecked: boolean;
}

/** Of the letters that can be seen through this ledger: what lies outside is not there. */
export async function unknownNames(ledger: Ledger, search: Search): Promise<readonly UnknownName[]> {
  const query = parseQuery(search.q);
  const names = leftOutNames(query).filter((each) => attentionAskedFor(each.query).size === 0);
  if (names.length === 0) return [];
  const checks = await checkNames(ledger, search, { query, names });
  const unknown = names.flatMap((each, place) => {
    const check = checks[place] ?? { had: false, all: false };
    return check.had ? [] : [{ each, isChecked: check.all }];
  });
  return Promise.all(
    unknown.map(async ({ each, isChecked }) => ({
      name: each.name,
      nearest: isChecked ? await nearestTo(ledger, search, each) : null,
      isChecked,
    })),
  );
}

/** A name that a search asks for, and one that letters have and that may have been meant. Both as they are written. */
export interface Guess {
  readonly name: string;
  readonly nearest: string;
}

/** Of a search that finds nothing: what may have been meant by its names. */
export async function guessNames(ledger: Ledger, search: Search): Promise<readonly Guess[]> {
  const names = askedNames(parseQuery(search.q)).filter((each) => attentionAskedFor(each.query).size === 0);
  const guesses = await Promise.all(
    names.map(async (each) => ({ name: each.name, nearest: await nearestTo(ledger, search, each) })),
  );
  return guesses.flatMap(({ name, nearest }) =>
    nearest === null || plainName(nearest) === plainName(name) ? [] : [{ name, nearest }],
  );
}

/** A search, and the names in it that are checked. */
interface NameCheckRequest {
  readonly query: Query;
  readonly names: readonly LeftOut[];
}

interface NameCheck {
  readonly had: boolean;
  /** Every letter was checked that may have it. */
  readonly all: boolean;
}

/** Letters that are checked one by one at most. The check runs before each search: without a bound it would cost more than the search. */
const checkedAtMost = 8_000;

async function checkNames(
  ledger: Ledger,
  search: Search,
  { query, names }: NameCheckRequest,
): Promise<readonly NameCheck[]> {
  const parameters = new Parameters();
  const context = { ...(await searchContext(ledger, search, query)), parameters, judged: null };
  const scope = () => withinScope(ledger, parameters, "l");
  const letters = `${ledger.at}.letters l`;
  const indexed = (condition: string) => `exists (select from ${letters} where ${condition} and ${scope()})`;
  const checks = names.map((name) => {
    if (!isSlow(name.query)) return [indexedConditions(name.query, context).map(indexed).join(" or "), "true"];
    const matching = compileQuery({ kind: "and", parts: [boundsOf(query), name.query] }, context);
    const within = () => `${compileQuery(boundsOf(query), context)} and ${queuesInScope(ledger, parameters)}`;
    const some = `(select l.* from ${letters} where ${within()} limit ${checkedAtMost}) l`;
    const isMore = `exists (select from ${letters} where ${within()} offset ${checkedAtMost})`;
    const quickly = wordsOnly(name.query, context).map(indexed);
    const had = [...quickly, `exists (select from ${some} where ${matching} and ${scope()})`].join(" or ");
    return [had, `not ${isMore}`];
  });
  const { rows } = await ledger.database.query<{ had: readonly boolean[]; everything: readonly boolean[] }>(
    `select array[${checks.map(([had]) => had).join(", ")}] as had, array[${checks.map(([, all]) => all).join(", ")}] as everything`,
    parameters.values,
  );
  const [row] = rows;
  return names.map((_, place) => ({ had: row?.had[place] === true, all: row?.everything[place] === true }));
}

/** So that an index finds the letters of somebody's queues. */
function queuesInScope({ at, scope }: Ledger, parameters: Parameters): string {
  if (scope.length === 0) return "true";
  return `l.queue = any (array(select r.queue from ${at}.queues r where ${withinScope({ scope }, parameters, "r")}))`;
}

/** Each on its own: what one of two indexes finds is found by neither when they are asked together. */
function indexedConditions(query: LeftOut["query"], context: Omit<CompileContext, "isBounded">): readonly string[] {
  const bounded = { ...context, isBounded: true };
  if (query.kind === "text") return [matchesWords(query.value, "any", bounded), matchesKey(query.value.text, bounded)];
  const [value] = query.values;
  if (query.field === "tag" && value !== undefined) return tagConditions(value, bounded);
  return [compileQuery(query, context)];
}

/** `-time*`: words that begin so have an index, and keys have none. */
function wordsOnly(query: LeftOut["query"], context: Omit<CompileContext, "isBounded">): readonly string[] {
  if (query.kind !== "text" || query.value.text.startsWith("*")) return [];
  return [matchesWords(query.value, "any", { ...context, isBounded: true })];
}

/** Fields without an index: whether any letter has such a value is only known from the letters. */
const withoutIndex: ReadonlySet<string> = new Set([
  ...["source", "broker", "consumer", "host", "type", "code", "trace", "ctx", "owner"],
  ...["header", "body", "version", "deployed"],
]);

/** Whether letters are checked one by one, where the search looks. */
function isSlow(name: LeftOut["query"]): boolean {
  if (name.kind === "term" && withoutIndex.has(name.field)) return true;
  const values = name.kind === "term" ? name.values : [name.value];
  const isKey = name.kind === "text" || name.field === "key";
  return values.some((value) => value.kind === "word" && (value.text.startsWith("*") || (isKey && isPattern(value))));
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
