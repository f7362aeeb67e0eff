import type { Random } from "../domain/clock.ts";

const firstMs = 100;
const longestMs = 5_000;

/** How long to wait before a broker that gave no answer is asked again; `tries` counts from 1. */
export function repeatDelayMs(tries: number, random: Random): number {
  const ceiling = Math.min(longestMs, firstMs * 2 ** Math.min(tries - 1, 16));
  // Half of it by chance, lest every consumer comes back to a restarted broker in the same moment.
  return Math.round(ceiling * (0.5 + random() / 2));
}
