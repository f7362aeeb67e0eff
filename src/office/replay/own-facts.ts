import { type Actor, isInScope, scopeOf } from "../../domain/actor.ts";
import type { LetterReading } from "../../domain/dead-letter.ts";
import { hexOf, showId } from "../../domain/ids.ts";
import { clockSkewMs, type Protocol } from "../../domain/protocol.ts";
import type { LatestEdit } from "../../ledger/edits.ts";
import type { Fix } from "../../ledger/fixes.ts";
import { type Candidate, isNamedByPerson } from "../../ledger/read-candidates.ts";
import type { RevisedLetter } from "../edit/revise-letter.ts";
import { type Deployed, deployFacts } from "./deploy-facts.ts";
import type { ExamineRequest } from "./examine-request.ts";
import type { ApprovalFacts, EffectFacts, LetterStanding, PayloadStanding, ReplayFacts } from "./facts.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** What was found out about a letter itself. */
interface Looked extends Deployed {
  readonly candidate: Candidate;
  readonly protocol: Protocol;
  readonly revised: RevisedLetter;
  readonly edit: LatestEdit | undefined;
  readonly effect: EffectFacts;
  /** Its body is there to be sent. */
  readonly isAtHand: boolean;
  readonly fix: Fix | null;
  readonly repeatOf: Uint8Array | null;
  readonly reading: LetterReading;
}

/** Asked again before each window is sent: who started it may have been shut out, or moved to other queues, since. */
function mayReplay(actor: Actor, { source, queue }: Candidate): boolean {
  return isInScope(scopeOf(actor, "operator"), source, queue);
}

/** What a letter lacks that would go by itself, and may not. */
const aPerson: ApprovalFacts = { kind: "missing", needed: 1, given: 0 };

/** What is judged of a letter whatever becomes of it where it would go. */
export function ownFacts(
  { host }: ReplayParts,
  request: ExamineRequest,
  { candidate, protocol, revised, edit, effect, isAtHand, fix, repeatOf, reading, working, recorded }: Looked,
): Omit<ReplayFacts, "destination" | "order" | "outlook" | "duplicates"> {
  const { actor, planned, approval, acknowledged, ownReplay, revisions } = request;
  const { untold = new Set<string>(), isAuto = false, isExempt = false } = request;
  const { category, queue, failedAt, failedAtBy, replays } = candidate;
  return {
    letter: {
      ...{ queue, category, expiresAt: reading.expiresAt, replays },
      cameBackAs: candidate.state === "returned" ? category : null,
      state: standingOf(candidate, ownReplay),
      failedAt: failedAtBy === "arrival" ? { kind: "bound", before: failedAt } : { kind: "known", at: failedAt },
      payload: isAtHand ? payloadOf(candidate) : { kind: "missing" },
      revision: { planned: plannedRevision(candidate, revisions, revised), latest: revised.revision },
      editRefused: revised.refused,
      repeatOf: repeatOf === null ? null : showId("letter", repeatOf),
    },
    policy: {
      ...{ allows: protocol.allows, deniedBy: protocol.deniedBy, maxReplays: protocol.maxReplays },
      ...{ maxLag: protocol.halt.lag, effects: protocol.effects, duplicates: protocol.duplicates, clockSkewMs },
      approvals: protocol.approvals.n,
    },
    ...{
      planned,
      approval: isAuto && (!protocol.auto || isNamedByPerson(candidate)) ? aPerson : approval,
      mayReplay: mayReplay(actor, candidate),
      ...{ restoredTo: candidate.restoredTo, isExempt, isUntold: untold.has(hexOf(candidate.id)) },
    },
    fix: fix === null ? null : { fix: fix.called, fixedAt: fix.fixedAt },
    deploy: deployFacts(reading.schema, { working, recorded }, protocol.gates.trust),
    effect: edit?.wasSuppressed ? { kind: "done" } : effect,
    acknowledged: acknowledged.get(hexOf(candidate.id)) ?? new Set(),
    now: host.clock.now(),
  };
}

function plannedRevision(
  { id }: Candidate,
  revisions: ExamineRequest["revisions"],
  { revision }: RevisedLetter,
): number {
  return revisions === null ? revision : (revisions.get(hexOf(id)) ?? 0);
}

function standingOf({ state, claimedBy }: Candidate, ownReplay: Uint8Array | null): LetterStanding {
  if (state === "open" || state === "returned") return { kind: "open" };
  if (state !== "in_replay" && state !== "in_doubt") return { kind: "decided", state };
  if (claimedBy === null) return { kind: "claimed", replay: null };
  if (ownReplay !== null && hexOf(ownReplay) === hexOf(claimedBy)) return { kind: "open" };
  return { kind: state === "in_doubt" ? "in_doubt" : "claimed", replay: showId("replay", claimedBy) };
}

function payloadOf({ cutTo }: Candidate): PayloadStanding {
  return cutTo === null ? { kind: "whole" } : { kind: "cut", keptBytes: cutTo };
}
