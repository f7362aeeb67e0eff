import type { ReplayRecord } from "../../ledger/replay-record.ts";
import type { StandingApproval } from "./approvers.ts";
import type { ApprovalFacts } from "./facts.ts";

/**
 * Whether a replay has the approvals it needs at this moment. Each person's latest word for exactly this plan counts, and
 * nobody's who has a hand in it or may not approve it any more: four eyes are two people, checked when it runs and not only
 * when it was asked.
 */
export function approvalFacts(
  { approvalsNeeded: needed, expiresAt }: Pick<ReplayRecord, "approvalsNeeded" | "expiresAt">,
  approvals: readonly StandingApproval[],
  { hash, now }: { readonly hash: string; readonly now: number },
): ApprovalFacts {
  if (expiresAt <= now) return { kind: "expired", expiredAt: expiresAt };
  if (needed === 0) return { kind: "not_needed" };
  const latest = new Map(approvals.map((approval) => [approval.actor, approval]));
  const standing = [...latest.values()].filter(
    (approval) => approval.verdict === "approved" && approval.hash === hash && approval.isEntitled,
  );
  if (standing.some(({ brokeGlass }) => brokeGlass)) return { kind: "given" };
  const given = standing.filter(({ isInvolved }) => !isInvolved).length;
  return given >= needed ? { kind: "given" } : { kind: "missing", needed, given };
}
