import type { Clock } from "../../domain/clock.ts";
import { BrokerTime } from "../broker-time.ts";

/** The longest delay that SQS sees to by itself when a message is sent: 15 minutes. */
export const longestDelayS = 900;
/** The longest a message can be hidden, all extensions included: 12 hours. Some of it is left for a late answer. */
export const longestHiddenS = 43_200 - 60;

/** What SQS tells of a hand-over. */
export interface HandOverFacts {
  readonly sentAt: number;
  readonly firstReceivedAt: number;
  readonly receives: number;
  /** How long it has to wait in all, counted from when it was sent; 0 where SQS sees to that. */
  readonly waitMs: number;
}

/** Messages that were handed to us before their time, by the clock of SQS. */
export class Waits {
  readonly #time: BrokerTime;
  readonly #clock: Clock;
  readonly #most: number;
  /** When each of those we hid will be seen again, by our own clock. */
  #hidden: number[] = [];

  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
    this.#time = new BrokerTime(clock);
  }

  /** The first receive of a message happened just now. */
  observe({ receives, firstReceivedAt }: HandOverFacts): void {
    if (receives === 1 && firstReceivedAt > 0) this.#time.observe(firstReceivedAt);
  }

  /** How long it has still to wait, in milliseconds; 0 once it is due. */
  leftMs({ sentAt, waitMs }: HandOverFacts): number {
    return waitMs === 0 ? 0 : Math.max(0, sentAt + waitMs - this.#time.now());
  }

  /**
   * Whether one more may wait in flight, for so long. SQS allows 120,000 messages in flight, and nobody gets a message of
   * the queue beyond that: so we keep a share of it, and send the others again.
   */
  mayHide(ms: number): boolean {
    const now = this.#clock.now();
    this.#hidden = this.#hidden.filter((until) => until > now);
    if (this.#hidden.length >= this.#most) return false;
    this.#hidden.push(now + ms);
    return true;
  }
}

/** Whether its first receive came before its time, and did no more than hide it: at most one does. */
export function wasHidden({ sentAt, firstReceivedAt, receives, waitMs }: HandOverFacts): boolean {
  return waitMs > 0 && receives > 1 && firstReceivedAt < sentAt + waitMs;
}
