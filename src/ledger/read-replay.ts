import type { Role, Scope } from "../domain/actor.ts";
import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { idOfUuid, showId, uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import {
  type AcceptedOutcomes,
  type BrokerWait,
  type Exemption,
  type HaltCause,
  type ReplayApproval,
  type ReplayLimits,
  type ReplayRecord,
  type ReplayState,
  replayStates,
} from "./replay-record.ts";
import { Parameters } from "./search/parameters.ts";
import { nameWithinScope, withinScope } from "./search/within-scope.ts";

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
  readonly patch: string | null;
  readonly auto_place: string | null;
  readonly approvals_needed: number;
  readonly approver_roles: readonly Role[];
  readonly exemption: string | null;
  readonly exemption_over: boolean;
  readonly step_end: number;
  readonly settles_at: number | null;
  readonly accepted: string | null;
  readonly halted_by: string | null;
  readonly waiting_since: number | null;
  readonly waiting_for: string | null;
  readonly started_by: string | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

/** Whoever was called otherwise then has the name they have now. */
const columnsOf = (at: string) => `id, state, name, query, ${at}.named_then(requested_by, frozen_at) as requested_by,
  reason, ${ms("frozen_at")}, ${ms("expires_at")},
  encode(policy_hash, 'hex') as policy_hash, encode(plan_hash, 'hex') as plan_hash, limits, tightened, redirect, patch, auto_place,
  approvals_needed, approver_roles, exemption, exemption_over, step_end, ${ms("settles_at")}, accepted, halted_by,
  ${ms("waiting_since")}, waiting_for, ${at}.named_then(started_by, started_at) as started_by,
  ${ms("started_at")}, ${ms("ended_at")}`;

/** A moment as milliseconds since 1970, which every driver reads alike. */
function ms(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8 as ${column}`;
}

/** Refuses an id nobody has. `forUpdate` holds it until the end of the transaction. */
export async function readReplay(
  ledger: Ledger,
  queries: Queries,
  { id, forUpdate = false }: { readonly id: Uint8Array; readonly forUpdate?: boolean },
): Promise<ReplayRecord> {
  const parameters = new Parameters();
  const { rows } = await queries.query<ReplayRow>(
    `select ${columnsOf(ledger.at)} from ${ledger.at}.replays r
     where id = ${parameters.add(uuidOf(id))} and ${isReplaySeen(ledger, parameters)} ${forUpdate ? "for no key update" : ""}`,
    parameters.values,
  );
  const row = rows[0];
  if (row !== undefined) return recordOf(row);
  throw new OfficeError(
    "REPLAY_NOT_FOUND",
    `There is no replay ${showId("replay", id)}. \`dlo replays\` lists those there are.`,
  );
}

export interface ReplayFilter {
  /** @default all */
  readonly states?: readonly ReplayState[];
  /** Only those that ended at that moment or later, in milliseconds since 1970. @default whenever they did, if at all */
  readonly endedSince?: number | null;
  readonly limit: number;
  /** The last one of the page before. @default from the newest */
  readonly after?: Uint8Array | null;
}

/** Newest first. */
export async function listReplays(
  ledger: Ledger,
  { states = replayStates, endedSince = null, limit, after = null }: ReplayFilter,
): Promise<readonly ReplayRecord[]> {
  const parameters = new Parameters();
  const last = parameters.add(after === null ? null : uuidOf(after));
  const since = parameters.add(endedSince === null ? null : new Date(endedSince).toISOString());
  const { rows } = await ledger.database.query<ReplayRow>(
    `select ${columnsOf(ledger.at)} from ${ledger.at}.replays r
     where state = any (${parameters.add(states)}::text[]) and (${last}::uuid is null or id < ${last}::uuid)
       and (${since}::timestamptz is null or ended_at >= ${since}::timestamptz)
       and ${isReplaySeen(ledger, parameters)} order by id desc limit ${parameters.add(limit)}`,
    parameters.values,
  );
  return rows.map(recordOf);
}

/** How many there are in each state. */
export async function countReplays(
  ledger: Ledger,
): Promise<readonly { readonly state: ReplayState; readonly n: number }[]> {
  const parameters = new Parameters();
  const { rows } = await ledger.database.query<{ state: ReplayState; n: string }>(
    `select state, count(*) as n from ${ledger.at}.replays r where ${isReplaySeen(ledger, parameters)} group by 1 order by 1`,
    parameters.values,
  );
  return rows.map(({ state, n }) => ({ state, n: Number(n) }));
}

/** All of it must be: each letter's queue, and each destination. What is partly somebody's is not theirs to see or to decide. */
export function isReplaySeen(ledger: Ledger, parameters: Parameters): string {
  if (ledger.scope.length === 0) return "true";
  const letter = withinScope(ledger, parameters, "l");
  const destination = nameWithinScope(ledger, parameters, "i.source || '/' || i.destination");
  return `not exists (
    select from ${ledger.at}.replay_items i left join ${ledger.at}.letters l on l.id = i.letter_id
    where i.replay_id = r.id and not (
      (l.id is null or ${letter}) and (i.destination is null or ${destination}) and (l.id is not null or i.destination is not null)
    )
  )`;
}

/** Whether all of it lies in these queues: each letter's, and each destination. */
export async function isReplayWithin(
  ledger: Ledger,
  queries: Queries,
  { replay, scope }: { readonly replay: Uint8Array; readonly scope: Scope },
): Promise<boolean> {
  const parameters = new Parameters();
  const { count } = await queries.query(
    `select from ${ledger.at}.replays r where id = ${parameters.add(uuidOf(replay))}
       and ${isReplaySeen({ ...ledger, scope }, parameters)}`,
    parameters.values,
  );
  return count > 0;
}

export async function readApprovals(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
): Promise<readonly ReplayApproval[]> {
  const { rows } = await queries.query<ApprovalRow>(
    `select actor, ${ms("at")}, hash, verdict, reason, broke_glass, ${at}.is_involved(replay_id, actor) as is_involved
     from (
       select replay_id, ${at}.named_then(actor, at) as actor, at, encode(hash, 'hex') as hash, verdict, reason, broke_glass
       from ${at}.replay_approvals where replay_id = $1
     ) a order by at`,
    [uuidOf(replay)],
  );
  return rows.map(({ broke_glass: brokeGlass, is_involved: isInvolved, ...approval }) => ({
    ...{ ...approval, brokeGlass, isInvolved },
  }));
}

interface ApprovalRow extends Omit<ReplayApproval, "brokeGlass" | "isInvolved"> {
  readonly broke_glass: boolean;
  readonly is_involved: boolean;
}

/** Whether somebody has a hand in it: asked for it, edited one of its letters, said what one is, answered for a risk. */
export async function isInvolved(
  { at }: Ledger,
  queries: Queries,
  { replay, actor }: { readonly replay: Uint8Array; readonly actor: string },
): Promise<boolean> {
  const { rows } = await queries.query<{ involved: boolean }>(`select ${at}.is_involved($1, $2) as involved`, [
    uuidOf(replay),
    actor,
  ]);
  return rows[0]?.involved ?? false;
}

const nothingAccepted: AcceptedOutcomes = { sent: 0, returned: 0, unknown: 0 };

/** What it waited for when it was paused or halted is no more than that. */
function waitOf({ state, waiting_since: since, waiting_for: why }: ReplayRow): BrokerWait | null {
  const isUnderWay = state === "running" || state === "settling";
  return isUnderWay && since !== null && why !== null ? { since, why } : null;
}

function recordOf(row: ReplayRow): ReplayRecord {
  const planned = JSON.parse(row.limits) as ReplayLimits;
  const exemption = row.exemption === null ? null : (JSON.parse(row.exemption) as Exemption);
  const over = row.exemption_over ? exemption : null;
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
    patch: row.patch,
    autoPlace: row.auto_place,
    approvalsNeeded: over?.needed ?? row.approvals_needed,
    approverRoles: over?.roles ?? row.approver_roles,
    exemption,
    isExemptionOver: row.exemption_over,
    stepEnd: row.step_end,
    settlesAt: row.settles_at,
    accepted: row.accepted === null ? nothingAccepted : (JSON.parse(row.accepted) as AcceptedOutcomes),
    haltedBy: row.halted_by === null ? null : (JSON.parse(row.halted_by) as HaltCause),
    waitsFor: waitOf(row),
    startedBy: row.started_by,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}
