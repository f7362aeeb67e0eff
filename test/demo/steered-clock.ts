import { pause } from "../../src/domain/clock.ts";
import { systemClock } from "../../src/system/host.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";

/** How much passes at once, and how long it really takes: meanwhile whatever waits for a disk goes on. */
const step = { ms: 250, takesMs: 10 } as const;

export interface SteeredClock {
  /** It stands still, from this moment on, unless somebody lets time pass. */
  readonly clock: FakeClock;
  pass(ms: number): Promise<void>;
  /** Lets time pass until that is done. */
  until<Result>(done: Promise<Result>): Promise<Result>;
}

/** A clock that goes as fast as the machine can follow, and stands while a test looks: a slow one misses nothing. */
export function steeredClock(): SteeredClock {
  const clock = fakeClock(systemClock.now());
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += step.ms) {
      await clock.advance(step.ms);
      await pause(systemClock, step.takesMs);
    }
  };
  return {
    clock,
    pass,
    async until(done) {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      done.then(end, end);
      while (!isDone) await pass(step.ms);
      return done;
    },
  };
}
