import type { Clock } from "../domain/clock.ts";
import type { ActNow } from "./scene.ts";
import type { Act, Stage } from "./script.ts";

/** How often it is looked whether an act is over, in milliseconds. */
const lookEveryMs = 100;

/** Takes the world through the acts of a script, one after the other. */
export class Director {
  readonly #acts: readonly Act[];
  readonly #stage: Stage;
  readonly #clock: Clock;
  readonly #announce: (act: ActNow) => void;
  #index = -1;
  #beganAt = 0;
  #stopped = false;

  constructor(options: {
    readonly acts: readonly Act[];
    readonly stage: Stage;
    readonly clock: Clock;
    /** Told when an act begins. */
    readonly announce: (act: ActNow) => void;
  }) {
    this.#acts = options.acts;
    this.#stage = options.stage;
    this.#clock = options.clock;
    this.#announce = options.announce;
  }

  /** The act that is on; the last one once all are over. */
  get act(): ActNow {
    const number = Math.min(Math.max(0, this.#index), this.#acts.length - 1) + 1;
    const { title = "", caption = "" } = this.#acts[number - 1] ?? {};
    return { number, of: this.#acts.length, title, caption };
  }

  /** All acts are over. */
  get isOver(): boolean {
    return this.#index >= this.#acts.length;
  }

  begin(): void {
    this.#next();
    this.#look();
  }

  stop(): void {
    this.#stopped = true;
  }

  #look(): void {
    const act = this.#acts[this.#index];
    if (act === undefined) return;
    const lasted = this.#clock.now() - this.#beganAt;
    if (lasted >= act.leastMs && act.happened(this.#stage)) this.#next();
    this.#after(lookEveryMs, () => this.#look());
  }

  #next(): void {
    this.#index += 1;
    this.#beganAt = this.#clock.now();
    const act = this.#acts[this.#index];
    if (act === undefined) return;
    this.#announce(this.act);
    for (const { afterMs, perform } of act.cues) this.#after(afterMs, () => perform(this.#stage));
  }

  #after(delayMs: number, run: () => void): void {
    this.#clock.after(delayMs, () => {
      if (!this.#stopped) run();
    });
  }
}
