import type { Clock } from "../../domain/clock.ts";

/** A charged message, as far as its turn goes. */
export interface Suspect {
  readonly queue: string;
  readonly redelivered: boolean;
  readonly leaseUntil: number;
}

/** One of those that wait comes back in this time. */
const apartMs = 1_000;
/** The longest delay that SQS sees to by itself. */
const longestWaitMs = 900_000;

/**
 * A charged message that comes back without a result is blamed for the death of its process. That is just only if no other
 * charged one was in hand with it: so of each queue there is one at a time.
 */
export class OneByOne {
  readonly #clock: Clock;
  readonly #inHand = new Map<string, Suspect>();
  /** When the last of those that wait comes back. */
  readonly #lastAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long it has to wait for others, in milliseconds; 0 makes it the one in hand. */
  waitMs(suspect: Suspect): number {
    const now = this.#clock.now();
    const { queue } = suspect;
    const other = this.#inHand.get(queue);
    if (other === undefined || other.leaseUntil <= now) {
      this.#inHand.set(queue, suspect);
      return 0;
    }
    // It cannot be sent again under a count that begins anew, and each time it comes in vain is one receive less.
    if (suspect.redelivered) return Math.max(apartMs, other.leaseUntil - now);
    // One after the other: all at once, all but one would only be sent again.
    const at = Math.min(Math.max(now, this.#lastAt.get(queue) ?? now) + apartMs, now + longestWaitMs);
    this.#lastAt.set(queue, at);
    return at - now;
  }

  over(suspect: Suspect): void {
    if (this.#inHand.get(suspect.queue) === suspect) this.#inHand.delete(suspect.queue);
  }
}
