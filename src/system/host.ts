import type { Clock, Host } from "../domain/clock.ts";

/** Longest delay the host's timers take; beyond it they fire at once. */
const longestTimerMs = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, Math.min(delayMs, longestTimerMs));
    return () => clearTimeout(timer);
  },
};

/** The real clock, dice and ids. */
export const systemHost: Host = {
  clock: systemClock,
  random: () => Math.random(),
  newId: () => crypto.randomUUID(),
};
