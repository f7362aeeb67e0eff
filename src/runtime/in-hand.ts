import type { Cancel, Clock } from "../domain/clock.ts";
import { type Attempt, ConsumerStopped, LeaseLost, TimeLimitExceeded } from "./attempt.ts";

/** What the watch needs of an attempt, whatever its payload. */
type Watched = Pick<
  Attempt<unknown, unknown>,
  | "message"
  | "attempt"
  | "begun"
  | "deadlineAt"
  | "extendAt"
  | "extending"
  | "keepTurn"
  | "delivery"
  | "giveUp"
  | "gaveUp"
>;

/**
 * The deliveries in hand, and the one timer that watches over all of them: time limits, leases, progress.
 *
 * A timer per message, or even a look at the clock, would cost more than the rest of the runtime. One timer ticks while
 * anything is in hand; limits and leases count from the first tick that sees a delivery, so they are late by two ticks
 * at most.
 */
export class InHand {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #tickMs: number;
  readonly #timeLimitMs: number;
  readonly #watched = new Set<Watched>();
  readonly #lost: (attempt: Watched) => void;
  #cancelTick: Cancel | undefined = undefined;
  #emptied: (() => void)[] = [];
  /** Deliveries that left, and that came while there was none: what liveness goes by. */
  #steps = 0;
  #seenSteps = 0;
  #progressAt: number;

  constructor(options: {
    clock: Clock;
    leaseMs: number;
    timeLimitMs: number;
    /** Told of a delivery that went to another consumer. */
    lost: (attempt: Watched) => void;
  }) {
    this.#clock = options.clock;
    this.#leaseMs = options.leaseMs;
    this.#timeLimitMs = options.timeLimitMs;
    this.#tickMs = Math.max(5, Math.min(options.leaseMs / 8, options.timeLimitMs / 20, 1_000));
    this.#lost = options.lost;
    this.#progressAt = options.clock.now();
  }

  get size(): number {
    return this.#watched.size;
  }

  /** When something was last seen to finish. */
  get progressAt(): number {
    this.#noteProgress(this.#clock.now());
    return this.#progressAt;
  }

  add(attempt: Watched): void {
    if (this.#watched.size === 0) this.#steps++;
    this.#watched.add(attempt);
    this.#cancelTick ??= this.#clock.after(this.#tickMs, this.#tick);
  }

  remove(attempt: Watched): void {
    this.#watched.delete(attempt);
    this.#steps++;
    if (this.#watched.size === 0) for (const emptied of this.#emptied.splice(0)) emptied();
  }

  /** Resolves when nothing is in hand any more. */
  empty(): Promise<void> {
    return this.#watched.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#emptied.push(resolve));
  }

  /** Nothing will come any more: no timer may keep the process from ending. */
  close(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }

  giveUpAll(): number {
    const reason = new ConsumerStopped("The consumer stopped and its drain deadline is over.");
    for (const attempt of this.#watched) attempt.giveUp(reason);
    return this.#watched.size;
  }

  readonly #tick = (): void => {
    // Nothing in hand for a whole tick: the next delivery starts the timer again.
    this.#cancelTick = this.#watched.size === 0 ? undefined : this.#clock.after(this.#tickMs, this.#tick);
    const now = this.#clock.now();
    this.#noteProgress(now);
    for (const attempt of this.#watched) if (!attempt.gaveUp) this.#look(attempt, now);
  };

  #look(attempt: Watched, now: number): void {
    if (attempt.begun && attempt.deadlineAt === 0) attempt.deadlineAt = now + this.#timeLimitMs;
    // The transport hands over with half of the lease left at least.
    if (attempt.extendAt === 0) attempt.extendAt = now + this.#leaseMs / 8;
    if (attempt.deadlineAt !== 0 && now >= attempt.deadlineAt) attempt.giveUp(this.#overLimit());
    else if (now >= attempt.extendAt && !attempt.extending) this.#extend(attempt, now);
  }

  #noteProgress(now: number): void {
    if (this.#steps === this.#seenSteps) return;
    this.#seenSteps = this.#steps;
    this.#progressAt = now;
  }

  #overLimit(): TimeLimitExceeded {
    return new TimeLimitExceeded(`The handler did not finish within its time limit of ${this.#timeLimitMs} ms.`);
  }

  #extend(attempt: Watched, now: number): void {
    attempt.extendAt = now + this.#leaseMs / 3;
    attempt.extending = this.#extendBoth(attempt).then(
      (kept) => {
        attempt.extending = undefined;
        if (kept) return;
        this.#lost(attempt);
        attempt.giveUp(new LeaseLost("The message's lease was lost: another consumer has it."));
      },
      () => {
        // Unknown whether it was extended: ask again soon, while there is lease left.
        attempt.extending = undefined;
        attempt.extendAt = now + this.#tickMs;
      },
    );
  }

  async #extendBoth(attempt: Watched): Promise<boolean> {
    const keepTurn = attempt.keepTurn;
    const [delivery, turn] = await Promise.all([
      attempt.delivery.extend(this.#leaseMs),
      keepTurn ? keepTurn(this.#leaseMs) : true,
    ]);
    return delivery && turn;
  }
}
