import type { Category } from "../../domain/classification.ts";
import { OfficeError } from "../../domain/errors.ts";
import { idOfUuid, readId, showId, uuidOf } from "../../domain/ids.ts";
import { parseQuery } from "../../domain/query/parse-query.ts";
import { foldCounters } from "../fold-counters.ts";
import type { Ledger } from "../ledger.ts";
import { type GroupNames, readGroupNames } from "./group-names.ts";
import { urgencyOrder } from "./group-urgency.ts";
import { Parameters } from "./parameters.ts";
import { type Search, searchCondition } from "./search-condition.ts";
import { withinScope } from "./within-scope.ts";

/** What lists show of a group. */
export interface GroupSummary {
  readonly id: string;
  readonly source: string;
  readonly queue: string;
  /** What its letters have in common. */
  readonly title: string;
  readonly errorClass: string | null;
  readonly category: Category;
  readonly fingerprint: string;
  /** Groups that were merged into it; their letters count here, wherever they still are. */
  readonly mergedFrom: readonly string[];
  /** All that ever came. */
  readonly total: number;
  /** Those that need a decision. */
  readonly open: number;
  /** When the first and the last of its letters came to the office. */
  readonly firstArrivedAt: string | null;
  readonly lastArrivedAt: string | null;
  /** When the first and the last of them failed: long before, where nobody drained their queue. */
  readonly firstFailedAt: string | null;
  readonly lastFailedAt: string | null;
  /** When the open one failed that failed first. */
  readonly oldestOpenAt: string | null;
  /** How many failed in each of the last 24 hours, in order, the running hour last. */
  readonly hours: readonly number[];
}

/** Finds groups with at least one letter that matches. */
export interface GroupSearch extends Search {
  readonly limit: number;
  /** Only those with letters that need a decision. */
  readonly onlyOpen: boolean;
  /** Which come first where there are more than `limit`. @default "open": those with most open letters */
  readonly first?: "open" | "urgent";
  /** Only those whose first letter failed at that moment or later, in milliseconds since 1970. @default whenever it did */
  readonly firstSince?: number;
  /** Only those whose last letter failed at that moment or later, in milliseconds since 1970. @default whenever it did */
  readonly lastSince?: number;
  /** @default of all queues and categories, however few letters are open, whatever their ids */
  readonly only?: GroupFilter;
}

export interface GroupFilter {
  /** Patterns of `source/queue`; none: all. */
  readonly queues: readonly string[];
  readonly categories: readonly Category[];
  /** Only those with more open letters than this. */
  readonly openOver: number;
  /** Only these, or what they were merged into. @default all */
  readonly ids?: readonly string[];
}

const hourMs = 3_600_000;
const hoursShown = 24;
const mostOpen = "g.open desc, g.last_failed_at desc nulls last, g.id";

/** The groups that match, those with most open letters first, whichever of them were chosen. */
export async function findGroups(ledger: Ledger, search: GroupSearch): Promise<readonly GroupSummary[]> {
  const { database, at } = ledger;
  await foldCounters(ledger);
  const parameters = new Parameters();
  const names = await readGroupNames(ledger);
  const where = await groupCondition(ledger, search, { names, parameters });
  const { now, first = "open", limit } = search;
  const urgent = first === "open" ? "" : `${urgencyOrder({ at, now, hours: hoursShown, parameters })}, `;
  const wanted = `where ${where} order by ${urgent}${mostOpen} limit ${parameters.add(limit)}`;
  const { rows } = await database.query<GroupRow>(
    selectGroups(at, { names, parameters }, { wanted, now }),
    parameters.values,
  );
  return rows.map((row) => groupOf(row, now));
}

export interface OpenSum {
  /** Letters that need a decision. */
  readonly open: number;
  readonly openGroups: number;
  readonly oldestOpenAt: string | null;
}

/** Of all groups with open letters, however many those are. */
export async function sumOpen(ledger: Ledger): Promise<OpenSum> {
  const { database, at } = ledger;
  await foldCounters(ledger);
  const parameters = new Parameters();
  const names = await readGroupNames(ledger);
  const { rows } = await database.query<{ open: string; groups: string; oldest_open_at: Date | null }>(
    `select coalesce(sum(g.open), 0) as open, count(*) as groups, min(g.oldest_open_at) as oldest_open_at
     from ${standingGroups(at, { names, parameters })} where g.open > 0 and ${withinScope(ledger, parameters, "g")}`,
    parameters.values,
  );
  const [sum] = rows;
  return {
    open: Number(sum?.open),
    openGroups: Number(sum?.groups),
    oldestOpenAt: sum?.oldest_open_at?.toISOString() ?? null,
  };
}

export async function readGroup(ledger: Ledger, id: string, now: number): Promise<GroupSummary> {
  const { database, at } = ledger;
  const names = await readGroupNames(ledger);
  const uuid = names.standing(uuidOf(readId("group", id)));
  await foldCounters(ledger);
  const parameters = new Parameters();
  const wanted = `where g.id = ${parameters.add(uuid)} and ${withinScope(ledger, parameters, "g")}`;
  const { rows } = await database.query<GroupRow>(
    selectGroups(at, { names, parameters }, { wanted, now }),
    parameters.values,
  );
  if (rows[0] === undefined) throw new OfficeError("GROUP_NOT_FOUND", `There is no group ${id}.`, { details: { id } });
  return groupOf(rows[0], now);
}

interface GroupStatement {
  readonly names: GroupNames;
  readonly parameters: Parameters;
}

async function groupCondition(
  ledger: Ledger,
  search: GroupSearch,
  { names, parameters }: GroupStatement,
): Promise<string> {
  const seen = [
    ...[withinScope(ledger, parameters, "g"), search.onlyOpen ? "g.open > 0" : "true"],
    ...sinceConditions(search, parameters),
    ...(search.only === undefined ? [] : filterConditions(search.only, { names, parameters })),
  ].join(" and ");
  // A condition that is not used must not leave its parameters behind: the database could not tell their types.
  if (parseQuery(search.q).kind === "all") return seen;
  const { where: matching } = await searchCondition(ledger, search, parameters, names);
  const isIn = names.merged.size === 0 ? "l.group_id = g.id" : "l.group_id = any (g.ids)";
  return `${seen} and exists (select from ${ledger.at}.letters l where ${isIn} and ${matching})`;
}

function sinceConditions({ firstSince, lastSince }: GroupSearch, parameters: Parameters): readonly string[] {
  const bounds = { first_failed_at: firstSince, last_failed_at: lastSince };
  return Object.entries(bounds).flatMap(([column, since]) =>
    since === undefined ? [] : [`g.${column} >= ${parameters.add(new Date(since).toISOString())}::timestamptz`],
  );
}

function filterConditions(
  { queues, categories, openOver, ids }: GroupFilter,
  { names, parameters }: GroupStatement,
): readonly string[] {
  const standing = ids?.map((id) => names.standing(uuidOf(readId("group", id))));
  return [
    withinScope({ scope: queues.length === 0 ? [] : [queues] }, parameters, "g"),
    `g.category = any (${parameters.add([...categories])}::text[])`,
    `g.open > ${parameters.add(openOver)}::bigint`,
    ...(standing === undefined ? [] : [`g.id = any (${parameters.add(standing)}::uuid[])`]),
  ];
}

/** Groups that were merged into another one are part of that. */
function standingGroups(at: string, { names: { merged }, parameters }: GroupStatement): string {
  if (merged.size === 0) return `(select s.*, array[s.id] as ids from ${at}.groups s) g`;
  const [from, into] = [parameters.add([...merged.keys()]), parameters.add([...merged.values()])];
  return `(
      select s.id, s.source, s.queue, s.title, s.error_class, s.category, s.fingerprint,
        s.total + coalesce(m.total, 0) as total, s.open + coalesce(m.open, 0) as open,
        least(s.first_arrived_at, m.first_arrived_at) as first_arrived_at,
        greatest(s.last_arrived_at, m.last_arrived_at) as last_arrived_at,
        least(s.first_failed_at, m.first_failed_at) as first_failed_at,
        greatest(s.last_failed_at, m.last_failed_at) as last_failed_at,
        least(s.oldest_open_at, m.oldest_open_at) as oldest_open_at, s.id || coalesce(m.ids, '{}') as ids
      from ${at}.groups s
      left join (
        select w.into_id, array_agg(p.id order by p.id) as ids, sum(p.total) as total, sum(p.open) as open,
          min(p.first_arrived_at) as first_arrived_at, max(p.last_arrived_at) as last_arrived_at,
          min(p.first_failed_at) as first_failed_at, max(p.last_failed_at) as last_failed_at,
          min(p.oldest_open_at) as oldest_open_at
        from unnest(${from}::uuid[], ${into}::uuid[]) as w (id, into_id) join ${at}.groups p on p.id = w.id group by w.into_id
      ) m on m.into_id = s.id
      where s.id <> all (${from}::uuid[])
    ) g`;
}

/** The wanted ones first, and only then what costs a look for each of them. */
function selectGroups(
  at: string,
  statement: GroupStatement,
  { wanted, now }: { readonly wanted: string; readonly now: number },
): string {
  const since = statement.parameters.add(new Date(firstHour(now)).toISOString());
  return `select g.id, g.source, g.queue, g.title, g.error_class, g.category, encode(g.fingerprint, 'hex') as fingerprint,
      g.total, g.open, g.first_arrived_at, g.last_arrived_at, g.first_failed_at, g.last_failed_at, g.ids, g.oldest_open_at, h.hours
    from (select g.* from ${standingGroups(at, statement)} ${wanted}) g
    left join lateral (
      select json_object_agg(extract(epoch from t.hour)::bigint, t.n) as hours from (
        select gh.hour, sum(gh.n) as n from ${at}.group_hours gh
        where gh.group_id = any (g.ids) and gh.hour >= ${since}::timestamptz group by gh.hour
      ) t
    ) h on true
    order by ${mostOpen}`;
}

interface GroupRow {
  readonly id: string;
  readonly source: string;
  readonly queue: string;
  readonly title: string;
  readonly error_class: string | null;
  readonly category: Category;
  readonly fingerprint: string;
  readonly ids: readonly string[];
  readonly total: string;
  readonly open: string;
  readonly first_arrived_at: Date | null;
  readonly last_arrived_at: Date | null;
  readonly first_failed_at: Date | null;
  readonly last_failed_at: Date | null;
  readonly oldest_open_at: Date | null;
  readonly hours: Readonly<Record<string, number>> | null;
}

function groupOf(row: GroupRow, now: number): GroupSummary {
  return {
    id: showId("group", idOfUuid(row.id)),
    source: row.source,
    queue: row.queue,
    title: row.title,
    errorClass: row.error_class,
    category: row.category,
    fingerprint: row.fingerprint,
    mergedFrom: row.ids.slice(1).map((id) => showId("group", idOfUuid(id))),
    total: Number(row.total),
    open: Number(row.open),
    firstArrivedAt: row.first_arrived_at?.toISOString() ?? null,
    lastArrivedAt: row.last_arrived_at?.toISOString() ?? null,
    firstFailedAt: row.first_failed_at?.toISOString() ?? null,
    lastFailedAt: row.last_failed_at?.toISOString() ?? null,
    oldestOpenAt: row.oldest_open_at?.toISOString() ?? null,
    hours: Array.from(
      { length: hoursShown },
      // A letter may leave an hour that an older process never counted it in.
      (_, index) => Math.max(0, row.hours?.[String((firstHour(now) + index * hourMs) / 1_000)] ?? 0),
    ),
  };
}

function firstHour(now: number): number {
  return (Math.floor(now / hourMs) - hoursShown + 1) * hourMs;
}
