import { requireNumber } from "../domain/options.ts";

/** Longer than any retry, and no trouble for numbers or timestamps: a hundred years. */
const longestDelayMs = 100 * 365 * 86_400_000;

export function requireDelay(delayMs: number): void {
  requireNumber("delayMs", delayMs, { min: 0, max: longestDelayMs });
}

/** Of one that is in a queue already: refused for its delay, it could not be put back at all. */
export function possibleDelay(delayMs: number): number {
  return delayMs > 0 ? Math.min(delayMs, longestDelayMs) : 0;
}
