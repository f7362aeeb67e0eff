import type { BreakerPhase, BreakerSnapshot, Probe, Transition } from "./circuit-breaker.ts";

const phases: readonly unknown[] = ["closed", "open", "half-open"] satisfies readonly BreakerPhase[];
/** The last moment that a date can be, in milliseconds since 1970. */
const lastMs = 8.64e15;

/** The snapshot a document holds; undefined if there is none, or if it is none of ours. */
export function readSnapshot(value: unknown): BreakerSnapshot | undefined {
  // Whatever stands in the store is checked below before it is believed.
  const found = value as Partial<BreakerSnapshot> | null | undefined;
  if (typeof found !== "object" || found === null) return undefined;
  const { phase, since, openUntil = null, serial, epoch, successes, probes, transitions } = found;
  const { succeeded, failed, denied, opened } = found.counters ?? {};
  const fits =
    phases.includes(phase) &&
    isTime(since) &&
    (openUntil === null || isTime(openUntil)) &&
    [serial, epoch, successes, succeeded, failed, denied, opened].every(Number.isFinite) &&
    isListOf(probes, isProbe) &&
    isListOf(transitions, isTransition);
  return fits ? (found as BreakerSnapshot) : undefined;
}

function isListOf(value: unknown, isOne: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isTime(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= lastMs;
}

function isProbe(value: unknown): boolean {
  const { token, until } = (value ?? {}) as Partial<Probe>;
  return Number.isFinite(token) && isTime(until);
}

function isTransition(value: unknown): boolean {
  const { from, to, at, because } = (value ?? {}) as Partial<Transition>;
  return phases.includes(from) && phases.includes(to) && isTime(at) && typeof because === "string";
}
