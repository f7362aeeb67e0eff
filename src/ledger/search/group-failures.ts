import type { Ledger } from "../ledger.ts";
import { Parameters } from "./parameters.ts";
import { withinScope } from "./within-scope.ts";

/** When a letter failed before it came here, in milliseconds since 1970. */
export interface FailureSpan {
  readonly firstAt: number;
  readonly lastAt: number;
}

/**
 * Of the latest letters of these groups, which are UUIDs, those that say when they failed. What failed again after a replay says only
 * when it failed first: its last failure was another day's.
 */
export async function failureSpans(
  ledger: Ledger,
  groups: readonly string[],
  atMost: number,
): Promise<readonly FailureSpan[]> {
  const parameters = new Parameters();
  const [ids, most] = [parameters.add(groups), parameters.add(atMost)];
  const { rows } = await ledger.database.query<{ first_at: Date; last_at: Date }>(
    `select coalesce(l.first_failed_at, l.failed_at) as first_at,
       case when l.replays > 0 then l.first_failed_at else l.failed_at end as last_at
     from (
       select l.* from unnest(${ids}::uuid[]) as g (id) cross join lateral (
         select l.id, l.source, l.queue, l.first_failed_at, l.failed_at, l.failed_at_by, l.replays from ${ledger.at}.letters l
         where l.group_id = g.id order by l.id desc limit ${most}
       ) l order by l.id desc limit ${most}
     ) l
     where (l.first_failed_at is not null or (l.replays = 0 and l.failed_at_by <> 'arrival'))
       and ${withinScope(ledger, parameters, "l")}`,
    parameters.values,
  );
  return rows.map(({ first_at: first, last_at: last }) => ({ firstAt: first.getTime(), lastAt: last.getTime() }));
}
