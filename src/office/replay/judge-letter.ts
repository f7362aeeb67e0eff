import type { Category } from "../../domain/classification.ts";
import { checkDestination, checkHealth } from "./check-destination.ts";
import { type DuplicateStance, duplicateCodes as duplicateReasons } from "./duplicate-reasons.ts";
import { noSign } from "./effect-reasons.ts";
import type { DuplicateFacts, FailureTime, PolicyFacts, ReplayFacts } from "./facts.ts";
import { decisionOf, describeReason, type Judgement, type Reason, type ReasonCode } from "./reasons.ts";

type Check = (facts: ReplayFacts) => Reason | readonly Reason[] | null;

/**
 * In this order, since the first thing that forbids a letter is the one a person should hear of: whose it is, what it
 * is, what its category allows, and only then how things stand where it would go.
 */
const checks: readonly Check[] = [
  checkPermission,
  checkStanding,
  checkPayload,
  checkEdit,
  checkCategory,
  checkPolicy,
  checkApproval,
  checkGate,
  checkRepeat,
  checkLifetime,
  checkDestination,
  checkPutBack,
  checkHealth,
  checkOrder,
  checkEffect,
  checkDuplicates,
  checkReplays,
  checkRestore,
];

/**
 * What may become of one letter, decided from facts alone. Whatever forbids it outweighs what a person could answer
 * for, wherever it stands in the order; of several the first is named.
 */
export function judgeLetter(facts: ReplayFacts): Judgement {
  const reasons = checks.flatMap((check) => check(facts) ?? []).filter((reason) => !isAnswered(reason, facts));
  const first = (decision: string) => reasons.find((reason) => decisionOf(reason) === decision);
  const reason = first("skip") ?? first("ack_required") ?? first("replay") ?? readyWith(facts);
  return withRuns(withNotes(describeReason(reason), reasons, facts), facts);
}

/** What is said of it besides, in this order: further risks, that a duplicate would not be recognized, that nobody was asked. */
function withNotes(judgement: Judgement, reasons: readonly Reason[], { effect: { kind } }: ReplayFacts): Judgement {
  const { code, decision } = judgement;
  const others = decision === "skip" ? [] : reasons.filter((reason) => reason.code !== code);
  // Whoever answers for a risk must hear of all of them: one that shows only when the letter's turn comes leaves it out.
  const risks = decision === "ack_required" ? others.filter((reason) => decisionOf(reason) === decision) : [];
  const told = others.find((reason) => duplicateReasons.has(reason.code) && decisionOf(reason) === "replay");
  const isUnchecked = decision === "replay" && code !== "ready" && (kind === "unchecked" || kind === "unasked");
  const notes = [...risks, told ?? []].flat().map((reason) => describeReason(reason).sentence);
  if (isUnchecked) notes.push(noSign);
  if (notes.length === 0) return judgement;
  return {
    ...{ ...judgement, sentence: [judgement.sentence, ...notes].join(" "), note: notes.join(" ") },
    ...(risks.length === 0 ? {} : { risks: risks.map((risk) => risk.code) }),
    ...(told === undefined ? {} : { told: told.code }),
  };
}

function readyWith({ effect: { kind } }: ReplayFacts): Reason {
  return { code: "ready", isUnchecked: kind === "unchecked" || kind === "unasked" };
}

/** A job that is put back may be run more than once: whoever decides about it must know. */
function withRuns(judgement: Judgement, { outlook }: ReplayFacts): Judgement {
  if (outlook?.kind !== "runs" || judgement.decision === "skip") return judgement;
  return { ...judgement, sentence: `${judgement.sentence} Put back, it gets ${showRuns(outlook.runs)}.` };
}

function showRuns(runs: number | null): string {
  if (runs === null) return "one run, and more if its workers retry it";
  return runs === 1 ? "one run" : `up to ${runs} runs`;
}

/** Risks that are one to a person: nobody knows whether it took effect, be it that nobody could be asked or could not tell. */
const effectUnknown: readonly ReasonCode[] = ["side_effect.uncertain", "side_effect.unchecked", "probe.failed"];

export function isEffectUnknown(code: ReasonCode): boolean {
  return effectUnknown.includes(code);
}

/** A person can answer for a risk, never for what forbids. */
function isAnswered(reason: Reason, { acknowledged }: ReplayFacts): boolean {
  if (decisionOf(reason) !== "ack_required") return false;
  const { code } = reason;
  return (
    acknowledged.has(code) || (effectUnknown.includes(code) && effectUnknown.some((risk) => acknowledged.has(risk)))
  );
}

function checkPermission({ mayReplay, letter }: ReplayFacts): Reason | null {
  return mayReplay ? null : { code: "scope.no_permission", queue: letter.queue };
}

function checkStanding({ letter: { state, revision } }: ReplayFacts): Reason | null {
  if (state.kind === "decided") return { code: "already.resolved", state: state.state };
  if (state.kind === "in_doubt") return { code: "send.in_doubt", replay: state.replay };
  if (state.kind === "claimed") return { code: "claimed", replay: state.replay };
  if (revision.planned === revision.latest) return null;
  return { code: "edit.superseded", revision: revision.planned, latest: revision.latest };
}

/** An edit brings a body of its own, whatever became of the original. */
function checkPayload({ letter: { payload, revision } }: ReplayFacts): Reason | null {
  if (revision.planned > 0 || payload.kind === "whole") return null;
  return payload.kind === "cut" ? { code: "payload.cut", keptBytes: payload.keptBytes } : { code: "payload.missing" };
}

function checkEdit({ letter: { editRefused } }: ReplayFacts): Reason | null {
  return editRefused === null ? null : { code: "edit.refused", why: editRefused };
}

/** What no policy can allow: these follow from what the category means. */
function checkCategory({ letter: { category }, planned }: ReplayFacts): Reason | null {
  if (category === "unknown") return { code: "category.unknown" };
  if (category === "lost_context") return { code: "policy.never", category };
  return category === "business_rule" && planned > 1 ? { code: "policy.no_bulk", category, planned } : null;
}

function checkPolicy({ policy, letter: { category }, planned }: ReplayFacts): Reason | null {
  if (policy.deniedBy !== null) return { code: "policy.denied", rule: policy.deniedBy };
  if (policy.allows === "never") return { code: "policy.never", category };
  return policy.allows === "single" && planned > 1 ? { code: "policy.no_bulk", category, planned } : null;
}

function checkApproval({ approval }: ReplayFacts): Reason | null {
  switch (approval.kind) {
    case "missing":
      return { code: "approval.missing", needed: approval.needed, given: approval.given };
    case "expired":
      return { code: "approval.expired", expiredAt: approval.expiredAt };
    case "nobody":
      return { code: "approval.nobody", roles: approval.roles };
    default:
      return null;
  }
}

const gates: Partial<Record<Category, Check>> = { schema_mismatch: checkDeploy, poison: checkFix };

function checkGate(facts: ReplayFacts): ReturnType<Check> {
  return gates[facts.letter.category]?.(facts) ?? null;
}

function checkDeploy({ deploy, letter, policy }: ReplayFacts): Reason | null {
  if (deploy.kind === "unknown") return { code: "deploy.unknown", queue: letter.queue };
  if (deploy.kind === "does_not_handle") {
    return { code: "deploy.not_newer", service: deploy.service, version: deploy.version, schema: deploy.schema };
  }
  if (deploy.kind === "unrecorded") {
    return { code: "deploy.unrecorded", service: deploy.service, schema: deploy.schema };
  }
  const { service, deployedAt } = deploy;
  const side = sideOf(letter.failedAt, deployedAt, policy.clockSkewMs);
  if (side === "before") return null;
  return { code: side === "after" ? "deploy.arrived_after" : "deploy.time_unknown", service, deployedAt };
}

function checkFix({ fix, letter, policy }: ReplayFacts): Reason | null {
  if (fix === null) return { code: "fix.missing" };
  const side = sideOf(letter.failedAt, fix.fixedAt, policy.clockSkewMs);
  if (side === "before") return null;
  return { code: side === "after" ? "fix.arrived_after" : "fix.time_unknown", ...fix };
}

/**
 * On which side of a change a letter failed. A bound before the change is proof that it failed before; one after it
 * proves nothing, and neither does a time so close that two clocks may disagree about it.
 */
function sideOf(failedAt: FailureTime, changedAt: number, skewMs: number): "before" | "after" | "unknown" {
  const latest = failedAt.kind === "known" ? failedAt.at : failedAt.before;
  if (latest < changedAt - skewMs) return "before";
  return failedAt.kind === "known" && latest > changedAt + skewMs ? "after" : "unknown";
}

function checkRepeat({ letter: { repeatOf } }: ReplayFacts): Reason | null {
  return repeatOf === null ? null : { code: "repeat.probable", letter: repeatOf };
}

function checkLifetime({ letter: { expiresAt }, now }: ReplayFacts): Reason | null {
  return expiresAt === null || expiresAt > now ? null : { code: "ttl.expired", expiredAt: expiresAt };
}

function checkPutBack({ outlook, letter: { queue } }: ReplayFacts): Reason | null {
  switch (outlook?.kind) {
    case "moved":
      return { code: "job.moved", queue };
    case "changed":
      return { code: "job.as_is", change: outlook.by, queue };
    case "refused":
      return { code: "job.refused", why: outlook.why, change: outlook.change };
    default:
      return null;
  }
}

function checkOrder({ order }: ReplayFacts): Reason | null {
  if (order === null) return null;
  if (order.predecessor !== null) return { code: "order.predecessor_dead", predecessor: order.predecessor };
  if (order.wasReleased) return { code: "order.not_kept", broker: null };
  return order.notKeptBy === null ? null : { code: "order.not_kept", broker: order.notKeptBy };
}

function checkEffect({ effect, policy }: ReplayFacts): Reason | null {
  switch (effect.kind) {
    case "done":
      return { code: "side_effect.done" };
    case "uncertain":
      return { code: "side_effect.uncertain", because: effect.because };
    case "probe_failed":
      return { code: "probe.failed", probe: effect.probe };
    case "unchecked":
      return policy.effects === "strict" ? { code: "side_effect.unchecked" } : null;
    default:
      return null;
  }
}

const duplicateCodes = {
  key_missing: "key.missing",
  not_reported: "idempotency.none",
  expired: "idempotency.expired",
} as const;

/** Once for its queue a person accepts that a duplicate would not be recognized, or for each plan where the policy wants that. */
function checkDuplicates({ duplicates, policy, approval, isExempt, isUntold }: ReplayFacts): Reason | null {
  if (duplicates === null || duplicates.kind === "recognized") return null;
  const { kind, place, queue, isAccepted } = duplicates;
  if (policy.duplicates === "once" && isAccepted) return null;
  const stance = stanceOf(policy, kind);
  // When it was approved, or was so small that it needed no approval, duplicates were accepted or recognized, and are not any more.
  if (stance === "told" && isUntold) return { code: "approval.missing", needed: 1, given: 0, isUntold };
  if (stance === "told" && isExempt && approval.kind === "not_needed")
    return { code: "approval.missing", needed: 1, given: 0 };
  const said = { stance, place, queue };
  return kind === "expired"
    ? { code: duplicateCodes[kind], ...said, windowMs: duplicates.windowMs }
    : { code: duplicateCodes[kind], ...said };
}

/**
 * What a consumer does not remember any more it did remember: without it a second run may well be one too many. Where nobody
 * approves plans, nobody would be told.
 */
function stanceOf({ duplicates: rule, approvals }: PolicyFacts, kind: DuplicateFacts["kind"]): DuplicateStance {
  if (rule === "refuse") return "refused";
  return rule === "ask" || kind === "expired" || approvals === 0 ? "asked" : "told";
}

function checkReplays({ letter, policy, fix }: ReplayFacts): Reason | null {
  const { replays, cameBackAs, category, failedAt } = letter;
  if (replays >= policy.maxReplays) return { code: "attempts.exhausted", replays, limit: policy.maxReplays };
  if (category !== "transient" || cameBackAs !== "transient") return null;
  // Transient twice in a row is a dependency or a budget that must be mended, not a letter that must be sent.
  const isMended = fix !== null && sideOf(failedAt, fix.fixedAt, policy.clockSkewMs) === "before";
  return isMended ? null : { code: "returned.again", category };
}

function checkRestore({ restoredTo }: ReplayFacts): Reason | null {
  return restoredTo === null ? null : { code: "ledger.restored", restoredTo };
}
