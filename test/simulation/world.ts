import type { Cancel, Clock } from "../../src/domain/clock.ts";
import { type Dice, seededDice } from "./dice.ts";
import { eventQueue, type ScheduledEvent } from "./event-queue.ts";
import { startTrace, type Trace } from "./trace.ts";

/** Midnight, 1 January 2026: where virtual time begins, in every run. */
export const beginningOfTime = Date.UTC(2026, 0, 1);

/** Somebody whose events may have to wait, or never come. Null owns what nobody's crash can stop. */
export interface Owner {
  /** "gone": the event is dropped. "still": it is handed to `hold`. */
  readonly state: "running" | "still" | "gone";
  hold(event: WorldEvent): void;
}

export type WorldEvent = ScheduledEvent<Owner | null>;

/**
 * Everything that happens, one event at a time, in virtual time.
 *
 * Whatever a process waits for is an event here, and between two events every promise that can settle does. So the
 * order of events is the only thing left to chance, and the seed decides it.
 */
export interface World {
  readonly dice: Dice;
  readonly trace: Trace;
  /** True time, which nobody's skew touches. */
  readonly clock: Clock;
  schedule(owner: Owner | null, delayMs: number, run: () => void): Cancel;
  /** Puts an event back that was held, due now; those of a smaller tie come first. */
  resume(event: WorldEvent, tie: number): void;
  /** Runs event after event until `isOver`, or until nothing is left to happen. */
  runUntil(isOver: () => boolean): Promise<void>;
  readonly steps: number;
}

export function createWorld(seed: string): World {
  const dice = seededDice(seed);
  const ties = dice.fork("ties");
  const queue = eventQueue<Owner | null>();
  let now = beginningOfTime;
  let steps = 0;

  const schedule = (owner: Owner | null, delayMs: number, run: () => void): Cancel => {
    if (Number.isNaN(delayMs)) throw new RangeError("A delay must be a number.");
    const event: WorldEvent = { at: now + Math.max(0, Math.ceil(delayMs)), tie: ties.roll(), owner, run };
    queue.push(event);
    return () => {
      event.run = undefined;
    };
  };

  const step = (): boolean => {
    const event = queue.pop();
    if (event === undefined) return false;
    if (event.run === undefined || event.owner?.state === "gone") return true;
    now = Math.max(now, event.at);
    if (event.owner?.state === "still") event.owner.hold(event);
    else event.run();
    steps++;
    return true;
  };

  const clock: Clock = { now: () => now, after: (delayMs, run) => schedule(null, delayMs, run) };
  return {
    dice,
    trace: startTrace(() => now, beginningOfTime),
    clock,
    schedule,
    resume: (event, tie) => queue.push(Object.assign(event, { at: now, tie })),
    runUntil: (isOver) => runSteps(step, isOver),
    get steps() {
      return steps;
    },
  };
}

/** One step a turn of the host's event loop: only that guarantees that all promises have settled in between. */
function runSteps(step: () => boolean, isOver: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = () => {
      try {
        if (isOver() || !step()) resolve();
        else setImmediate(turn);
      } catch (error) {
        reject(error);
      }
    };
    setImmediate(turn);
  });
}
