import type { BreakerPhase, BreakerSnapshot } from "./circuit-breaker.ts";

const phases: readonly BreakerPhase[] = ["closed", "open", "half-open"];

/** The snapshot a document holds; undefined if there is none, or if it is none of ours. */
export function readSnapshot(value: unknown): BreakerSnapshot | undefined {
  // Whatever stands in the store is checked below before it is believed.
  const found = value as Partial<BreakerSnapshot> | null | undefined;
  const fits =
    typeof found === "object" &&
    found !== null &&
    phases.includes(found.phase as BreakerPhase) &&
    [found.since, found.serial, found.epoch, found.successes, found.openUntil ?? 0].every(Number.isFinite) &&
    Array.isArray(found.probes) &&
    Array.isArray(found.transitions) &&
    Object.values(found.counters ?? { missing: null }).every(Number.isFinite);
  return fits ? (found as BreakerSnapshot) : undefined;
}
