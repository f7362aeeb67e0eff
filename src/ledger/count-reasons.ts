import type { Queries } from "../domain/database.ts";
import { uuidOf } from "../domain/ids.ts";
import type { ItemDetails } from "./insert-replay.ts";
import type { Ledger } from "./ledger.ts";
import type { ReplayItem } from "./replay-items.ts";

/** How many items of a plan were decided alike, with the words of the first of them; those that go apart by their words. */
export interface ReasonCount extends Pick<ReplayItem, "decision" | "reason" | "mark" | "markReason" | "details"> {
  readonly isAcknowledged: boolean;
  readonly n: number;
  /** How many messages were parked behind all of them. */
  readonly behind: number;
}

/** Those that concern most items first. */
export async function countReasons(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly ReasonCount[]> {
  interface Row extends Omit<ReasonCount, "details" | "markReason" | "isAcknowledged" | "behind"> {
    readonly behind: string;
    readonly mark_reason: string | null;
    readonly is_acknowledged: boolean;
    readonly details: string;
  }
  const { rows } = await queries.query<Row>(
    `select r.decision, r.reason, r.mark, r.mark_reason, r.is_acknowledged, r.n, r.behind, i.details
     from (
       select decision, reason, mark, mark_reason, acknowledged_at is not null as is_acknowledged,
         count(*)::integer as n, min(n) as first,
         coalesce(sum((details::json ->> 'behind')::bigint) filter (where details like '%"behind":%'), 0) as behind
       from ${at}.replay_items where replay_id = $1
       group by 1, 2, 3, 4, 5, case
         when decision = 'replay' then regexp_replace(details, ',"behind":[0-9]+}$', '}')
       end
     ) r
     join ${at}.replay_items i on i.replay_id = $1 and i.n = r.first
     order by r.n desc, r.reason`,
    [uuidOf(replay)],
  );
  return rows.map(({ details, mark_reason: markReason, is_acknowledged: isAcknowledged, behind, ...row }) => ({
    ...{ ...row, behind: Number(behind) },
    ...{ markReason, isAcknowledged, details: JSON.parse(details) as ItemDetails },
  }));
}

/** As what the letters of a replay came back, those most often first. */
export async function countReturns(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly { readonly was: string; readonly became: string; readonly n: number }[]> {
  const { rows } = await queries.query<{ was: string; became: string; n: number }>(
    `select l.was, l.category as became, count(*)::integer as n
     from ${at}.replay_items i join ${at}.letters l on l.id = i.letter_id
     where i.replay_id = $1 and i.progress = 'returned' group by 1, 2 order by 3 desc, 1, 2`,
    [uuidOf(replay)],
  );
  return rows;
}

/** How many letters of a replay go where, those with most first; together they are all that it sends. */
export async function countDestinations(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly { readonly source: string; readonly queue: string; readonly n: number }[]> {
  const { rows } = await queries.query<{ source: string; queue: string; n: number }>(
    `select source, coalesce(destination, '') as queue, count(*)::integer as n from ${at}.replay_items
     where replay_id = $1 and mark is null and (decision = 'replay' or acknowledged_at is not null)
     group by 1, 2 order by 3 desc, 1, 2`,
    [uuidOf(replay)],
  );
  return rows;
}
