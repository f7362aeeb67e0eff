import { type Ending, Story } from "../../demo/story.ts";
import type { Cancel } from "../../domain/clock.ts";
import type { Context } from "../command.ts";
import { drawScene } from "./drawing.ts";
import { endingLines } from "./ending.ts";
import { play, type Telling } from "./play.ts";
import { type Display, type Keyboard, Screen } from "./screen.ts";

/** The terminal that is drawn on. */
export interface Window {
  readonly keyboard: Keyboard;
  readonly display: Display;
  /** Calls `run` when the process ends, however it does, unless cancelled. */
  onExit(run: () => void): Cancel;
}

/** A terminal in raw mode sends Escape, Ctrl-C and Ctrl-D as characters. */
export const quitKeys: readonly string[] = ["q", "Q", "\u001b", "\u0003", "\u0004"];

/** Draws the story as it goes on, all over the window; then the summary, where the window was before. */
export async function tellInPictures(
  telling: Telling,
  { terminal, clock, print }: Pick<Context, "terminal" | "clock" | "print">,
  { keyboard, display, onExit }: Window,
): Promise<Ending> {
  const { seed, speed } = telling;
  const quit = new AbortController();
  const signal = AbortSignal.any([telling.signal, quit.signal]);
  let halted = false;
  const screen = new Screen(keyboard, display, (key) => {
    if (key === " ") halted = !halted;
    else if (quitKeys.includes(key)) quit.abort();
  });
  const story = new Story(seed);
  const frame = () => {
    const around = { ...screen.size, seed, speed, halted, hasKeys: screen.hasKeys };
    screen.show(drawScene(story.scene(), around, terminal));
  };
  // A second Ctrl-C or a bug ends the process without coming back here.
  const cancel = onExit(() => screen.close());
  try {
    screen.open();
    frame();
    await play(story, { ...telling, clock, signal, isHalted: () => halted, step: () => {}, frame });
  } finally {
    screen.close();
    cancel();
  }
  const ending = await story.end();
  print(endingLines(ending, seed, terminal).join("\n"));
  return ending;
}
