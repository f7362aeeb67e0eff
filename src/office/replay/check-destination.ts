import type { BreakerFacts, KnownDestination, ReplayFacts } from "./facts.ts";
import type { Reason } from "./reasons.ts";

/** Whether it has somewhere to go, and whether it would be safe there. */
export function checkDestination({ destination }: ReplayFacts): readonly Reason[] {
  switch (destination.kind) {
    case "unknown":
      return [{ code: "destination.unknown", why: destination.unseenBecause ?? null }];
    case "ambiguous":
      return [{ code: "destination.ambiguous", candidates: destination.candidates }];
    case "missing":
      return [{ code: "destination.missing", destination: destination.destination }];
    case "source_gone":
      return [{ code: "source.gone", source: destination.source }];
    case "source_cannot_take":
      return [{ code: "source.cannot_take", source: destination.source }];
    case "not_asked":
      return [{ code: "destination.not_checked", why: destination.why }];
    case "known":
      return risksAt(destination);
  }
}

function risksAt({ queue, keepsNextDeath, otherGroups, unseenBecause = null }: KnownDestination): readonly Reason[] {
  const risks: Reason[] = [];
  if (keepsNextDeath !== true) {
    risks.push({ code: "destination.next_death_lost", queue, isKnown: keepsNextDeath === false, why: unseenBecause });
  }
  if (otherGroups.length > 0) risks.push({ code: "destination.shared", topic: queue, groups: otherGroups });
  return risks;
}

/** Whether what would process it is well enough to be sent anything. */
export function checkHealth({ destination, policy: { maxLag } }: ReplayFacts): readonly Reason[] {
  if (destination.kind !== "known") return [];
  const { queue, breakers, redChecks, lag } = destination;
  const reasons: Reason[] = [
    ...breakers.map(reasonOf),
    ...redChecks.map((check) => ({ code: "health.red", check }) as const),
  ];
  if (lag !== null && maxLag !== null && lag > maxLag) reasons.push({ code: "lag.high", queue, lag, limit: maxLag });
  return reasons;
}

function reasonOf(facts: BreakerFacts): Reason {
  if (facts.kind === "half_open" && facts.trial) return { code: "breaker.half_open_trial", breaker: facts.breaker };
  return { code: "breaker.open", breaker: facts.breaker, since: facts.since };
}
