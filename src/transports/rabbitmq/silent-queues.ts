import type { Clock } from "../../domain/clock.ts";

/** How long a queue that did not answer is left alone, in milliseconds. */
const avoidedMs = 300_000;

/**
 * Queues that are there and confirm nothing: their server died just after they were made, or their majority is away.
 * Where there is a choice, others are used meanwhile.
 */
export class SilentQueues {
  readonly #clock: Clock;
  readonly #since = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(name: string): void {
    const now = this.#clock.now();
    for (const [other, since] of this.#since) if (now - since >= avoidedMs) this.#since.delete(other);
    this.#since.set(name, now);
  }

  has(name: string): boolean {
    const since = this.#since.get(name);
    return since !== undefined && this.#clock.now() - since < avoidedMs;
  }
}
