import type { Clock } from "../../src/domain/clock.ts";
import { systemClock } from "../../src/system/host.ts";

/** The host's clock, so many times as fast, from this moment on. */
export function quickClock(speed: number): Clock {
  const startedAt = systemClock.now();
  return {
    now: () => Math.floor(startedAt + (systemClock.now() - startedAt) * speed),
    after: (delayMs, run) => systemClock.after(delayMs / speed, run),
  };
}
