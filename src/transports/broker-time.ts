import type { Clock } from "../domain/clock.ts";

/** So many of the last answers are remembered: one of them was quick, and clocks do not drift far meanwhile. */
const remembered = 32;

/**
 * The broker's time, as far as it told us. Due times go by it, since a host's clock may be set, or run on its own for
 * months; never ahead of it, so that nothing is due too early.
 */
export class BrokerTime {
  readonly #clock: Clock;
  readonly #aheadMs: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The broker appended something at this time of its own, at some moment before now. */
  observe(appendedAt: number): void {
    this.#aheadMs.push(appendedAt - this.#clock.now());
    if (this.#aheadMs.length > remembered) this.#aheadMs.shift();
  }

  /** Our own time, as long as the broker has not told us of its. */
  now(): number {
    return this.#clock.now() + (this.#aheadMs.length === 0 ? 0 : Math.max(...this.#aheadMs));
  }
}
