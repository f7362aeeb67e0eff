import type { Clock } from "../../src/domain/clock.ts";
import type { Message } from "../../src/domain/message.ts";
import type { Taken } from "../../src/transports/pull-link.ts";
import { idOf } from "./planned-message.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

/** One hand-over of a message, as the broker knows it: whatever its holder believes. */
export interface HandOver {
  readonly id: string;
  readonly queue: string;
  readonly position: string;
  readonly holder: SimulatedProcess;
  readonly takenAt: number;
  /** True time at which its lease lapses. */
  leaseUntil: number;
  /** An attempt was charged for good before its handler ran. */
  isCharged: boolean;
  /** "held": settled by nobody yet. "settled": by its holder, in time. "lost": handed to somebody else afterwards. */
  state: "held" | "settled" | "lost";
}

export interface HandOverOptions {
  readonly clock: Clock;
  /** Since when nothing has gone wrong any more. */
  readonly quietSince: () => number;
  readonly accuse: (what: string) => void;
}

/**
 * Who has which message, kept beside the broker, to hold it to its promise: while a lease is valid its holder alone has
 * a say, and afterwards it has none.
 */
export class HandOvers<Receipt> {
  readonly all: HandOver[] = [];
  readonly #clock: Clock;
  readonly #quietSince: () => number;
  readonly #accuse: (what: string) => void;
  readonly #byReceipt = new Map<Receipt, HandOver>();
  readonly #byMessage = new WeakMap<Message, HandOver>();
  readonly #latest = new Map<string, { readonly receipt: Receipt; readonly handOver: HandOver }>();

  constructor({ clock, quietSince, accuse }: HandOverOptions) {
    this.#clock = clock;
    this.#quietSince = quietSince;
    this.#accuse = accuse;
  }

  of(receipt: Receipt): HandOver | undefined {
    return this.#byReceipt.get(receipt);
  }

  /** The one by which somebody got this very object. */
  ofMessage(message: Message): HandOver | undefined {
    return this.#byMessage.get(message);
  }

  /** Those that a process holds with a valid lease. */
  heldBy(process: SimulatedProcess): readonly HandOver[] {
    return this.all.filter((handOver) => handOver.holder === process && this.#isValid(handOver));
  }

  /** The latest by which a process got this message, or the one at this place, if it has not been settled. */
  heldAs(process: SimulatedProcess, name: string): HandOver | undefined {
    const isIt = ({ id, position }: HandOver) => id === name || position === `${id}@${name}`;
    return this.all.findLast((one) => one.holder === process && isIt(one) && one.state === "held");
  }

  took(
    holder: SimulatedProcess,
    { receipt, position: given, message }: Taken<Receipt>,
    { queue, leaseMs }: { readonly queue: string; readonly leaseMs: number },
  ): void {
    const id = idOf(message);
    const position = `${id}@${given}`;
    const before = this.#latest.get(position)?.handOver;
    if (before && this.#isValid(before)) {
      this.#accuse(`${position} was handed to ${holder.name} while ${before.holder.name} held a valid lease`);
    }
    if (before?.state === "held") this.#lose(before);
    const takenAt = this.#clock.now();
    const leaseUntil = takenAt + leaseMs;
    const handOver: HandOver = { id, queue, position, holder, takenAt, leaseUntil, isCharged: false, state: "held" };
    this.all.push(handOver);
    this.#byReceipt.set(receipt, handOver);
    this.#byMessage.set(message, handOver);
    this.#latest.set(position, { receipt, handOver });
  }

  /** The broker did what the holder of `receipt` asked, or refused to. */
  answered(receipt: Receipt, what: string, did: boolean, apply: (handOver: HandOver, now: number) => void): boolean {
    const handOver = this.#byReceipt.get(receipt);
    if (handOver === undefined) return did;
    const { position, holder, state } = handOver;
    if (did && state !== "held") this.#accuse(`a stale ${what} of ${position} by ${holder.name} was accepted`);
    if (!did && this.#isValid(handOver))
      this.#accuse(`a ${what} of ${position} by ${holder.name} was refused in spite of its lease`);
    if (did && state === "held") apply(handOver, this.#clock.now());
    return did;
  }

  settledIfHeld(receipt: Receipt): void {
    const handOver = this.#byReceipt.get(receipt);
    if (handOver && this.#isValid(handOver)) handOver.state = "settled";
  }

  /** Whoever holds, with a valid lease, what this receipt no longer stands for. */
  holderInsteadOf(receipt: Receipt): { readonly receipt: Receipt; readonly leftMs: number } | undefined {
    const handOver = this.#byReceipt.get(receipt);
    const latest = handOver && this.#latest.get(handOver.position);
    if (!latest || latest.handOver === handOver || !this.#isValid(latest.handOver)) return undefined;
    return { receipt: latest.receipt, leftMs: latest.handOver.leaseUntil - this.#clock.now() };
  }

  /** Nobody who is alive and well lets a lease lapse. */
  #lose(handOver: HandOver): void {
    handOver.state = "lost";
    const { holder, position, takenAt } = handOver;
    if (takenAt < this.#quietSince() || holder.state !== "running") return;
    this.#accuse(`${holder.name} let the lease of ${position} lapse`);
  }

  #isValid({ state, leaseUntil }: HandOver): boolean {
    return state === "held" && this.#clock.now() < leaseUntil;
  }
}
