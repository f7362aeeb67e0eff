import { type Host, pause } from "../domain/clock.ts";
import { repeatDelayMs } from "../transports/repeat-delay.ts";
import type { OutboxTable, Settled } from "./outbox-table.ts";

/** Something to be said about a message, and until when its lease lets us. */
export interface Unsettled extends Settled {
  readonly leaseEndsAt: number;
}

export interface SettlerParts {
  readonly table: OutboxTable;
  readonly host: Host;
  /** The database did not do it, or did not say so; it is asked again. */
  readonly failed: (error: unknown) => void;
  /** These are settled; of `lost` the lease was over before. */
  readonly settled: (items: readonly Unsettled[], lost: ReadonlySet<string>) => void;
}

const maxBatch = 500;

/**
 * Says what became of messages, one statement at a time and in the order it was told: what comes meanwhile goes with the
 * next one. An answer that does not come is unknown, so it is said again; what was done before is not done twice.
 */
export class Settler {
  readonly #parts: SettlerParts;
  #waiting: Unsettled[] = [];
  #running: Promise<void> | null = null;
  #failures = 0;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  settle(items: readonly Unsettled[]): void {
    if (items.length === 0) return;
    this.#waiting.push(...items);
    this.#running ??= this.#run();
  }

  /** Resolves when all is said, or the leases of the rest are over. */
  async drained(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    // What is told in this turn is one statement.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#settleSome();
    this.#running = null;
  }

  async #settleSome(): Promise<void> {
    const { table, host, settled, failed } = this.#parts;
    const batch = this.#waiting.slice(0, maxBatch);
    try {
      const current = await table.settle(batch);
      this.#waiting = this.#waiting.slice(batch.length);
      // After a failure it is not known whether the first time did it.
      const lost = this.#failures > 0 ? [] : batch.filter(({ id }) => !current.has(id));
      this.#failures = 0;
      settled(batch, new Set(lost.map(({ id }) => id)));
    } catch (error) {
      failed(error);
      this.#failures += 1;
      await pause(host.clock, repeatDelayMs(this.#failures, host.random));
      this.#giveUpLate();
    }
  }

  /** What another relay may have by now is sent again by it: under the same key, and never lost. */
  #giveUpLate(): void {
    const now = this.#parts.host.clock.now();
    const late = this.#waiting.filter(({ leaseEndsAt }) => leaseEndsAt <= now);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter(({ leaseEndsAt }) => leaseEndsAt > now);
    this.#parts.settled(late, new Set(late.map(({ id }) => id)));
  }
}
