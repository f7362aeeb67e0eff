import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showCount } from "../../domain/show-count.ts";
import { acceptOutcomes, noteStart } from "../../ledger/govern-replay.ts";
import { countStandings } from "../../ledger/replay-items.ts";
import { moveReplay, releaseItems } from "../../ledger/replay-moves.ts";
import type { ReplayRecord } from "../../ledger/replay-record.ts";
import { approvalFacts } from "./approvals.ts";
import { standingApprovals } from "./approvers.ts";
import {
  approvalHashOf,
  changeReplay,
  type GoverningParts,
  requireReason,
  requireState,
  type Said,
} from "./change-replay.ts";
import { takeOfDay } from "./exemption.ts";
import { countItems } from "./replay-counts.ts";
import { requireSomethingToSend } from "./require-something.ts";
import { requireSending } from "./stop-sending.ts";

export interface StartRequest {
  readonly replay: Uint8Array;
  /** How many letters it would send, as far as whoever starts it knows. */
  readonly expectCount: number;
  /** Fewer will do: some were taken out or resolved elsewhere. @default false */
  readonly allowFewer?: boolean;
}

/** Lets it run, if it holds exactly as many letters as whoever starts it believes. */
export async function start(parts: GoverningParts, actor: Actor, request: StartRequest): Promise<void> {
  const { replay, expectCount, allowFewer = false } = request;
  const told = { replay, action: "replay.started", details: { expectCount } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    requireState(record, ["approved"], "started");
    await requireSending(parts.ledger, queries);
    const { toSend } = await requireSomethingToSend(parts.ledger, queries, replay);
    requireCount(toSend, expectCount, allowFewer);
    await requireApproved(parts, queries, record);
    await takeOfDay(parts.ledger, queries, record, actor);
    await noteStart(parts.ledger, queries, { replay, by: actor.id });
    await moveReplay(parts.ledger, queries, { id: replay, from: ["approved"], to: "running" });
  });
}

/** Sends nothing more until it is resumed; what is under way is finished. */
export async function pauseReplay(parts: GoverningParts, actor: Actor, { replay, reason }: Said): Promise<void> {
  const told = { replay, action: "replay.paused", details: { reason } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    requireState(record, ["running", "settling"], "paused");
    await moveReplay(parts.ledger, queries, { id: replay, from: ["running", "settling"], to: "paused" });
  });
}

/** Goes on after a pause or a halt: what came back or is not known by now is this person's word for it. */
export async function resume(parts: GoverningParts, actor: Actor, { replay, reason }: Said): Promise<void> {
  requireReason(reason, "resuming");
  const told = { replay, action: "replay.resumed", details: { reason } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    requireState(record, ["paused", "halted"], "resumed");
    await requireSending(parts.ledger, queries);
    await requireApproved(parts, queries, record);
    const { sent, returned, unknown } = countItems(await countStandings(parts.ledger, queries, replay));
    await acceptOutcomes(parts.ledger, queries, replay, { sent, returned, unknown });
    await moveReplay(parts.ledger, queries, { id: replay, from: ["paused", "halted"], to: "running" });
  });
}

/** Ends it where it is. What was sent cannot be recalled; the rest goes free. */
export async function cancel(parts: GoverningParts, actor: Actor, { replay, reason }: Said): Promise<void> {
  const open = ["planned", "awaiting_approval", "approved", "running", "paused", "settling", "halted"] as const;
  const told = { replay, action: "replay.cancelled", details: { reason } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    requireState(record, open, "cancelled");
    await moveReplay(parts.ledger, queries, { id: replay, from: open, to: "cancelled" });
    await releaseItems(parts.ledger, queries, replay);
  });
}

function requireCount(toSend: number, expected: number, allowFewer: boolean): void {
  if (toSend === expected || (allowFewer && toSend < expected)) return;
  const text = `This replay would send ${showCount(toSend, "letter")}, not ${expected}. Look at it again and give that number.`;
  throw new OfficeError("PLAN_CHANGED", text, { details: { toSend, expectCount: expected } });
}

async function requireApproved(parts: GoverningParts, queries: Queries, record: ReplayRecord): Promise<void> {
  const hash = await approvalHashOf(parts, queries, record);
  const approvals = await standingApprovals(parts, queries, record);
  const { kind } = approvalFacts(record, approvals, { hash, now: parts.host.clock.now() });
  if (kind === "given" || kind === "not_needed") return;
  const text =
    kind === "expired"
      ? `The plan expired at ${new Date(record.expiresAt).toISOString()}. Plan it again.`
      : "It has not the approvals it needs any more. Ask for them.";
  throw new OfficeError("APPROVAL_REFUSED", text);
}
