import { carriedKey } from "../../domain/idempotency.ts";
import { isHeardOf, type WorkingConsumer } from "../../ledger/consumers.ts";
import type { Candidate } from "../../ledger/read-candidates.ts";
import type { EffectFacts } from "./facts.ts";

/** Where a letter would go, and who is at work there. */
export interface ConsumedPlace {
  readonly queue: string;
  readonly working: readonly WorkingConsumer[];
}

/** What is known of a letter's effect before anybody is asked. */
export interface KnownEffect {
  readonly effect: EffectFacts;
  /** Where it failed, if consumers there can be asked; null where they cannot. */
  readonly probedQueue: string | null;
}

/**
 * The failure of an attempt says nothing of what ran before it: a handler may have charged a card, and then found its database away. So
 * what is not known to be uncertain is only unchecked, unless the handler's writes stand or fall with the inbox's memory of them.
 */
export function knownEffect(candidate: Candidate, { queue, working }: ConsumedPlace, now: number): KnownEffect {
  // Elsewhere nobody knows of it: a probe there would say that nothing happened, and be right about itself only.
  const here = queue === candidate.queue ? working : [];
  const declared = here.filter(({ probe }) => probe);
  const isAskable = declared.some((consumer) => isHeardOf(consumer, now));
  const found = effectOf(candidate);
  const isSilent = declared.length > 0 && !isAskable && found.kind === "none";
  if (isSilent) return { effect: probeFailed, probedQueue: null };
  const isOpen = found.kind === "none" && !isCovered(candidate, here);
  return { effect: isOpen ? { kind: "unchecked" } : found, probedQueue: isAskable ? queue : null };
}

export const probeFailed: EffectFacts = { kind: "probe_failed", probe: "of its consumer" };

function effectOf({ sideEffect, why }: Candidate): EffectFacts {
  return sideEffect === "none" ? { kind: "none" } : { kind: "uncertain", because: { kind: "failure", why } };
}

/** All that its handler wrote was undone with the attempt that failed. */
function isCovered({ message, queue }: Candidate, working: readonly WorkingConsumer[]): boolean {
  const isInTransaction = ({ inboxWindowS, inboxTransactional = false }: WorkingConsumer) =>
    inboxWindowS !== null && inboxTransactional;
  return working.length > 0 && working.every(isInTransaction) && carriedKey(message, queue) !== undefined;
}
