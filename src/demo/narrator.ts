import type { ConsumerEvent, Observer } from "../runtime/events.ts";
import { sendingOf } from "./order.ts";
import { readyIn } from "./scene-of.ts";
import { type Line, sentenceFor } from "./sentences.ts";
import { type World, worldSettings } from "./world.ts";

const linesKept = 60;
/** What went well is told when there is nothing else to tell: at the first attempt, and at a later one. */
const quietForMs = { first: 1_300, later: 400 };

/** Tells in words what a consumer does, as it happens. */
export class Narrator implements Observer {
  readonly #world: World;
  readonly #startedAt: number;
  readonly #tell: (line: Line) => void;
  #lines: readonly Line[] = [];

  /** `tell` is told each line as it comes. */
  constructor(world: World, tell: (line: Line) => void) {
    this.#world = world;
    this.#startedAt = world.clock.now();
    this.#tell = tell;
  }

  /** The latest, newest last. */
  get lines(): readonly Line[] {
    return this.#lines;
  }

  event(event: ConsumerEvent): void {
    const atMs = event.at - this.#startedAt;
    if (event.type === "attempt-succeeded" && !this.#isQuiet(atMs, event.attempt)) return;
    const sentence = sentenceFor(event, this.#knowledgeFor(event));
    if (sentence === undefined) return;
    const line = { atMs, ...sentence };
    this.#lines = [...this.#lines, line].slice(-linesKept);
    this.#tell(line);
  }

  #isQuiet(atMs: number, attempt: number): boolean {
    const quiet = atMs - (this.#lines.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY);
    return quiet > (attempt === 1 ? quietForMs.first : quietForMs.later);
  }

  #knowledgeFor(event: ConsumerEvent) {
    const { chronicle, breaker } = this.#world;
    return {
      maxAttempts: worldSettings.maxAttempts,
      failure: "message" in event ? chronicle.failureOf(sendingOf(event.message)) : "",
      because: breaker.snapshot().transitions.at(-1)?.because ?? "",
      probesNeeded: worldSettings.breaker.successesToClose,
      queued: readyIn(this.#world),
    };
  }
}
