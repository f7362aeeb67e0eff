import type { Queries } from "../domain/database.ts";
import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";

export interface Fix {
  readonly id: Uint8Array;
  readonly groupId: Uint8Array;
  /** Milliseconds since 1970. */
  readonly fixedAt: number;
  readonly called: string;
}

/** A fix with all that was said of it. */
export interface RecordedFix extends Fix {
  readonly reason: string | null;
  /** The commit that brought the bug in. */
  readonly introducedBy: string | null;
  readonly recordedBy: string;
  /** Null while it stands. */
  readonly retractedBy: string | null;
}

export async function insertFix(
  { at }: Ledger,
  queries: Queries,
  fix: Fix & Partial<Pick<RecordedFix, "reason" | "introducedBy">>,
  recordedBy: string,
): Promise<void> {
  await queries.query(
    `insert into ${at}.fixes (id, group_id, fixed_at, called, recorded_by, reason, introduced_by)
     values ($1, $2, to_timestamp($3::float8 / 1000), $4, $5, $6, $7)`,
    [
      ...[uuidOf(fix.id), uuidOf(fix.groupId), fix.fixedAt, fix.called, recordedBy],
      ...[fix.reason ?? null, fix.introducedBy ?? null],
    ],
  );
}

interface FixRow {
  readonly id: string;
  readonly group_id: string;
  readonly fixed_at: Date;
  readonly called: string;
  readonly reason: string | null;
  readonly introduced_by: string | null;
  readonly recorded_by: string;
  readonly retracted_by: string | null;
}

/** Newest first, also those that were retracted. */
export async function listFixes(ledger: Ledger, limit: number): Promise<readonly RecordedFix[]> {
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<FixRow>(
    `select id, group_id, fixed_at, called, reason, introduced_by, recorded_by, retracted_by
     from ${ledger.at}.fixes f where ${isSeen(ledger, parameters)}
     order by recorded_at desc, id desc limit ${parameters.add(limit)}`,
    parameters.values,
  );
  return rows.map((row) => ({
    ...{ id: idOfUuid(row.id), groupId: idOfUuid(row.group_id), fixedAt: row.fixed_at.getTime(), called: row.called },
    ...{ reason: row.reason, introducedBy: row.introduced_by },
    ...{ recordedBy: row.recorded_by, retractedBy: row.retracted_by },
  }));
}

export interface FailedAround {
  readonly before: number;
  readonly after: number;
  readonly unknown: number;
  /** Some of those after. */
  readonly proof: readonly Uint8Array[];
}

/**
 * Open letters of a group by when they failed. A time of arrival is only a bound: before the moment it proves that the letter
 * failed before, after it nothing; and neither does a time so close that two clocks may disagree about it.
 */
export async function countAround(
  { database, at }: Ledger,
  { groupId, moment, skewMs }: { readonly groupId: Uint8Array; readonly moment: number; readonly skewMs: number },
): Promise<FailedAround> {
  const { rows } = await database.query<{ side: keyof FailedAround; n: number; some: readonly string[] }>(
    `select side, count(*)::integer as n, (array_agg(id order by id desc))[1:3] as some from (
       select l.id, case
         when l.failed_at < to_timestamp(($2::float8 - $3) / 1000) then 'before'
         when l.failed_at > to_timestamp(($2::float8 + $3) / 1000) and l.failed_at_by <> 'arrival' then 'after'
         else 'unknown' end as side
       from ${at}.letters l where l.group_id = $1 and ${at}.is_open(l.state)
     ) sided group by side`,
    [uuidOf(groupId), moment, skewMs],
  );
  const count = (side: string) => rows.find((row) => row.side === side)?.n ?? 0;
  const proof = rows.find((row) => row.side === "after")?.some ?? [];
  return { before: count("before"), after: count("after"), unknown: count("unknown"), proof: proof.map(idOfUuid) };
}

/** False: there is none of that id that still stands. */
export async function retractFix(
  ledger: Ledger,
  queries: Queries,
  id: Uint8Array,
  retractedBy: string,
): Promise<boolean> {
  const { at } = ledger;
  const parameters = new Parameters();
  const { count } = await queries.query(
    `update ${at}.fixes f set retracted_at = ${at}.clock(), retracted_by = ${parameters.add(retractedBy)}
     where id = ${parameters.add(uuidOf(id))} and retracted_at is null and ${isSeen(ledger, parameters)}`,
    parameters.values,
  );
  return count > 0;
}

/** By the queue of its group. */
function isSeen(ledger: Ledger, parameters: Parameters): string {
  if (ledger.scope.length === 0) return "true";
  const isOwn = withinScope(ledger, parameters, "g");
  return `exists (select from ${ledger.at}.groups g where g.id = f.group_id and ${isOwn})`;
}

/** The latest fix of each of these groups, by the group's id in hexadecimal digits. */
export async function latestFixes(
  { database, at }: Ledger,
  groups: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Fix>> {
  const { rows } = await database.query<{ id: string; group_id: string; fixed_at: number; called: string }>(
    `select distinct on (group_id) id, group_id, (extract(epoch from fixed_at) * 1000)::float8 as fixed_at, called
     from ${at}.fixes where group_id = any ($1::uuid[]) and retracted_at is null order by group_id, fixed_at desc`,
    [[...new Set(groups.map(uuidOf))]],
  );
  return new Map(
    rows.map(({ id, group_id: group, fixed_at: fixedAt, called }) => {
      const groupId = idOfUuid(group);
      return [hexOf(groupId), { id: idOfUuid(id), groupId, fixedAt, called }];
    }),
  );
}
