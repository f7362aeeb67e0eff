import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showPart } from "../../domain/show-count.ts";
import { isDemo } from "../../ledger/demo-mark.ts";
import { acknowledgeItems, addApproval, excludeItems, noteReason } from "../../ledger/govern-replay.ts";
import { isInvolved, readApprovals } from "../../ledger/read-replay.ts";
import { acknowledgedRisks } from "../../ledger/replay-items.ts";
import { moveReplay } from "../../ledger/replay-moves.ts";
import type { ReplayApproval, ReplayRecord } from "../../ledger/replay-record.ts";
import { knownActor } from "../people/known-actor.ts";
import { approvalFacts } from "./approvals.ts";
import { holdsApproverRole, isAdminOf, standingApprovals } from "./approvers.ts";
import {
  approvalHashOf,
  changeReplay,
  type GoverningParts,
  requireReason,
  requireState,
  type Said,
} from "./change-replay.ts";
import { isExemptionOver } from "./exemption.ts";
import { requireSomethingToSend } from "./require-something.ts";

export interface Numbered extends Said {
  /** Of items in the plan. */
  readonly numbers: readonly number[];
}

/** Answers for the risks of these items, which are then sent with the others. Only before anybody is asked to approve. */
export async function acknowledge(parts: GoverningParts, actor: Actor, said: Numbered): Promise<void> {
  const { replay, reason, numbers } = said;
  requireReason(reason, "acknowledging");
  const told = { replay, action: "replay.acknowledged", details: { numbers, reason } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    requireState(record, ["planned"], "acknowledged");
    await acknowledgeItems(parts.ledger, queries, { replay, numbers, by: actor.id });
  });
}

/** Takes items out, which only ever shrinks what is sent: whoever approved it approved this too. */
export async function exclude(
  parts: GoverningParts,
  actor: Actor,
  { replay, reason, numbers }: Numbered,
): Promise<void> {
  const told = { replay, action: "replay.excluded", details: { numbers, reason } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    requireState(record, ["planned", "awaiting_approval", "approved", "paused", "halted"], "shortened");
    const taken = await excludeItems(parts.ledger, queries, { replay, numbers, by: actor.id });
    if (taken === new Set(numbers).size) return;
    const text = `Only ${showPart(taken, numbers.length, "item")} still to be sent. Name those that are; nothing was changed.`;
    throw new OfficeError("INVALID_OPTION", text);
  });
}

/**
 * Asks for the approvals the plan needs; one that needs none is approved by that. One that needed none is asked for again where its
 * person's day has not enough left.
 */
export async function ask(parts: GoverningParts, actor: Actor, { replay, reason }: Said): Promise<void> {
  requireReason(reason, "a replay");
  return changeReplay(
    parts,
    actor,
    { replay, action: "replay.asked", details: { reason } },
    async (queries, record) => {
      requireState(record, ["planned", ...(record.exemption === null ? [] : ["approved" as const])], "asked for");
      const isOver = await isExemptionOver(parts.ledger, queries, record, actor);
      if (!isOver) requireState(record, ["planned"], "asked for");
      await requireSomethingToSend(parts.ledger, queries, replay);
      await noteReason(parts.ledger, queries, { replay, reason });
      const to = record.approvalsNeeded === 0 && !isOver ? "approved" : "awaiting_approval";
      await moveReplay(parts.ledger, queries, { id: replay, from: ["planned", "approved"], to });
    },
  );
}

export interface Verdict extends Said {
  /** The approval hash that the person saw: approving anything else is refused. */
  readonly hash: string;
  /** Codes of the risks that were answered for, as the person saw them. @default not compared */
  readonly risks?: readonly string[];
}

/** Says yes to exactly what was seen. Four eyes: never by whoever asked. */
export async function approve(parts: GoverningParts, actor: Actor, verdict: Verdict): Promise<void> {
  const { replay, reason, hash, risks } = verdict;
  const told = { replay, action: "replay.approved", details: { reason, hash } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    // One that waits because somebody who had approved counts no more goes on by another's word.
    requireState(record, ["awaiting_approval", "approved", "paused", "halted"], "approved");
    await requireApprover(parts, queries, actor, record);
    await requireSomethingToSend(parts.ledger, queries, replay);
    requireSame(await approvalHashOf(parts, queries, record), hash);
    if (risks !== undefined) requireRisks(await acknowledgedRisks(parts.ledger, queries, replay), risks);
    await addApproval(parts.ledger, queries, wordOf(actor, { replay, hash, reason, verdict: "approved" }));
    await moveIfApproved(parts, queries, record, hash);
  });
}

/** Ends it before it begins. */
export async function reject(parts: GoverningParts, actor: Actor, { replay, reason }: Said): Promise<void> {
  requireReason(reason, "rejecting");
  const told = { replay, action: "replay.rejected", details: { reason } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    requireState(record, ["awaiting_approval", "approved"], "rejected");
    await requireApprover(parts, queries, actor, record);
    const hash = await approvalHashOf(parts, queries, record);
    await addApproval(parts.ledger, queries, wordOf(actor, { replay, hash, reason, verdict: "rejected" }));
    await moveReplay(parts.ledger, queries, { id: replay, from: ["awaiting_approval", "approved"], to: "rejected" });
  });
}

/** Takes one's own approval back. One that runs sends nothing more from its next window on. */
export async function revoke(parts: GoverningParts, actor: Actor, { replay, reason }: Said): Promise<void> {
  requireReason(reason, "revoking");
  const told = { replay, action: "replay.revoked", details: { reason } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    requireState(record, ["awaiting_approval", "approved", "running", "paused", "settling", "halted"], "revoked");
    const approvals = await readApprovals(parts.ledger, queries, replay);
    const own = approvals.filter((approval) => approval.actor === actor.id).at(-1);
    if (own?.verdict !== "approved") {
      throw new OfficeError("APPROVAL_REFUSED", "You have not approved this, so there is nothing to take back.");
    }
    await addApproval(parts.ledger, queries, wordOf(actor, { replay, hash: own.hash, reason, verdict: "revoked" }));
    const facts = await factsOf(parts, queries, record, own.hash);
    if (facts.kind === "given" || facts.kind === "not_needed") return;
    await moveReplay(parts.ledger, queries, { id: replay, from: ["approved"], to: "awaiting_approval" });
    await moveReplay(parts.ledger, queries, { id: replay, from: ["running", "settling"], to: "paused" });
  });
}

/**
 * An administrator stands in for the approvals that are missing, and for nothing else: what policy forbids stays forbidden.
 * It can never be taken off the replay again.
 */
export async function breakGlass(parts: GoverningParts, actor: Actor, { replay, reason }: Said): Promise<void> {
  requireReason(reason, "breaking the glass");
  const told = { replay, action: "replay.glass_broken", details: { reason, loud: true } };
  return changeReplay(parts, actor, told, async (queries, record) => {
    if (actor.kind !== "human" || !(await isAdminOf(parts.ledger, queries, actor, record))) {
      const text = "Only an administrator of all queues that it is about, in person, may break the glass.";
      throw new OfficeError("APPROVAL_REFUSED", text);
    }
    requireState(record, ["awaiting_approval"], "approved without its approvers");
    await requireSomethingToSend(parts.ledger, queries, replay);
    const hash = await approvalHashOf(parts, queries, record);
    const word = wordOf(actor, { replay, hash, reason, verdict: "approved" });
    await addApproval(parts.ledger, queries, { ...word, brokeGlass: true });
    await moveIfApproved(parts, queries, record, hash);
  });
}

type Word = Omit<ReplayApproval, "at" | "isInvolved"> & { readonly replay: Uint8Array };

function wordOf({ id }: Actor, word: Omit<Word, "actor" | "brokeGlass">): Word {
  return { ...word, actor: id, brokeGlass: false };
}

async function factsOf(parts: GoverningParts, queries: Queries, record: ReplayRecord, hash: string) {
  const now = parts.host.clock.now();
  return approvalFacts(record, await standingApprovals(parts, queries, record), { hash, now });
}

async function moveIfApproved(parts: GoverningParts, queries: Queries, record: ReplayRecord, hash: string) {
  if ((await factsOf(parts, queries, record, hash)).kind !== "given") return;
  await moveReplay(parts.ledger, queries, { id: record.id, from: ["awaiting_approval"], to: "approved" });
}

async function requireApprover(
  { ledger, roles }: GoverningParts,
  queries: Queries,
  actor: Actor,
  record: ReplayRecord,
): Promise<void> {
  const { id, approverRoles } = record;
  const refuse = (text: string) => new OfficeError("APPROVAL_REFUSED", text, { details: { actor: actor.id } });
  const isPerson = actor.kind === "human" || (actor.kind === "demo" && (await isDemo(ledger, queries)));
  if (!isPerson) throw refuse("Only people approve: an agent may plan and ask.");
  if (await isInvolved(ledger, queries, { replay: id, actor: actor.id }))
    throw refuse(
      "Whoever asks, edits a letter, says what one is or answers for a risk does not approve: four eyes are two people. Ask somebody else.",
    );
  // Whoever is known counts as what they are known for, whatever they call themselves at a terminal.
  const known = await knownActor(ledger, queries, { id: actor.id, configured: roles });
  const holds = (who: Actor) => holdsApproverRole(ledger, queries, who, record);
  if ((await holds(actor)) && (known === null || (await holds(known)))) return;
  const where = "wherever its letters come from and go to";
  throw refuse(`Approving this takes one of the roles ${approverRoles.join(", ")}, ${where}. Ask somebody who has it.`);
}

function requireSame(hash: string, seen: string): void {
  if (hash === seen) return;
  const text =
    "The plan is not the one you saw: it was changed or acknowledged since, or the hash is another. Look at it again, and approve with the hash it shows then.";
  throw new OfficeError("PLAN_CHANGED", text, { details: { hash, seen } });
}

function requireRisks(risks: readonly string[], seen: readonly string[]): void {
  const missing = risks.filter((risk) => !seen.includes(risk));
  if (missing.length === 0) return;
  const text = `Somebody answered for ${missing.join(", ")} in this plan. Look at that, and name it when you approve.`;
  throw new OfficeError("PLAN_CHANGED", text, { details: { risks } });
}
