import type { Random } from "../domain/clock.ts";
import type { FailureKind } from "../domain/handler-errors.ts";
import type { DeadLetterReason } from "../domain/wire.ts";
import type { Backoff } from "../policies/backoff.ts";
import type { FailureFacts } from "../policies/failure.ts";
import type { PoisonVerdict } from "../policies/poison.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { RetryCause } from "./events.ts";

/** What is to become of a failed attempt, before anything is sent. */
export type Judgement =
  | { readonly kind: "retry"; readonly delayMs: number; readonly because: RetryCause }
  | DeathSentence
  | { readonly kind: "park" };

export interface DeathSentence {
  readonly kind: "dead-letter";
  readonly reason: DeadLetterReason;
  readonly category: string;
  /** For people: what led to it. */
  readonly why: string;
  /** Kept apart from other dead letters: trying it again does harm. */
  readonly quarantine: boolean;
}

/** A failed attempt and all that bears on it. */
export interface FailedAttempt {
  readonly facts: FailureFacts;
  /** The past with this failure in it. */
  readonly past: AttemptLog;
  /** What its history says of the message itself. */
  readonly poison: PoisonVerdict;
  /** Many messages fail alike just now: the handler is to blame, not this message. */
  readonly handlerFailing: boolean;
}

export interface RetryRules {
  readonly maxAttempts: number;
  readonly backoff: Backoff;
  readonly random: Random;
  /** Takes one retry from the budget, or says that there is none left. */
  readonly spendRetry: () => boolean;
}

/** The runtime's kinds of failure in the words of the ledger. An integration that refused us is for a person to judge. */
const categories: Readonly<Record<FailureKind, string>> = {
  transient: "transient",
  schema: "schema_mismatch",
  business: "business_rule",
  integration: "unknown",
  unknown: "unknown",
};

const permanent: Partial<Record<FailureKind, DeadLetterReason>> = {
  schema: "schema_mismatch",
  business: "business_rule",
  integration: "integration_refused",
};

/** Instructions first, then the kind of failure, then poison, attempts and budget: the first that objects to a retry wins. */
export function judge(failed: FailedAttempt, rules: RetryRules): Judgement {
  const { facts, past } = failed;
  if (facts.instruction === "park") return { kind: "park" };
  const category = categories[facts.kind];
  if (facts.instruction === "dead-letter") return dead("unprocessable", category, facts.why);
  const hopeless = facts.instruction === "retry" ? undefined : permanent[facts.kind];
  if (hopeless) return dead(hopeless, category, facts.why);
  if (failed.poison.poison && !failed.handlerFailing) return quarantine(failed.poison);
  if (past.attempt >= rules.maxAttempts) {
    return dead("attempts_exhausted", category, `all ${rules.maxAttempts} attempts failed`);
  }
  if (!rules.spendRetry()) return dead("retry_budget_exhausted", category, "the retry budget is spent");
  return { kind: "retry", delayMs: waitMs(facts, past, rules), because: causeOf(facts) };
}

/** What the failure itself asks for, else what the backoff says. */
function waitMs(facts: FailureFacts, past: AttemptLog, { backoff, random }: RetryRules): number {
  const previousMs = past.history.findLast((record) => record.delayMs !== undefined)?.delayMs;
  return facts.retryAfterMs ?? backoff(past.attempt, random, previousMs);
}

function causeOf(facts: FailureFacts): RetryCause {
  return facts.instruction === "retry" ? "retry-later" : "failure";
}

export function dead(reason: DeadLetterReason, category: string, why: string): DeathSentence {
  return { kind: "dead-letter", reason, category, why, quarantine: false };
}

export function quarantine({ reason, why }: { reason: DeadLetterReason; why: string }): DeathSentence {
  return { kind: "dead-letter", reason, category: "poison", why, quarantine: true };
}
