import { type Clock, pause } from "../../domain/clock.ts";

/** Something that goes on as far as it is told to. */
export interface Playable {
  readonly isOver: boolean;
  /** How far it has come, in milliseconds. */
  readonly atMs: number;
  advance(ms: number): Promise<void>;
}

/** Which story, and how it is to be told. */
export interface Telling {
  readonly seed: number;
  /** Seconds of the story to a second of the clock. */
  readonly speed: number;
  /** Where to stop, in milliseconds of the story. */
  readonly endAtMs: number;
  readonly signal: AbortSignal;
}

export interface Pace extends Omit<Telling, "seed"> {
  readonly clock: Clock;
  /** Whether the story stands still for now. */
  isHalted(): boolean;
  /** Called whenever a tenth of a second of the story has passed. */
  step(): void;
  /** Called ten times a second of the clock. */
  frame(): void;
}

const frameMs = 100;
const stepMs = 100;
/** A process that was stopped for an hour goes on where it was; it does not catch up. */
const longestStepMs = 250;

/** Plays a story by the clock, until it is over, has come far enough, or is stopped. */
export async function play(story: Playable, pace: Pace): Promise<void> {
  const { clock, speed, endAtMs, signal } = pace;
  let last = clock.now();
  while (!story.isOver && story.atMs < endAtMs && !signal.aborted) {
    await pause(clock, frameMs, signal);
    const passed = Math.max(0, Math.min(clock.now() - last, longestStepMs));
    last = clock.now();
    // Whole milliseconds: a clock that counts from 1970 has no room for much smaller steps.
    const ms = Math.ceil(Math.min(passed * speed, endAtMs - story.atMs));
    if (!pace.isHalted()) await advance(story, ms, pace.step);
    pace.frame();
  }
}

/** In steps that end at the same moments whatever the pace, so that what is said at each of them is the same, too. */
async function advance(story: Playable, ms: number, stepped: () => void): Promise<void> {
  const end = story.atMs + ms;
  while (!story.isOver && story.atMs < end) {
    const toNext = stepMs - (story.atMs % stepMs);
    await story.advance(Math.min(toNext, end - story.atMs));
    if (story.atMs % stepMs === 0) stepped();
  }
}
