import type { Cancel, Clock } from "../domain/clock.ts";
import { type Attempt, ConsumerStopped, LeaseLost, TimeLimitExceeded } from "./attempt.ts";

/** What the watch needs of an attempt, whatever its payload. */
type Watched = Pick<
  Attempt<unknown, unknown>,
  | "message"
  | "attempt"
  | "deadlineAt"
  | "extendAt"
  | "extending"
  | "keepTurn"
  | "delivery"
  | "giveUp"
  | "startedAt"
  | "gaveUp"
>;

/**
 * The deliveries in hand, and the one timer that watches over all of them: time limits, leases, progress.
 *
 * A timer per message would cost more than the rest of the runtime; one that ticks while anything is in hand costs
 * nothing that can be measured, and is late by a tick at most.
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
  /** When a delivery last left, or arrived while there was none: what liveness goes by. */
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
    this.#tickMs = Math.max(5, Math.min(options.leaseMs / 6, options.timeLimitMs / 20, 1_000));
    this.#lost = options.lost;
    this.#progressAt = options.clock.now();
  }

  get size(): number {
    return this.#watched.size;
  }

  get progressAt(): number {
    return this.#progressAt;
  }

  add(attempt: Watched): void {
    const now = this.#clock.now();
    if (this.#watched.size === 0) this.#progressAt = now;
    attempt.extendAt = now + this.#leaseMs / 3;
    this.#watched.add(attempt);
    this.#cancelTick ??= this.#clock.after(this.#tickMs, this.#tick);
  }

  /** The handler begins: its time limit counts from now, not from when the message was taken. */
  begin(attempt: Watched): void {
    attempt.startedAt = this.#clock.now();
    attempt.deadlineAt = attempt.startedAt + this.#timeLimitMs;
  }

  remove(attempt: Watched): void {
    this.#watched.delete(attempt);
    this.#progressAt = this.#clock.now();
    if (this.#watched.size === 0) for (const emptied of this.#emptied.splice(0)) emptied();
  }

  /** Resolves when nothing is in hand any more. */
  empty(): Promise<void> {
    return this.#watched.size === 0 ? Promise.resolve() : new Promise((resolve) => this.#emptied.push(resolve));
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
    for (const attempt of this.#watched) {
      if (now >= attempt.deadlineAt) attempt.giveUp(this.#overLimit());
      if (now >= attempt.extendAt && !attempt.extending && !attempt.gaveUp) this.#extend(attempt, now);
    }
  };

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
