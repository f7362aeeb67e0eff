import type { ActNow, Scene } from "../../demo/scene.ts";
import type { StoryListener } from "../../demo/story.ts";
import { wrap } from "../terminal/text.ts";
import { clockTime } from "./drawing.ts";

/** How often a log says how things stand, in milliseconds of the story. */
const standEveryMs = 5_000;

/** The story line by line, for a log. */
export class PlainTeller implements StoryListener {
  readonly #print: (text: string) => void;
  readonly #columns: number;
  #stoodAt = 0;

  constructor(print: (text: string) => void, columns: number) {
    this.#print = print;
    this.#columns = columns;
  }

  act({ number, of, title, caption }: ActNow): void {
    if (number > 1) this.#print("");
    this.#print(`${number} of ${of}: ${title}`);
    for (const line of wrap(caption, this.#columns)) this.#print(line);
  }

  line({ atMs, text }: { readonly atMs: number; readonly text: string }): void {
    this.#print(`${clockTime(atMs)} ${text}`);
  }

  /** Says now and then how things stand. */
  look(scene: Scene): void {
    if (scene.atMs - this.#stoodAt < standEveryMs) return;
    this.#stoodAt = scene.atMs - (scene.atMs % standEveryMs);
    this.#print(`${clockTime(scene.atMs)} ${standOf(scene)}`);
  }
}

function standOf({ queue, waiting, handlers, payments, deadLetters, quarantine, breaker }: Scene): string {
  return [
    `-- queue ${queue.ready}`,
    `waiting ${waiting.length}`,
    `handlers ${handlers.running.length}/${handlers.of}`,
    `breaker ${breaker.phase}`,
    `charged ${payments.charged}`,
    `dead ${deadLetters.length + quarantine.length}`,
  ].join(", ");
}
