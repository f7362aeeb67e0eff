import type { Queries } from "../domain/database.ts";
import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

export interface Fix {
  readonly id: Uint8Array;
  readonly groupId: Uint8Array;
  /** Milliseconds since 1970. */
  readonly fixedAt: number;
  readonly called: string;
}

export async function insertFix({ at }: Ledger, queries: Queries, fix: Fix, recordedBy: string): Promise<void> {
  await queries.query(
    `insert into ${at}.fixes (id, group_id, fixed_at, called, recorded_by) values ($1, $2, to_timestamp($3::float8 / 1000), $4, $5)`,
    [uuidOf(fix.id), uuidOf(fix.groupId), fix.fixedAt, fix.called, recordedBy],
  );
}

/** False: there is none of that id that still stands. */
export async function retractFix(
  { at }: Ledger,
  queries: Queries,
  id: Uint8Array,
  retractedBy: string,
): Promise<boolean> {
  const { count } = await queries.query(
    `update ${at}.fixes set retracted_at = ${at}.clock(), retracted_by = $2 where id = $1 and retracted_at is null`,
    [uuidOf(id), retractedBy],
  );
  return count > 0;
}

/** The latest fix of each of these groups, by the group's id in hexadecimal digits. */
export async function latestFixes(
  { database, at }: Ledger,
  groups: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Fix>> {
  const { rows } = await database.query<{ id: string; group_id: string; fixed_at: number; called: string }>(
    `select distinct on (group_id) id, group_id, (extract(epoch from fixed_at) * 1000)::float8 as fixed_at, called
     from ${at}.fixes where group_id = any ($1::uuid[]) and retracted_at is null order by group_id, fixed_at desc`,
    [groups.map(uuidOf)],
  );
  return new Map(
    rows.map(({ id, group_id: group, fixed_at: fixedAt, called }) => {
      const groupId = idOfUuid(group);
      return [hexOf(groupId), { id: idOfUuid(id), groupId, fixedAt, called }];
    }),
  );
}
