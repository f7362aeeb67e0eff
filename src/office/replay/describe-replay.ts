import { showId } from "../../domain/ids.ts";
import { countDestinations, countReasons, countReturns, type ReasonCount } from "../../ledger/count-reasons.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { acknowledgedRisks, countStandings, readPace } from "../../ledger/replay-items.ts";
import type { ReplayRecord, ReplayState } from "../../ledger/replay-record.ts";
import { countMeanwhile } from "../../ledger/search/came-meanwhile.ts";
import { approversOf, standingApprovals } from "./approvers.ts";
import { approvalHashOf } from "./change-replay.ts";
import { dayNotices, type ExemptionState, plannersExemption, withoutExemption } from "./exemption.ts";
import { behindInWords } from "./followers.ts";
import { nextStepOf } from "./next-step.ts";
import { type Pace, paceOf } from "./pace.ts";
import { togetherOf } from "./reasons.ts";
import { countItems, type ReplayCounts, rampEnds, verdictOf } from "./replay-counts.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** A replay as every door shows it. */
export async function describeReplay(parts: Pick<ReplayParts, "ledger" | "roles">, planned: ReplayRecord) {
  const { ledger } = parts;
  const exemption = await plannersExemption(parts, planned);
  const mustAsk = exemption?.exceeded != null && !planned.isExemptionOver;
  const record = mustAsk ? withoutExemption(planned) : planned;
  const { database } = ledger;
  const [standings, reasons, destinations, approvals, returns, approvalHash, governed, risks] = await Promise.all([
    countStandings(ledger, database, record.id),
    countReasons(ledger, database, record.id),
    countDestinations(ledger, database, record.id),
    standingApprovals(parts, database, record),
    countReturns(ledger, database, record.id),
    approvalHashOf({ ledger }, database, record),
    approversOf(parts, record),
    acknowledgedRisks(ledger, database, record.id),
  ]);
  const counts = countItems(standings);
  const { approvers, notices } = governed;
  const { state, name, query, requestedBy, reason, redirect, planHash, limits, haltedBy, waitsFor, startedBy } = record;
  const id = showId("replay", record.id);
  return {
    ...{ id, state, name, query, requestedBy, reason, redirect, planHash, approvalHash },
    isPatched: record.patch !== null,
    ...{ frozenAt: iso(record.frozenAt), expiresAt: iso(record.expiresAt) },
    ...{ startedBy, startedAt: isoOrNull(record.startedAt), endedAt: isoOrNull(record.endedAt) },
    ...{ settlesAt: isoOrNull(record.settlesAt), steps: stepsOf(record, counts) },
    policy: { hash: record.policyHash },
    limits: { ...limits, ramp: [...limits.ramp] },
    approvalsNeeded: record.approvalsNeeded,
    approverRoles: [...record.approverRoles],
    exemption: exemption === null || record.isExemptionOver ? null : shownExemption(exemption),
    ...{
      approvers: [...approvers],
      notices: [...dayNotices(exemption, planned), ...notices].map((each) => ({ ...each })),
    },
    counts: { ...counts },
    destinations: destinations.map((each) => ({ ...each })),
    pace: await paceNow(ledger, record, counts),
    arrivals: await arrivalsOf(ledger, record),
    takesS: takesOf(record, counts),
    verdict: state === "finished" ? verdictOf(counts) : null,
    haltedBy: haltedBy === null ? null : { ...haltedBy },
    waitsFor: waitsFor === null ? null : { why: waitsFor.why, since: iso(waitsFor.since) },
    reasons: reasons.map((each) => describeCount(each, counts.selected)),
    risks: [...risks],
    approvals: approvals.map(({ isInvolved, isEntitled, ...approval }) => ({
      ...{ ...approval, at: iso(approval.at), counts: isEntitled && (approval.brokeGlass || !isInvolved) },
    })),
    brokeGlass: approvals.some(({ brokeGlass }) => brokeGlass),
    returns: returns.map((each) => ({ ...each })),
    nextStep: nextStepOf({ id, state, counts, approvalHash, risks, reasons, mustAsk, guard: haltedBy?.guard ?? null }),
  };
}

function shownExemption({ person, queues }: ExemptionState) {
  return { person, queues: queues.map((each) => ({ ...each })) };
}

const arrivalsCounted = 1_000;

/** Null before it was started, and where its groups were never noted. */
async function arrivalsOf(ledger: Ledger, { id, startedAt }: ReplayRecord) {
  if (startedAt === null) return null;
  const n = await countMeanwhile(ledger, id, arrivalsCounted + 1);
  if (n === null) return null;
  const q = `meanwhile:${showId("replay", id)}`;
  return { n: Math.min(n, arrivalsCounted), isAtLeast: n > arrivalsCounted, q };
}

/** Null while nothing is under way. */
async function paceNow(ledger: Ledger, record: ReplayRecord, counts: ReplayCounts): Promise<Pace | null> {
  const { state, limits, id } = record;
  if (state !== "running" && state !== "settling") return null;
  const stepsLeft = stepsOf(record, counts).filter(({ isBegun }) => !isBegun).length;
  return paceOf({ ...(await readPace(ledger, ledger.database, id)), stepsLeft, limits, notYetSent: counts.notYetSent });
}

const standing: readonly ReplayState[] = ["planned", "awaiting_approval", "approved", "paused", "halted"];

/** Null once it is under way, or over, or nothing goes. */
function takesOf(record: ReplayRecord, counts: ReplayCounts): number | null {
  const { state, limits } = record;
  if (!standing.includes(state) || counts.notYetSent === 0) return null;
  const steps = stepsOf(record, counts);
  const begun = steps.filter(({ isBegun }) => isBegun).length;
  const stepsLeft = steps.length - Math.max(1, begun);
  const { notYetSent } = counts;
  return paceOf({ recent: 0, overS: 0, settlesInS: null, notYetSent, stepsLeft, limits }).remainingS;
}

function stepsOf({ limits, stepEnd }: ReplayRecord, { sent, inDoubt, notYetSent }: ReplayCounts) {
  const ends = rampEnds(limits.ramp, sent + inDoubt + notYetSent);
  return ends.map((upTo, index) => ({ upTo, isBegun: stepEnd > (ends[index - 1] ?? 0) }));
}

function describeCount(
  { decision, reason, mark, markReason, isAcknowledged, details, n, behind }: ReasonCount,
  selected: number,
) {
  if (mark === "excluded") {
    const sentence = `Left out by ${markReason ?? "somebody"}.`;
    return { decision: "excluded" as const, code: reason, n, sentence, change: "Plan it again to take it in." };
  }
  if (mark === "drifted") {
    const sentence = "It was planned, and when its turn came something spoke against it.";
    const change = "Plan it again: the new plan says what would change it.";
    return { decision: "drifted" as const, code: markReason ?? reason, n, sentence, change };
  }
  const { change, note } = details;
  const together = togetherOf(reason, n, selected);
  const said = together === null ? details.sentence : [together, ...(note === undefined ? [] : [note])].join(" ");
  const sentence = said + behindInWords(behind, n);
  return { decision: isAcknowledged ? ("acknowledged" as const) : decision, code: reason, n, sentence, change };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
