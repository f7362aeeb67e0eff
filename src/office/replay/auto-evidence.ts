import { clockSkewMs } from "../../domain/protocol.ts";
import type { ClosedBreaker } from "../../ledger/auto-replays.ts";
import { isNamedByPerson } from "../../ledger/read-candidates.ts";
import type { ExaminedLetter } from "./examine-letters.ts";

/** What is known where a letter would go. */
export interface AutoFacts {
  /** Breakers that were open and are not any more. */
  readonly closed: readonly ClosedBreaker[];
  /** A consumer reports from there, and has been heard of lately. */
  readonly isConsumed: boolean;
  readonly now: number;
}

/** A dependency that has been back for so long has come to stay, in milliseconds. */
const steadyMs = 60_000;

/**
 * Why a letter may go without a person, as a sentence; null when it may not. Only one that its policy lets go by itself, transient by
 * its evidence and not by a person's word, unedited, against which nothing speaks, and of whose cause somebody says that it is gone:
 * a breaker that closed after the letter had failed, or the health checks that its policy names, which the judge has just asked.
 */
export function autoEvidence(letter: ExaminedLetter, facts: AutoFacts): string | null {
  const { candidate, protocol, judgement, revision } = letter;
  const isAsItCame = revision === 0 && !isNamedByPerson(candidate);
  const mayGo = candidate.category === "transient" && protocol.auto && judgement.code === "ready" && isAsItCame;
  return mayGo ? (breakerEvidence(candidate.failedAt, facts) ?? healthEvidence(letter, facts)) : null;
}

/** When it closed is said by a consumer's clock: a failure that is no further from it than clocks may be off may have come after. */
function breakerEvidence(failedAt: number, { closed, isConsumed, now }: AutoFacts): string | null {
  if (!isConsumed) return null;
  const found = closed.find(({ closedAt }) => failedAt < closedAt - clockSkewMs && closedAt <= now - steadyMs);
  return found === undefined
    ? null
    : `Breaker ${found.name} has been closed again since ${new Date(found.closedAt).toISOString()}, after the letters failed.`;
}

/** Of a failure that is no older than clocks may be off, a check that is green now says nothing. */
function healthEvidence({ candidate, protocol: { health } }: ExaminedLetter, { now }: AutoFacts): string | null {
  if (health.length === 0 || candidate.failedAt > now - clockSkewMs) return null;
  return `The health check${health.length === 1 ? " is" : "s are"} green at ${new Date(now).toISOString()}.`;
}
