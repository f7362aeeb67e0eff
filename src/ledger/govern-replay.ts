import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { uuidOf } from "../domain/ids.ts";
import { showCount } from "../domain/show-count.ts";
import type { Ledger } from "./ledger.ts";
import type { AcceptedOutcomes, ReplayApproval } from "./replay-record.ts";

/** Refuses numbers that are not of an item whose risk waits for somebody's word: all of them, or none. */
export async function acknowledgeItems(
  { at }: Ledger,
  queries: Queries,
  { replay, numbers, by }: { readonly replay: Uint8Array; readonly numbers: readonly number[]; readonly by: string },
): Promise<void> {
  const wanted = [...new Set(numbers)];
  const { count } = await queries.query(
    `update ${at}.replay_items set acknowledged_by = $3, acknowledged_at = ${at}.clock()
     where replay_id = $1 and n = any ($2::integer[]) and decision = 'ack_required' and mark is null`,
    [uuidOf(replay), wanted, by],
  );
  if (count === wanted.length) return;
  const text = `Of ${showCount(wanted.length, "item")} only ${count} ${count === 1 ? "waits" : "wait"} for somebody's word. Name those that do; nothing was changed.`;
  throw new OfficeError("INVALID_OPTION", text, { details: { numbers: wanted } });
}

export async function addApproval(
  { at }: Ledger,
  queries: Queries,
  {
    replay,
    actor,
    hash,
    verdict,
    reason,
    brokeGlass,
  }: Omit<ReplayApproval, "at" | "isInvolved"> & {
    readonly replay: Uint8Array;
  },
): Promise<void> {
  await queries.query(
    `insert into ${at}.replay_approvals (replay_id, actor, hash, verdict, reason, broke_glass)
     values ($1, $2, decode($3, 'hex'), $4, $5, $6)`,
    [uuidOf(replay), actor, hash, verdict, reason, brokeGlass],
  );
}

/** Takes items out before they are sent; gives how many there were to take. */
export async function excludeItems(
  { at }: Ledger,
  queries: Queries,
  { replay, numbers, by }: { readonly replay: Uint8Array; readonly numbers: readonly number[]; readonly by: string },
): Promise<number> {
  const { count } = await queries.query(
    `update ${at}.replay_items set mark = 'excluded', mark_reason = $3
     where replay_id = $1 and n = any ($2::integer[]) and mark is null and progress = 'not_yet_sent' and decision <> 'skip'`,
    [uuidOf(replay), numbers, by],
  );
  return count;
}

/** A replay goes on although somebody saw these outcomes. */
export async function acceptOutcomes(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
  accepted: AcceptedOutcomes,
): Promise<void> {
  await queries.query(
    `update ${at}.replays set accepted = $2, halted_by = null, waiting_since = null, waiting_for = null where id = $1`,
    [uuidOf(replay), JSON.stringify(accepted)],
  );
}

/** Plans whose time is over, before they were started. */
export async function expireReplays({ database, at }: Ledger): Promise<void> {
  await database.query(
    `update ${at}.replays set state = 'expired', ended_at = ${at}.clock()
     where state in ('planned', 'awaiting_approval', 'approved') and expires_at <= ${at}.clock()`,
    [],
  );
}

export async function noteReason(
  { at }: Ledger,
  queries: Queries,
  { replay, reason }: { readonly replay: Uint8Array; readonly reason: string },
): Promise<void> {
  await queries.query(`update ${at}.replays set reason = $2 where id = $1`, [uuidOf(replay), reason]);
}

export async function noteStart(
  { at }: Ledger,
  queries: Queries,
  { replay, by }: { readonly replay: Uint8Array; readonly by: string },
): Promise<void> {
  await queries.query(`update ${at}.replays set started_by = $2, started_at = ${at}.clock() where id = $1`, [
    uuidOf(replay),
    by,
  ]);
}
