import type { Cancel, Clock } from "../../domain/clock.ts";
import { isHeld } from "./lease.ts";
import type { NatsReceipt } from "./receipt.ts";

/**
 * Keeps messages for longer than the server waits for an answer: a consumer of JetStream has one such time, whatever lease
 * was asked for. Where that time is long enough, as on consumers that we make, there is nothing to keep.
 */
export class Keeper {
  readonly #clock: Clock;
  readonly #keep: (receipts: readonly NatsReceipt[]) => void;
  readonly #kept = new Set<NatsReceipt>();
  #timer: { readonly everyMs: number; readonly cancel: Cancel } | null = null;

  constructor(clock: Clock, keep: (receipts: readonly NatsReceipt[]) => void) {
    this.#clock = clock;
    this.#keep = keep;
  }

  add(receipt: NatsReceipt): void {
    if (receipt.until - this.#clock.now() <= receipt.ackWaitMs) return;
    this.#kept.add(receipt);
    this.#beat(receipt.ackWaitMs / 3);
  }

  release(receipt: NatsReceipt): void {
    if (this.#kept.size > 0) this.#kept.delete(receipt);
  }

  stop(): void {
    this.#kept.clear();
    this.#timer?.cancel();
    this.#timer = null;
  }

  #beat(everyMs: number): void {
    if (this.#timer !== null && this.#timer.everyMs <= everyMs) return;
    this.#timer?.cancel();
    const cancel = this.#clock.after(everyMs, () => {
      this.#timer = null;
      for (const receipt of this.#kept) if (!isHeld(receipt, this.#clock)) this.#kept.delete(receipt);
      if (this.#kept.size === 0) return;
      this.#keep([...this.#kept]);
      this.#beat(everyMs);
    });
    this.#timer = { everyMs, cancel };
  }
}
