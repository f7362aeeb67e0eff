import type { Cancel } from "../domain/clock.ts";
import type { Gate } from "../transports/transport.ts";
import type { Breaker, BreakerChange } from "./breaker.ts";
import type { Events } from "./events.ts";

/** How an attempt ended, as far as a breaker cares: a message that is wrong in itself says nothing about the dependency. */
export type BreakerOutcome = "succeeded" | "failed" | "withdrawn";

export interface ConsumerGateOptions {
  readonly events: Events;
  /** The handler's own breaker, asked before each attempt and told of each result. */
  readonly breaker: Breaker | undefined;
  /** Breakers the handler's own calls go through. */
  readonly dependencies: readonly Breaker[];
  /** Whether an open breaker stops consuming. */
  readonly pauses: boolean;
}

/**
 * The consumer's breakers as the transport sees them: closed to 0 while one is open, narrowed to its probes while one is
 * half-open. Messages stay with the broker instead of being burnt.
 */
export class ConsumerGate implements Gate {
  readonly #options: ConsumerGateOptions;
  readonly #breakers: readonly Breaker[];
  readonly #listeners = new Set<() => void>();
  readonly #cancels: Cancel[];
  #limit = Number.POSITIVE_INFINITY;

  constructor(options: ConsumerGateOptions) {
    const { breaker, dependencies } = options;
    this.#options = options;
    this.#breakers = breaker ? [breaker, ...dependencies] : dependencies;
    this.#cancels = this.#breakers.map((one) => one.onChange((change) => this.#changed(change)));
    this.#refresh();
  }

  get limit(): number {
    return this.#limit;
  }

  onChange(changed: () => void): Cancel {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  /** Asks before an attempt. 0: not now; otherwise the token to report its result under. */
  admit(): number {
    const { breaker, dependencies } = this.#options;
    for (const dependency of dependencies) if (dependency.limit === 0) return 0;
    return breaker ? breaker.admit() : 1;
  }

  report(token: number, outcome: BreakerOutcome): void {
    this.#options.breaker?.[outcome](token);
  }

  /** How long until it is worth asking again, in milliseconds. */
  retryInMs(): number {
    return Math.max(0, ...this.#breakers.map((breaker) => breaker.retryInMs()));
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
    this.#listeners.clear();
  }

  #changed({ name, from, to }: BreakerChange): void {
    if (from !== to) this.#options.events.emit({ type: "breaker-changed", breaker: name, phase: to });
    this.#refresh();
  }

  #refresh(): void {
    if (!this.#options.pauses) return;
    const before = this.#limit;
    this.#limit = Math.min(Number.POSITIVE_INFINITY, ...this.#breakers.map((breaker) => breaker.limit));
    if (this.#limit === before) return;
    this.#tell(before);
    for (const changed of [...this.#listeners]) changed();
  }

  #tell(before: number): void {
    const { events } = this.#options;
    if (this.#limit === 0) {
      const open = this.#breakers.find((breaker) => breaker.limit === 0);
      events.emit({ type: "paused", breaker: open?.name ?? "", retryInMs: this.retryInMs() });
    } else if (before === 0) events.emit({ type: "resumed" });
  }
}
