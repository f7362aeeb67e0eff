import type { Queries } from "../domain/database.ts";
import { uuidOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";
import type { ReplayRecord } from "./replay-record.ts";

/** One letter of a plan, as it is frozen. */
export interface NewItem {
  /** Counts from 1. */
  readonly n: number;
  readonly letterId: Uint8Array;
  readonly payloadSha256: Uint8Array | null;
  /** 0 is the original. */
  readonly revision: number;
  readonly source: string;
  readonly destination: string | null;
  readonly via: { readonly exchange: string; readonly routingKey: string } | null;
  readonly strip: readonly string[];
  readonly decision: "replay" | "ack_required" | "skip";
  readonly reason: string;
  readonly details: ItemDetails;
}

/** What the reason says, as it was when the plan was made. */
export interface ItemDetails {
  readonly sentence: string;
  readonly change: string;
  /** What is said besides of all that are alike. */
  readonly note?: string;
  /** Codes of further risks, which a person answers for together with its reason. @default none */
  readonly risks?: readonly string[];
  /** Why a duplicate would not be recognized, where that is said besides its reason. @default it is its reason, or it would */
  readonly told?: string;
  /** How many messages of its key were parked behind it. @default 0 */
  readonly behind?: number;
}

export type NewReplay = Omit<
  ReplayRecord,
  | ("state" | "reason" | "frozenAt" | "stepEnd" | "settlesAt")
  | ("accepted" | "haltedBy" | "waitsFor" | "startedBy" | "startedAt" | "endedAt" | "isExemptionOver")
>;

/** Writes a plan down. From here on nothing of it changes. */
export async function insertReplay({ at }: Ledger, queries: Queries, replay: NewReplay): Promise<void> {
  await queries.query(
    `insert into ${at}.replays (id, state, name, query, requested_by, expires_at, policy_hash, plan_hash, limits, redirect,
       approvals_needed, approver_roles, patch, auto_place, exemption)
     values ($1, 'planned', $2, $3, $4, to_timestamp($5::float8 / 1000), decode($6, 'hex'), decode($7, 'hex'), $8, $9, $10, $11, $12, $13, $14)`,
    [
      ...[uuidOf(replay.id), replay.name, replay.query, replay.requestedBy, replay.expiresAt],
      ...[replay.policyHash, replay.planHash, JSON.stringify(replay.limits), replay.redirect],
      ...[replay.approvalsNeeded, replay.approverRoles, replay.patch, replay.autoPlace],
      replay.exemption === null ? null : JSON.stringify(replay.exemption),
    ],
  );
}

export async function insertItems(
  { at }: Ledger,
  queries: Queries,
  replay: Uint8Array,
  items: readonly NewItem[],
): Promise<void> {
  await queries.query(
    `with sent as (
       select distinct l.group_id from unnest($3::uuid[], $10::text[]) as i (letter_id, decision)
       join ${at}.letters l on l.id = i.letter_id where i.decision <> 'skip'
     ), noted as (
       insert into ${at}.replay_groups (replay_id, group_id) select $1::uuid, group_id from sent on conflict do nothing
     )
     insert into ${at}.replay_items (replay_id, n, letter_id, payload_sha256, revision, source, destination, via, strip,
       decision, reason, details)
     select $1::uuid, i.n, i.letter_id, i.sha256, i.revision, i.source, i.destination, i.via,
       array(select jsonb_array_elements_text(i.strip::jsonb)), i.decision, i.reason, i.details
     from unnest($2::integer[], $3::uuid[], $4::bytea[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::text[],
       $10::text[], $11::text[], $12::text[])
       as i (n, letter_id, sha256, revision, source, destination, via, strip, decision, reason, details)`,
    [
      uuidOf(replay),
      items.map(({ n }) => n),
      items.map(({ letterId }) => uuidOf(letterId)),
      items.map(({ payloadSha256 }) => (payloadSha256 === null ? null : Buffer.from(payloadSha256))),
      items.map(({ revision }) => revision),
      items.map(({ source }) => source),
      items.map(({ destination }) => destination),
      items.map(({ via }) => (via === null ? null : JSON.stringify(via))),
      items.map(({ strip }) => JSON.stringify(strip)),
      items.map(({ decision }) => decision),
      items.map(({ reason }) => reason),
      items.map(({ details }) => JSON.stringify(details)),
    ],
  );
}
