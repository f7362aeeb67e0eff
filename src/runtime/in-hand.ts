import type { Cancel, Clock } from "../domain/clock.ts";
import { SlotList } from "../domain/slot-list.ts";
import { type Attempt, ConsumerStopped, LeaseLost, TimeLimitExceeded } from "./attempt.ts";

/** What the watch needs of an attempt, whatever its payload. */
type Watched = Omit<Attempt<unknown, unknown>, "run">;

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
  readonly #watched = new SlotList<Watched>();
  readonly #lost: (attempt: Watched) => void;
  #cancelTick: Cancel | undefined = undefined;
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
    this.#watched.remove(attempt);
    this.#steps++;
  }

  /** Nothing will come any more: no timer may keep the process from ending. */
  close(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }

  /** Gives up every handler at work, and lets go of what hangs elsewhere a tick later. Says how many there were. */
  giveUpAll(): number {
    const reason = new ConsumerStopped("The consumer stopped and its drain deadline is over.");
    const { all } = this.#watched;
    for (const attempt of all) attempt.giveUp(reason);
    this.#clock.after(this.#tickMs, () => {
      for (const attempt of all) if (this.#watched.has(attempt)) attempt.letGo(reason);
    });
    return all.length;
  }

  readonly #tick = (): void => {
    // Nothing in hand for a whole tick: the next delivery starts the timer again.
    this.#cancelTick = this.#watched.size === 0 ? undefined : this.#clock.after(this.#tickMs, this.#tick);
    const now = this.#clock.now();
    this.#noteProgress(now);
    for (const attempt of this.#watched.all) this.#look(attempt, now);
  };

  #look(attempt: Watched, now: number): void {
    if (attempt.begun && attempt.deadlineAt === 0) attempt.deadlineAt = now + this.#timeLimitMs;
    // Not only handlers hang: so do schemas, tracers and connections. Twice the limit is enough for all of it together.
    if (attempt.place !== "none" && attempt.lastAt === 0) attempt.lastAt = now + 2 * this.#timeLimitMs;
    // The transport hands over with half of the lease left at least.
    if (attempt.extendAt === 0) attempt.extendAt = now + this.#leaseMs / 8;
    if (attempt.deadlineAt !== 0 && now >= attempt.deadlineAt) attempt.giveUp(this.#overLimit());
    if (attempt.lastAt !== 0 && now >= attempt.lastAt) this.#letGo(attempt);
    else if (now >= attempt.extendAt && !attempt.extending && !attempt.gaveUp) this.#extend(attempt, now);
  }

  #letGo(attempt: Watched): void {
    attempt.letGo(this.#overLimit());
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
    attempt.extending = true;
    this.#extendBoth(attempt).then(
      (kept) => {
        attempt.extending = false;
        // One that was settled meanwhile has no lease to keep.
        if (kept || !this.#watched.has(attempt)) return;
        this.#lost(attempt);
        attempt.giveUp(new LeaseLost("The message's lease was lost: another consumer has it."));
      },
      () => {
        // Unknown whether it was extended: ask again soon, while there is lease left.
        attempt.extending = false;
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
