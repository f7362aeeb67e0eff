import type { Cancel, Clock } from "../domain/clock.ts";
import { requireNumber, requireOption, withDefaults } from "../domain/options.ts";
import { BreakerOpen } from "../policies/breaker-open.ts";
import {
  type BreakerPhase,
  type BreakerSnapshot,
  CircuitBreaker,
  type CircuitBreakerOptions,
  circuitBreakerDefaults,
} from "../policies/circuit-breaker.ts";
import { countsAgainstBreaker, readFailure } from "../policies/failure.ts";
import type { SharedState } from "../stores/shared-state.ts";
import { systemClock } from "../system/host.ts";
import { SharedCircuit } from "./shared-circuit.ts";
import { isTicket } from "./tickets.ts";

export interface BreakerOptions extends CircuitBreakerOptions {
  /** What it is called in events and errors; breakers of one name in one store are one breaker. @default "breaker" */
  readonly name?: string;
  /** Where all instances share its state. @default none: each process has its own */
  readonly store?: SharedState | null;
  /** How often the shared state is looked at, in milliseconds. Rarer means later to learn of an outage. @default 1_000 */
  readonly pollMs?: number;
  /** @default the system's */
  readonly clock?: Clock;
}

export const breakerDefaults: Required<BreakerOptions> = {
  ...circuitBreakerDefaults,
  name: "breaker",
  store: null,
  pollMs: 1_000,
  clock: systemClock,
};

/** What a listener is told. `from` and `to` are the same when only `limit` changed. */
export interface BreakerChange {
  readonly name: string;
  readonly from: BreakerPhase;
  readonly to: BreakerPhase;
  readonly because: string;
}

/**
 * Stops calls to what keeps failing. Ask `admit` before each call and report its result, or let `run` do both.
 *
 * With a store all instances share one state. Asking stays synchronous: each process counts for itself, tells the others
 * when it opens, and learns from them. Probes are leased in the store, so that all instances together never make more
 * than `probes` at once. While the store is away each process goes on by itself.
 */
export interface Breaker {
  readonly name: string;
  readonly phase: BreakerPhase;
  /** Calls that may be under way: all while closed, none while open, this process's probes while half-open. */
  readonly limit: number;
  /** A token to report the result with, or 0: the call must not be made. */
  admit(): number;
  succeeded(token: number): void;
  failed(token: number): void;
  /** Ends a call that says nothing about what it called. */
  withdrawn(token: number): void;
  /** How long until a denied call is worth another try, in milliseconds; 0 if it is now. */
  retryInMs(): number;
  /**
   * Makes the call, or throws `BreakerOpen`. Failures that are the message's own (schema, business) do not count.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Opens it until `release`; with a store, for all instances. */
  forceOpen(because?: string): void;
  release(): void;
  snapshot(): BreakerSnapshot;
  /** Calls `listener` after each change of phase or limit, until cancelled. It must not throw. */
  onChange(listener: (change: BreakerChange) => void): Cancel;
  /** Stops looking at the store and calling listeners. Calling it again does nothing. */
  close(): Promise<void>;
}

export function createBreaker(options?: BreakerOptions): Breaker {
  return new ManagedBreaker(options);
}

class ManagedBreaker implements Breaker {
  readonly name: string;
  readonly #clock: Clock;
  readonly #circuit: CircuitBreaker;
  readonly #probes: number;
  readonly #shared: SharedCircuit | undefined;
  readonly #listeners = new Set<(change: BreakerChange) => void>();
  #told: { readonly phase: BreakerPhase; readonly limit: number } = {
    phase: "closed",
    limit: Number.POSITIVE_INFINITY,
  };
  #cancelWake: Cancel = () => {};
  #closed = false;

  constructor(options?: BreakerOptions) {
    const { name, store, pollMs, clock, ...rest } = withDefaults(breakerDefaults, options, "breaker");
    requireOption(typeof name === "string" && name !== "", "breaker.name", "a name", name);
    requireNumber("breaker.pollMs", pollMs, { min: 10, max: 3_600_000 });
    this.name = name;
    this.#clock = clock;
    this.#circuit = new CircuitBreaker(rest, "breaker");
    this.#probes = rest.probes;
    const wants = () => (this.#listeners.size > 0 ? this.#probes : 0);
    const shape = { name, pollMs, clock, wants, circuit: rest, local: this.#circuit, changed: () => this.#changed() };
    this.#shared = store === null ? undefined : new SharedCircuit({ ...shape, store });
  }

  get phase(): BreakerPhase {
    if (this.#circuit.closedToken === 0) this.#circuit.refresh(this.#clock.now());
    return this.#circuit.phase;
  }

  get limit(): number {
    return this.#limitIn(this.phase);
  }

  #limitIn(phase: BreakerPhase): number {
    if (phase === "closed") return Number.POSITIVE_INFINITY;
    if (phase === "open") return 0;
    return this.#shared?.isConnected ? this.#shared.tickets : this.#probes;
  }

  admit(): number {
    const token = this.#circuit.closedToken;
    return token === 0 ? this.#admitProbe() : token;
  }

  succeeded(token: number): void {
    if (this.#circuit.succeededAnyTime(token)) return;
    if (isTicket(token)) this.#shared?.settle("succeeded", token);
    else this.#circuit.succeeded(token, this.#clock.now());
    this.#changed();
  }

  failed(token: number): void {
    const now = this.#clock.now();
    if (!isTicket(token)) this.#failedHere(token, now);
    // Opened here at once; until when, and whether somebody was faster, is for the store to say.
    else if (this.#shared?.settle("failed", token)) this.#circuit.open(now, "a probe failed");
    this.#changed();
  }

  withdrawn(token: number): void {
    if (isTicket(token)) this.#shared?.settle("withdrawn", token);
    else this.#circuit.withdrawn(token, this.#clock.now());
    this.#changed();
  }

  retryInMs(): number {
    const waitsForTicket = this.phase === "half-open" && this.#shared?.isConnected;
    return waitsForTicket ? this.#shared.retryInMs : this.#circuit.retryInMs(this.#clock.now());
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const token = this.admit();
    if (token === 0) throw new BreakerOpen(this.name, this.retryInMs());
    let result: Result;
    try {
      result = await work();
    } catch (error) {
      const { kind } = readFailure(error, { now: this.#clock.now() });
      this[countsAgainstBreaker(kind) ? "failed" : "withdrawn"](token);
      throw error;
    }
    this.succeeded(token);
    return result;
  }

  forceOpen(because = "opened by hand"): void {
    this.#circuit.forceOpen(this.#clock.now(), because);
    this.#shared?.tell({ kind: "force-open", because });
    this.#changed();
  }

  release(): void {
    this.#circuit.release(this.#clock.now());
    this.#shared?.tell({ kind: "release" });
    this.#changed();
  }

  snapshot(): BreakerSnapshot {
    return this.#circuit.snapshot();
  }

  onChange(listener: (change: BreakerChange) => void): Cancel {
    this.#listeners.add(listener);
    this.#scheduleWake();
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    this.#cancelWake();
    await this.#shared?.close();
  }

  #admitProbe(): number {
    const phase = this.phase;
    const byTicket = phase === "half-open" && this.#shared?.isConnected;
    const token = byTicket ? this.#shared.takeTicket() : this.#circuit.admit(this.#clock.now());
    if (byTicket && token === 0) this.#circuit.deny();
    this.#changed();
    return token;
  }

  #failedHere(token: number, now: number): void {
    const wasClosed = this.#circuit.closedToken !== 0;
    this.#circuit.failed(token, now);
    if (wasClosed && this.#circuit.phase === "open") this.#shared?.opened(this.#because());
  }

  #because(): string {
    return this.#circuit.snapshot().transitions.at(-1)?.because ?? "";
  }

  #changed(): void {
    const { phase: from, limit: before } = this.#told;
    const to = this.phase;
    const limit = this.#limitIn(to);
    if (from === to && before === limit) return;
    this.#told = { phase: to, limit };
    this.#scheduleWake();
    const change: BreakerChange = { name: this.name, from, to, because: this.#because() };
    for (const listener of [...this.#listeners]) listener(change);
  }

  /** Without listeners nobody needs to be told that the time has come: whoever asks finds out. */
  #scheduleWake(): void {
    this.#cancelWake();
    const isAwaited = !this.#closed && (this.#listeners.size > 0 || this.#shared !== undefined);
    // By what was told, not by what is: its time may have come since, and somebody must still be told of that.
    if (!isAwaited || this.#told.phase !== "open") return;
    this.#cancelWake = this.#clock.after(Math.max(1, this.#circuit.retryInMs(this.#clock.now())), () => {
      this.#changed();
      this.#shared?.sync();
      this.#scheduleWake();
    });
  }
}
