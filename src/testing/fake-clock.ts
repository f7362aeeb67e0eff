import type { Clock } from "../domain/clock.ts";
import { type Timed, TimeHeap } from "../domain/time-heap.ts";
import { nextTurn } from "../system/turn.ts";

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /**
   * Lets `ms` pass: runs the timers that come up, in order, each at its own time, and waits after each until
   * everything that only waits for promises has run. Timers set meanwhile run too if they come up in that time.
   */
  advance(ms: number): Promise<void>;
  /** Timers that are set and have not run. */
  readonly timers: number;
}

interface Timer extends Timed {
  readonly run: () => void;
}

/** `startAt` is in milliseconds since 1970; by default the first moment of 2026, UTC. */
export function fakeClock(startAt: number = Date.UTC(2026, 0, 1)): FakeClock {
  const timers = new TimeHeap<Timer>();
  let time = startAt;
  let seq = 0;

  return {
    now: () => time,
    after(delayMs, run) {
      seq += 1;
      const timer: Timer = { at: time + Math.max(0, delayMs), seq, slot: -1, run };
      timers.push(timer);
      return () => timers.remove(timer);
    },
    async advance(ms) {
      const end = time + ms;
      await nextTurn();
      for (let timer = timers.popDue(end); timer !== undefined; timer = timers.popDue(end)) {
        time = Math.max(time, timer.at);
        timer.run();
        await nextTurn();
      }
      time = end;
    },
    get timers() {
      return timers.size;
    },
  };
}
