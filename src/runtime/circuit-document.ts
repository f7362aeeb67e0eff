import type { BreakerSnapshot, CircuitBreaker } from "../policies/circuit-breaker.ts";

/** What a process has to say to the shared breaker. */
export type CircuitNews =
  /** Calls failed here while the breaker was closed in that epoch; null if it is not known. */
  | { readonly kind: "open"; readonly because: string; readonly epoch: number | null }
  | { readonly kind: "force-open"; readonly because: string }
  | { readonly kind: "release" }
  | { readonly kind: ProbeResult; readonly token: number };

export type ProbeResult = "succeeded" | "failed" | "withdrawn";

/** Applies news to the shared breaker. Told twice, or too late, it changes nothing. */
export function tellCircuit(shared: CircuitBreaker, news: CircuitNews, now: number): void {
  switch (news.kind) {
    case "open": {
      // Failures of an earlier closed phase say nothing about this one: others have found out since.
      const isCurrent = news.epoch === null || news.epoch === shared.snapshot().epoch;
      if (shared.phase === "closed" && isCurrent) shared.open(now, news.because);
      return;
    }
    case "force-open":
      shared.forceOpen(now, news.because);
      return;
    case "release":
      shared.release(now);
      return;
    default:
      shared[news.kind](news.token, now);
  }
}

/** The same snapshot by another clock, `offsetMs` ahead. */
export function shiftTimes(snapshot: BreakerSnapshot, offsetMs: number): BreakerSnapshot {
  return {
    ...snapshot,
    since: snapshot.since + offsetMs,
    openUntil: snapshot.openUntil === null ? null : snapshot.openUntil + offsetMs,
    probes: snapshot.probes.map(({ token, until }) => ({ token, until: until + offsetMs })),
    transitions: snapshot.transitions.map((transition) => ({ ...transition, at: transition.at + offsetMs })),
  };
}
