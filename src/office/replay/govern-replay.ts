import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { acknowledgeItems, addApproval, noteReason, noteStart } from "../../ledger/govern-replay.ts";
import { readApprovals, readReplay } from "../../ledger/read-replay.ts";
import { acknowledgedNumbers, countStandings } from "../../ledger/replay-items.ts";
import { moveReplay, releaseItems } from "../../ledger/replay-moves.ts";
import type { ReplayRecord, ReplayState } from "../../ledger/replay-record.ts";
import { approvalFacts } from "./approvals.ts";
import { approvalHash } from "./plan-hash.ts";
import { countItems } from "./replay-counts.ts";
import type { ReplayParts } from "./replay-parts.ts";

type Parts = Pick<ReplayParts, "ledger" | "host">;

export interface Said {
  readonly replay: Uint8Array;
  /** In the person's own words; kept in the audit log. */
  readonly reason: string;
}

/** Answers for the risks of these items, which are then sent with the others. Only before anybody is asked to approve. */
export async function acknowledge(
  parts: Parts,
  actor: Actor,
  { replay, reason, numbers }: Said & { readonly numbers: readonly number[] },
): Promise<void> {
  requireReason(reason, "acknowledging");
  return change(
    parts,
    actor,
    { replay, action: "replay.acknowledged", details: { numbers, reason } },
    async (queries, record) => {
      requireState(record, ["planned"], "acknowledge");
      await acknowledgeItems(parts.ledger, queries, { replay, numbers, by: actor.id });
    },
  );
}

/** Asks for the approvals the plan needs; one that needs none is approved by that. */
export async function ask(parts: Parts, actor: Actor, { replay, reason }: Said): Promise<void> {
  requireReason(reason, "a replay");
  return change(parts, actor, { replay, action: "replay.asked", details: { reason } }, async (queries, record) => {
    requireState(record, ["planned"], "ask for");
    await noteReason(parts.ledger, queries, { replay, reason });
    const to = record.approvalsNeeded === 0 ? "approved" : "awaiting_approval";
    await moveReplay(parts.ledger, queries, { id: replay, from: ["planned"], to });
  });
}

export interface Verdict extends Said {
  /** The approval hash that the person saw: approving anything else is refused. */
  readonly hash: string;
}

/** Says yes to exactly what was seen. Four eyes: never by whoever asked. */
export async function approve(parts: Parts, actor: Actor, { replay, reason, hash }: Verdict): Promise<void> {
  return change(
    parts,
    actor,
    { replay, action: "replay.approved", details: { reason, hash } },
    async (queries, record) => {
      requireState(record, ["awaiting_approval", "approved"], "approve");
      requireApprover(actor, record);
      requireSame(await hashOf(parts, queries, record), hash);
      await addApproval(parts.ledger, queries, {
        replay,
        actor: actor.id,
        hash,
        verdict: "approved",
        reason,
        brokeGlass: false,
      });
      const facts = approvalFacts(record, await readApprovals(parts.ledger, queries, replay), {
        hash,
        now: parts.host.clock.now(),
      });
      if (facts.kind !== "given") return;
      await moveReplay(parts.ledger, queries, { id: replay, from: ["awaiting_approval"], to: "approved" });
    },
  );
}

export async function reject(parts: Parts, actor: Actor, { replay, reason }: Said): Promise<void> {
  requireReason(reason, "rejecting");
  return change(parts, actor, { replay, action: "replay.rejected", details: { reason } }, async (queries, record) => {
    requireState(record, ["awaiting_approval", "approved"], "reject");
    requireApprover(actor, record);
    const hash = await hashOf(parts, queries, record);
    await addApproval(parts.ledger, queries, {
      replay,
      actor: actor.id,
      hash,
      verdict: "rejected",
      reason,
      brokeGlass: false,
    });
    await moveReplay(parts.ledger, queries, { id: replay, from: ["awaiting_approval", "approved"], to: "rejected" });
  });
}

/** Lets it run, if it holds exactly as many letters as whoever starts it believes. */
export async function start(
  parts: Parts,
  actor: Actor,
  { replay, expectCount }: { readonly replay: Uint8Array; readonly expectCount: number },
): Promise<void> {
  return change(
    parts,
    actor,
    { replay, action: "replay.started", details: { expectCount } },
    async (queries, record) => {
      requireState(record, ["approved"], "start");
      const { toSend } = countItems(await countStandings(parts.ledger, queries, replay));
      if (toSend !== expectCount) {
        const text = `This replay would send ${toSend} letters, not ${expectCount}. Look at it again and give that number.`;
        throw new OfficeError("PLAN_CHANGED", text, { details: { toSend, expectCount } });
      }
      const hash = await hashOf(parts, queries, record);
      const approvals = await readApprovals(parts.ledger, queries, replay);
      requireApproved(record, approvalFacts(record, approvals, { hash, now: parts.host.clock.now() }).kind);
      await noteStart(parts.ledger, queries, { replay, by: actor.id });
      await moveReplay(parts.ledger, queries, { id: replay, from: ["approved"], to: "running" });
    },
  );
}

/** Sends nothing more until it is resumed; what is under way is finished. */
export async function pauseReplay(parts: Parts, actor: Actor, { replay, reason }: Said): Promise<void> {
  return change(parts, actor, { replay, action: "replay.paused", details: { reason } }, async (queries, record) => {
    requireState(record, ["running", "settling"], "pause");
    await moveReplay(parts.ledger, queries, { id: replay, from: ["running", "settling"], to: "paused" });
  });
}

/** Goes on after a pause or a halt. After a halt, or where outcomes are not known, that is a person's word for it. */
export async function resume(parts: Parts, actor: Actor, { replay, reason }: Said): Promise<void> {
  requireReason(reason, "resuming");
  return change(parts, actor, { replay, action: "replay.resumed", details: { reason } }, async (queries, record) => {
    requireState(record, ["paused", "halted"], "resume");
    await moveReplay(parts.ledger, queries, { id: replay, from: ["paused", "halted"], to: "running" });
  });
}

/** Ends it where it is. What was sent cannot be recalled; the rest goes free. */
export async function cancel(parts: Parts, actor: Actor, { replay, reason }: Said): Promise<void> {
  const open = ["planned", "awaiting_approval", "approved", "running", "paused", "settling", "halted"] as const;
  return change(parts, actor, { replay, action: "replay.cancelled", details: { reason } }, async (queries, record) => {
    requireState(record, open, "cancel");
    await moveReplay(parts.ledger, queries, { id: replay, from: open, to: "cancelled" });
    await releaseItems(parts.ledger, queries, replay);
  });
}

interface Change {
  readonly replay: Uint8Array;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One transaction: the replay is held, changed, and the audit log told last. */
async function change(
  { ledger, host }: Parts,
  actor: Actor,
  { replay, action, details }: Change,
  make: (queries: Queries, record: ReplayRecord) => Promise<void>,
): Promise<void> {
  await ledger.database.transaction(async (transaction) => {
    const record = await readReplay(ledger, transaction, { id: replay, forUpdate: true });
    await make(transaction, record);
    const told = { replay: showId("replay", replay), ...details };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details: told });
  });
}

async function hashOf({ ledger }: Parts, queries: Queries, { id, planHash }: ReplayRecord): Promise<string> {
  return approvalHash(planHash, await acknowledgedNumbers(ledger, queries, id));
}

function requireState({ id, state }: ReplayRecord, allowed: readonly ReplayState[], verb: string): void {
  if (allowed.includes(state)) return;
  const text = `${showId("replay", id)} is ${state.replace("_", " ")}: only one that is ${allowed.join(" or ").replace("_", " ")} can be ${pastOf(verb)}.`;
  throw new OfficeError("REPLAY_NOT_READY", text, { details: { state, allowed } });
}

const pasts: Readonly<Record<string, string>> = {
  ...{ acknowledge: "acknowledged", "ask for": "asked for", approve: "approved", reject: "rejected", start: "started" },
  ...{ pause: "paused", resume: "resumed", cancel: "cancelled" },
};

function pastOf(verb: string): string {
  return pasts[verb] ?? verb;
}

function requireReason(reason: string, what: string): void {
  if (reason.trim() !== "") return;
  throw new OfficeError("INVALID_OPTION", `Say why: \`reason\` is kept with ${what} for whoever looks later.`);
}

function requireApprover(actor: Actor, { requestedBy, approverRoles }: ReplayRecord): void {
  const refuse = (text: string) => new OfficeError("APPROVAL_REFUSED", text, { details: { actor: actor.id } });
  if (actor.kind !== "human") throw refuse("Only people approve: an agent may plan and ask.");
  if (actor.id === requestedBy)
    throw refuse("Whoever asks does not approve: four eyes are two people. Ask somebody else.");
  const mayApprove = actor.roles.some((role) => approverRoles.includes(role));
  if (!mayApprove) throw refuse(`Approving this takes one of the roles ${approverRoles.join(", ")}.`);
}

function requireSame(hash: string, seen: string): void {
  if (hash === seen) return;
  const text = "The plan is not the one you saw: something was acknowledged since. Open it again and approve that.";
  throw new OfficeError("PLAN_CHANGED", text, { details: { hash, seen } });
}

function requireApproved({ expiresAt }: ReplayRecord, kind: ReturnType<typeof approvalFacts>["kind"]): void {
  if (kind === "given" || kind === "not_needed") return;
  const text =
    kind === "expired"
      ? `The plan expired at ${new Date(expiresAt).toISOString()}. Plan it again.`
      : "It has not the approvals it needs any more. Ask for them.";
  throw new OfficeError("APPROVAL_REFUSED", text);
}
