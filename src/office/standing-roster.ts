import { type Clock, pause } from "../domain/clock.ts";
import { keepTrying } from "./keep-trying.ts";

export interface StandingRoster {
  close(): Promise<void>;
}

const refreshMs = 3_000;

/** Finds out every few seconds which sources another process connected or let go of. */
export function standingRoster(refresh: () => Promise<void>, clock: Clock): StandingRoster {
  const stop = new AbortController();
  const running = keepTrying({
    ...{ clock, signal: stop.signal },
    async attempt(progressed) {
      while (!stop.signal.aborted) {
        await refresh();
        progressed();
        await pause(clock, refreshMs, stop.signal);
      }
    },
  });
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
