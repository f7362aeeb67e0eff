import { type Cancel, type Clock, within } from "../domain/clock.ts";
import { OfficeError } from "../domain/errors.ts";
import { readSnapshot } from "../policies/breaker-snapshot.ts";
import {
  type BreakerCounters,
  type BreakerSnapshot,
  CircuitBreaker,
  type CircuitBreakerOptions,
} from "../policies/circuit-breaker.ts";
import type { SharedState } from "../stores/shared-state.ts";
import { type CircuitNews, type ProbeResult, shiftTimes, tellCircuit } from "./circuit-document.ts";
import { Tickets } from "./tickets.ts";

export interface SharedCircuitOptions {
  readonly name: string;
  readonly store: SharedState;
  readonly pollMs: number;
  readonly clock: Clock;
  readonly circuit: Required<CircuitBreakerOptions>;
  /** This process's own breaker, made to follow the shared one. */
  readonly local: CircuitBreaker;
  /** Probes this process would make if it could, though nobody has asked yet. */
  readonly wants: () => number;
  /** Called whenever the local breaker or the number of tickets may have changed. */
  readonly changed: () => void;
}

/** A store that does not answer for this long is away, in milliseconds. */
const storeTimeoutMs = 5_000;
/** Counters alone are written no more often than this, in milliseconds. */
const tallyMs = 10_000;
/** How often a write is tried again at once when somebody else was faster. */
const maxTries = 5;
/** News kept for a store that is away. */
const maxNews = 100;

/**
 * Keeps a local breaker in step with the one in the store.
 *
 * The document in the store is the snapshot of a breaker, moved by the same state machine, under the store's clock, by
 * compare-and-set. Admission must not wait for a store, so probes are leased ahead: a ticket is a probe that the shared
 * breaker has admitted and that a local call may take up. A ticket nobody takes up goes back, so that an idle process
 * does not sit on the only probe while a busy one waits.
 */
export class SharedCircuit {
  readonly #options: SharedCircuitOptions;
  readonly #tickets: Tickets;
  /** What the store has not been told yet, oldest first. */
  #news: CircuitNews[] = [];
  #isConnected = false;
  /** The shared breaker's epoch that the local one follows, or followed when it last saw the store. */
  #epoch: number | null = null;
  /** Calls denied for want of a ticket since the store was last asked for some. */
  #asked = 0;
  /** Until then this process leaves the tickets to others: it had some and no call for them. */
  #idleUntil = 0;
  #tallied: BreakerCounters;
  #talliedAt: number;
  #syncing: Promise<void> | null = null;
  #syncAgain = false;
  #closed = false;
  #cancelPoll: Cancel = () => {};

  constructor(options: SharedCircuitOptions) {
    const { clock, pollMs, circuit, local } = options;
    const leaseMs = circuit.probeLeaseMs;
    this.#options = options;
    this.#tickets = new Tickets({ clock, leaseMs, holdMs: Math.min(5 * pollMs, leaseMs / 2) });
    this.#tallied = local.snapshot().counters;
    this.#talliedAt = clock.now();
    this.sync();
  }

  /** False while the store is away: then the local breaker makes its own probes. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  get tickets(): number {
    return this.#tickets.count;
  }

  /** When tickets may be there again, in milliseconds. */
  get retryInMs(): number {
    return this.tickets > 0 ? 0 : this.#options.pollMs;
  }

  takeTicket(): number {
    const token = this.#tickets.take();
    if (token === 0) this.#asked++;
    return token;
  }

  /** Reports what became of a ticket's call. False: its lease is over, it says nothing any more. */
  settle(result: ProbeResult, ticket: number): boolean {
    const token = this.#tickets.settle(ticket);
    if (token !== undefined) this.tell({ kind: result, token });
    return token !== undefined;
  }

  opened(because: string): void {
    this.tell({ kind: "open", because, epoch: this.#isConnected ? this.#epoch : null });
  }

  tell(news: CircuitNews): void {
    this.#news.push(news);
    if (this.#news.length > maxNews) this.#news.shift();
    this.sync();
  }

  /** Looks at the store and tells it what there is to tell: at once, or when the look under way is over. */
  sync(): void {
    if (this.#closed) return;
    if (this.#syncing !== null) {
      this.#syncAgain = true;
      return;
    }
    this.#cancelPoll();
    this.#syncing = this.#sync().finally(() => {
      this.#syncing = null;
      this.#pollLater();
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelPoll();
    await this.#syncing;
    this.#withdraw(this.#tickets.giveUp(true));
    if (this.#news.length > 0) await this.#sync();
  }

  #pollLater(): void {
    if (this.#closed) return;
    const again = this.#syncAgain && this.isConnected;
    this.#syncAgain = false;
    if (again) this.sync();
    else this.#cancelPoll = this.#options.clock.after(this.#options.pollMs, () => this.sync());
  }

  async #sync(): Promise<void> {
    try {
      let isDone = false;
      for (let tries = 0; tries < maxTries && !isDone; tries++) isDone = await this.#exchange();
    } catch {
      // Whatever a store throws, it means the same: it is away, and this process goes on by itself.
      this.#isConnected = false;
    }
    this.#options.changed();
  }

  /** One read and, if there is something to say, one write. False: somebody else was faster. */
  async #exchange(): Promise<boolean> {
    const { name, store, clock } = this.#options;
    const askedAt = clock.now();
    const { value, version, now } = await this.#inTime(store.read(name));
    const shared = this.#circuitOf(value, now);
    const before = JSON.stringify(shared.snapshot());
    const news = this.#newsNow();
    for (const piece of news) tellCircuit(shared, piece, now);
    const probes = this.#lease(shared, now);
    const isChanged = before !== JSON.stringify(shared.snapshot());
    const counters = this.#tally(shared, isChanged);
    const isWritten = isChanged || counters !== this.#tallied;
    if (isWritten && !(await this.#inTime(store.replace(name, version, shared.snapshot())))) return false;

    this.#news = this.#news.filter((piece) => !news.includes(piece));
    this.#tallied = counters;
    if (isWritten) this.#talliedAt = clock.now();
    this.#follow(shared.snapshot(), clock.now() - now, news.length > 0 || !this.#isConnected);
    this.#isConnected = true;
    this.#tickets.add(probes, askedAt);
    this.#asked = 0;
    return true;
  }

  #circuitOf(value: unknown, now: number): CircuitBreaker {
    const shared = new CircuitBreaker(this.#options.circuit);
    const snapshot = readSnapshot(value);
    if (snapshot !== undefined) shared.restore(snapshot);
    shared.refresh(now);
    return shared;
  }

  #newsNow(): readonly CircuitNews[] {
    const { clock, pollMs, local } = this.#options;
    const idle = this.#tickets.giveUp();
    if (idle.length > 0) this.#idleUntil = clock.now() + 2 * pollMs;
    this.#withdraw(idle);
    // What opened while the store was away and has recovered since is no news to anybody.
    if (local.phase !== "open") this.#news = this.#news.filter(({ kind }) => kind !== "open");
    return [...this.#news];
  }

  #withdraw(probes: readonly number[]): void {
    this.#news.push(...probes.map((token) => ({ kind: "withdrawn" as const, token })));
  }

  /** Probes for the calls that were denied, or for whoever waits for the breaker to let something through. */
  #lease(shared: CircuitBreaker, now: number): number[] {
    const isIdle = this.#options.clock.now() < this.#idleUntil;
    const wanted = Math.max(this.#asked, isIdle ? 0 : this.#options.wants()) - this.tickets;
    if (shared.phase !== "half-open" || this.#closed) return [];
    return Array.from({ length: Math.max(0, Math.min(wanted, shared.room(now))) }, () => shared.admit(now));
  }

  /** Adds this process's calls to the shared counters, with a write that is due anyway or when it has been long. */
  #tally(shared: CircuitBreaker, isChanged: boolean): BreakerCounters {
    const { clock, local } = this.#options;
    const { succeeded, failed, denied, opened } = local.snapshot().counters;
    const last = this.#tallied;
    const isSame = succeeded === last.succeeded && failed === last.failed && denied === last.denied;
    if (isSame || !(isChanged || clock.now() - this.#talliedAt >= tallyMs)) return last;
    const more = { succeeded: succeeded - last.succeeded, failed: failed - last.failed, denied: denied - last.denied };
    shared.tally(more);
    return { succeeded, failed, denied, opened };
  }

  /** Makes the local breaker what the shared one is, if that has changed or if it may not have done as we said. */
  #follow(snapshot: BreakerSnapshot, offsetMs: number, always: boolean): void {
    const isSame = snapshot.epoch === this.#epoch;
    // It opened and recovered before the store could hear of it: left there, it would wait for probes nobody lends.
    const isAstray = this.#options.local.phase !== snapshot.phase && this.#news.length === 0;
    if (isSame && !always && !isAstray) return;
    // A ticket is good for the half-open phase it was leased in, not for a later one.
    if (!isSame) this.#tickets.clear();
    this.#epoch = snapshot.epoch;
    const { local } = this.#options;
    local.restore({ ...shiftTimes(snapshot, offsetMs), counters: local.snapshot().counters });
  }

  /** Without a limit, a store that never answers would keep a half-open breaker waiting for tickets for ever. */
  #inTime<Result>(work: Promise<Result>): Promise<Result> {
    return within(this.#options.clock, storeTimeoutMs, work, () => {
      throw new OfficeError("STORE_UNAVAILABLE", "The store of shared state does not answer.");
    });
  }
}
