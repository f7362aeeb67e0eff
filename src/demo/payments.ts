import { type Host, pause } from "../domain/clock.ts";
import { Unprocessable } from "../domain/handler-errors.ts";
import type { Order } from "./order.ts";

/** "shaky": every third call times out; "down": every call is refused. */
export type PaymentsMood = "well" | "shaky" | "down";

const answersAfterMs = { least: 150, most: 350 };
const timesOutAfterMs = 800;
const refusesAfterMs = 60;
const shakyCall = 3;
const answersKept = 30;

/** What the handler depends on: a service elsewhere, well or not, which keeps its own books. */
export class Payments {
  readonly #host: Pick<Host, "clock" | "random">;
  /** How often each order was charged. Written here alone: the witness of what handlers really did. */
  readonly #books = new Map<number, number>();
  #mood: PaymentsMood = "well";
  #calls = 0;
  #answers: readonly boolean[] = [];

  constructor(host: Pick<Host, "clock" | "random">) {
    this.#host = host;
  }

  get mood(): PaymentsMood {
    return this.#mood;
  }

  get books(): ReadonlyMap<number, number> {
    return this.#books;
  }

  /** The latest calls, newest last: whether they were answered. */
  get answers(): readonly boolean[] {
    return this.#answers;
  }

  become(mood: PaymentsMood): void {
    this.#mood = mood;
    this.#calls = 0;
  }

  async charge({ order, card }: Order, signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#host;
    this.#calls += 1;
    if (this.#mood === "down") return this.#fail(refusesAfterMs, "payments is down", "ECONNREFUSED");
    // Counted, not rolled: a run of bad luck would open the breaker before the story gets there.
    if (this.#mood === "shaky" && this.#calls % shakyCall === 0) {
      return this.#fail(timesOutAfterMs, "payments timed out", "ETIMEDOUT");
    }
    const { least, most } = answersAfterMs;
    await pause(clock, Math.round(least + random() * (most - least)), signal);
    signal.throwIfAborted();
    this.#note(true);
    if (card === "expired") throw new Unprocessable("the card has expired");
    this.#books.set(order, (this.#books.get(order) ?? 0) + 1);
  }

  async #fail(afterMs: number, message: string, code: string): Promise<never> {
    await pause(this.#host.clock, afterMs);
    this.#note(false);
    throw Object.assign(new Error(message), { code });
  }

  #note(answered: boolean): void {
    this.#answers = [...this.#answers, answered].slice(-answersKept);
  }
}
