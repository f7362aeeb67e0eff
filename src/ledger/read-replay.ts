import type { Role } from "../domain/actor.ts";
import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { idOfUuid, showId, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { HaltCause, ReplayApproval, ReplayLimits, ReplayRecord, ReplayState } from "./replay-record.ts";

interface ReplayRow {
  readonly id: string;
  readonly state: ReplayState;
  readonly name: string;
  readonly query: string;
  readonly requested_by: string;
  readonly reason: string | null;
  readonly frozen_at: number;
  readonly expires_at: number;
  readonly policy_hash: string;
  readonly plan_hash: string;
  readonly limits: string;
  readonly tightened: string | null;
  readonly redirect: string | null;
  readonly approvals_needed: number;
  readonly approver_roles: readonly Role[];
  readonly step_end: number;
  readonly settles_at: number | null;
  readonly halted_by: string | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

const columns = `id, state, name, query, requested_by, reason, ${ms("frozen_at")}, ${ms("expires_at")},
  encode(policy_hash, 'hex') as policy_hash, encode(plan_hash, 'hex') as plan_hash, limits, tightened, redirect,
  approvals_needed, approver_roles, step_end, ${ms("settles_at")}, halted_by, ${ms("started_at")}, ${ms("ended_at")}`;

/** A moment as milliseconds since 1970, which every driver reads alike. */
function ms(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8 as ${column}`;
}

/** Refuses an id nobody has. `forUpdate` holds it until the end of the transaction. */
export async function readReplay(
  { at }: Ledger,
  queries: Queries,
  { id, forUpdate = false }: { readonly id: Uint8Array; readonly forUpdate?: boolean },
): Promise<ReplayRecord> {
  const lock = forUpdate ? "for no key update" : "";
  const { rows } = await queries.query<ReplayRow>(`select ${columns} from ${at}.replays where id = $1 ${lock}`, [
    uuidOf(id),
  ]);
  const row = rows[0];
  if (row !== undefined) return recordOf(row);
  throw new OfficeError(
    "REPLAY_NOT_FOUND",
    `There is no replay ${showId("replay", id)}. \`dlo replays\` lists those there are.`,
  );
}

export async function readApprovals(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly ReplayApproval[]> {
  const { rows } = await queries.query<Omit<ReplayApproval, "brokeGlass"> & { broke_glass: boolean }>(
    `select actor, ${ms("at")}, encode(hash, 'hex') as hash, verdict, reason, broke_glass
     from ${at}.replay_approvals where replay_id = $1 order by at`,
    [uuidOf(replay)],
  );
  return rows.map(({ broke_glass: brokeGlass, ...approval }) => ({ ...approval, brokeGlass }));
}

function recordOf(row: ReplayRow): ReplayRecord {
  const planned = JSON.parse(row.limits) as ReplayLimits;
  const tightened = row.tightened === null ? {} : (JSON.parse(row.tightened) as Partial<ReplayLimits>);
  return {
    id: idOfUuid(row.id),
    state: row.state,
    name: row.name,
    query: row.query,
    requestedBy: row.requested_by,
    reason: row.reason,
    frozenAt: row.frozen_at,
    expiresAt: row.expires_at,
    policyHash: row.policy_hash,
    planHash: row.plan_hash,
    limits: { ...planned, ...tightened },
    redirect: row.redirect,
    approvalsNeeded: row.approvals_needed,
    approverRoles: row.approver_roles,
    stepEnd: row.step_end,
    settlesAt: row.settles_at,
    haltedBy: row.halted_by === null ? null : (JSON.parse(row.halted_by) as HaltCause),
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}
