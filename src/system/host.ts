import type { Cancel, Clock, Host } from "../domain/clock.ts";

/** Longest delay the host's timers take; beyond it they fire at once. */
const longestTimerMs = 2_147_483_647;

/**
 * The time of day is looked up once; from then on only what has passed since counts. Leases and time limits that went by
 * the wall clock would stand still, or be over at once, whenever somebody sets it.
 */
const startedAt = Date.now() - performance.now();

export const systemClock: Clock = {
  now: () => Math.floor(startedAt + performance.now()),
  after(delayMs, run) {
    // A timer would come a millisecond late, and only after sockets were served once more.
    if (delayMs <= 0) return inNextTurn(run);
    const timer = setTimeout(run, Math.min(delayMs, longestTimerMs));
    return () => clearTimeout(timer);
  },
};

function inNextTurn(run: () => void): Cancel {
  const turn = setImmediate(run);
  return () => clearImmediate(turn);
}

/** The real clock, dice and ids. */
export const systemHost: Host = {
  clock: systemClock,
  random: () => Math.random(),
  newId: () => crypto.randomUUID(),
};
