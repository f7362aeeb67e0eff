import { hexOf, idOfUuid } from "../../domain/ids.ts";
import { openStates } from "../../domain/letter.ts";
import { findTerm } from "../../domain/query/find-term.ts";
import { parseQuery } from "../../domain/query/parse-query.ts";
import type { Query } from "../../domain/query/query.ts";
import { queryProblem } from "../../domain/query/query-problem.ts";
import type { Ledger } from "../ledger.ts";
import { marksAskedFor } from "./asked-marks.ts";
import type { CompileContext, SourceOwners } from "./compile-context.ts";
import { compileQuery, isBoundedBy } from "./compile-query.ts";
import { type GroupNames, namesGroups, noGroupNames, readGroupNames } from "./group-names.ts";
import { readKnownNames } from "./known-names.ts";
import { readMarkedGroups } from "./marked-groups.ts";
import { type AttendedKind, attentionAskedFor } from "./match-attention.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** What every search says. */
export interface Search {
  /** In the query language; empty finds all. */
  readonly q: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly retentionMs: number;
  /** Answers `replay:`, which nothing in the ledger can. @default such searches are refused */
  readonly judge?: Judge;
  /** Answers `is:mine`, `is:snoozed`, `is:acknowledged` and `assignee:me`. @default such searches are refused */
  readonly attend?: Attend;
  /** Answers `owner:`, since the configuration says who owns a source. @default such searches are refused */
  readonly owners?: SourceOwners;
}

/** Groups that are so, as UUIDs, those that were merged into them among them. Only those of these kinds are looked for. */
export type Attend = (kinds: ReadonlySet<AttendedKind>) => Promise<ReadonlyMap<AttendedKind, readonly string[]>>;

/** Whether letters may be replayed at this moment, in the words of `replay:`, by the letter's id in hexadecimal digits. */
export type Judge = (letters: readonly Uint8Array[]) => Promise<ReadonlyMap<string, string>>;

interface Found {
  /** A condition on `letters l`. */
  readonly where: string;
}

export async function searchCondition(
  ledger: Ledger,
  search: Search,
  parameters: Parameters,
  groupNames?: GroupNames,
): Promise<Found> {
  const query = parseQuery(search.q);
  const context = await searchContext(ledger, search, query, groupNames);
  const judged = await judgedLetters(ledger, search, { query, context });
  const matching = compileQuery(query, { ...context, parameters, judged });
  return { where: `${matching} and ${withinScope(ledger, parameters, "l")}` };
}

/** What a search is compiled with, whatever of it is compiled. */
type SearchContext = Omit<CompileContext, "isBounded" | "parameters" | "judged">;

export async function searchContext(
  ledger: Ledger,
  search: Search,
  query: Query,
  groupNames?: GroupNames,
): Promise<SearchContext> {
  const { at, masking } = ledger;
  const { q, now, retentionMs } = search;
  const names = groupNames ?? (namesGroups(query) ? await readGroupNames(ledger) : noGroupNames);
  const known = await readKnownNames(ledger, query);
  const marked = await readMarkedGroups(ledger, marksAskedFor(query), names);
  const kinds = attentionAskedFor(query);
  const attended = kinds.size > 0 ? ((await search.attend?.(kinds)) ?? null) : null;
  const told = { names, known, marked, attended, owners: search.owners ?? null };
  return { at, masking, now, retentionMs, text: q, ...told };
}

/** Letters are judged one by one, so there must not be more. */
const judgedAtMost = 1_000;

interface Judging {
  readonly query: Query;
  readonly context: SearchContext;
}

/**
 * For a search with `replay:`: ids of the letters it could be about, as UUIDs, by what each is judged to be. Only those that wait for
 * a decision are: what is decided is neither ready nor blocked, and there may be any number of it.
 */
async function judgedLetters(
  ledger: Ledger,
  { judge }: Search,
  { query, context }: Judging,
): Promise<CompileContext["judged"]> {
  const term = findTerm(query, ["replay"]);
  if (term === undefined || judge === undefined) return null;
  const refuse = (message: string, hint: string) =>
    queryProblem({ text: context.text, at: term.at, length: term.length, message, hint });
  if (!isBoundedBy(query, judgingBounds)) {
    throw refuse(
      "`replay:` is judged letter by letter.",
      "Say which: add a queue:, a group: or a category: to the search.",
    );
  }
  const parameters = new Parameters();
  const where = compileQuery(withoutReplay(query), { ...context, parameters, judged: null });
  const { rows } = await ledger.database.query<{ id: string }>(
    `select l.id from ${ledger.at}.letters l where ${where} and ${withinScope(ledger, parameters, "l")}
       and l.state = any (${parameters.add([...openStates])}::text[]) order by l.id limit ${parameters.add(judgedAtMost + 1)}`,
    parameters.values,
  );
  if (rows.length > judgedAtMost) {
    throw refuse(
      `\`replay:\` looks at ${judgedAtMost.toLocaleString("en-US")} letters at most, and more match the rest of the search.`,
      "Narrow it: one group, one queue, a shorter time.",
    );
  }
  const judgements = await judge(rows.map(({ id }) => idOfUuid(id)));
  const called = (id: string) => judgements.get(hexOf(idOfUuid(id)));
  const ids = rows.map(({ id }) => id);
  return new Map([...new Set(judgements.values())].map((each) => [each, ids.filter((id) => called(id) === each)]));
}

const judgingBounds: ReadonlySet<string> = new Set(["queue", "group", "category", "id"]);

/** All that the search could find, whatever may be replayed. */
function withoutReplay(query: Query): Query {
  if (findTerm(query, ["replay"]) === undefined) return query;
  if (query.kind !== "and" && query.kind !== "or") return { kind: "all" };
  return { ...query, parts: query.parts.map(withoutReplay) };
}
