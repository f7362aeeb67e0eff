import { requireNumber, withDefaults } from "../domain/options.ts";
import { type BreakerRule, breakerRule, type RuleOptions, ruleDefaults } from "./breaker-rules.ts";

export type BreakerPhase = "closed" | "open" | "half-open";

export interface CircuitBreakerOptions {
  /** When to open: after failures in a row, or by the share of failures lately. @default 5 failures in a row */
  readonly rule?: RuleOptions;
  /** How long it stays open before a probe is let through, in milliseconds. @default 30_000 */
  readonly recoveryMs?: number;
  /** Calls let through at once while half-open. More find out sooner and hurt more. @default 1 */
  readonly probes?: number;
  /** Probes that must succeed before it closes; one that fails opens it again. @default 2 */
  readonly successesToClose?: number;
  /**
   * A probe that says nothing for this long is given up and its place is free, in milliseconds. Shorter than a call may
   * take, and slow successes do not count. @default 60_000
   */
  readonly probeLeaseMs?: number;
}

export const circuitBreakerDefaults: Required<CircuitBreakerOptions> = {
  rule: ruleDefaults.consecutive,
  recoveryMs: 30_000,
  probes: 1,
  successesToClose: 2,
  probeLeaseMs: 60_000,
};

/** One change of phase. */
export interface Transition {
  readonly from: BreakerPhase;
  readonly to: BreakerPhase;
  readonly at: number;
  readonly because: string;
}

/** How many calls, in all. */
export interface BreakerCounters {
  readonly succeeded: number;
  readonly failed: number;
  readonly denied: number;
  readonly opened: number;
}

/** All there is to know of a breaker, as plain JSON. */
export interface BreakerSnapshot {
  readonly phase: BreakerPhase;
  /** When it came into this phase. */
  readonly since: number;
  /** When an open breaker lets a probe through; null while it is not open, or held open by hand. */
  readonly openUntil: number | null;
  /** Grows with every phase and every probe. */
  readonly serial: number;
  /** What `serial` was when it came into this phase: names this phase and no other. */
  readonly epoch: number;
  /** Probes that succeeded since it is half-open. */
  readonly successes: number;
  readonly probes: readonly Probe[];
  /** The latest, oldest first. */
  readonly transitions: readonly Transition[];
  readonly counters: BreakerCounters;
}

export interface Probe {
  readonly token: number;
  readonly until: number;
}

/** Transitions remembered. */
const maxTransitions = 20;

/**
 * Stops calls to what keeps failing, and finds out by single probes when it works again.
 *
 * A state machine over the times it is given, nothing else. Each call that is let through gets a token and reports with
 * it, so that a result from before the last change of phase, or from a probe that was given up, changes nothing.
 */
export class CircuitBreaker {
  readonly #options: Required<CircuitBreakerOptions>;
  readonly #rule: BreakerRule;
  #phase: BreakerPhase = "closed";
  #since = 0;
  #openUntil = 0;
  #serial = 1;
  #epoch = 1;
  /** The token of every call let through while closed; 0 in other phases. */
  #closedToken = 1;
  #successes = 0;
  #probes: Probe[] = [];
  #transitions: readonly Transition[] = [];
  readonly #counters = { succeeded: 0, failed: 0, denied: 0, opened: 0 };

  constructor(options?: CircuitBreakerOptions, where = "breaker") {
    this.#options = withDefaults(circuitBreakerDefaults, options, where);
    const { rule, recoveryMs, probes, successesToClose, probeLeaseMs } = this.#options;
    requireNumber(`${where}.recoveryMs`, recoveryMs, { min: 1, max: 86_400_000 });
    requireNumber(`${where}.probes`, probes, { min: 1, max: 1_000, integer: true });
    requireNumber(`${where}.successesToClose`, successesToClose, { min: 1, max: 1_000, integer: true });
    requireNumber(`${where}.probeLeaseMs`, probeLeaseMs, { min: 1, max: 86_400_000 });
    this.#rule = breakerRule(rule, `${where}.rule`);
  }

  get phase(): BreakerPhase {
    return this.#phase;
  }

  /** What `admit` returns while closed, without a time; 0 in other phases. */
  get closedToken(): number {
    return this.#closedToken;
  }

  /** A token to report the call's result with, or 0: the call must not be made. */
  admit(now: number): number {
    if (this.#closedToken !== 0) return this.#closedToken;
    this.refresh(now);
    const isFree = this.#phase === "half-open" && this.#probes.length < this.#options.probes;
    return isFree ? this.#lend(now) : this.deny();
  }

  /** Counts a call that was not let through, for whatever reason. */
  deny(): 0 {
    this.#counters.denied++;
    return 0;
  }

  /** `succeeded` for a result that changes nothing a time is needed for. False: it does, nothing is noted yet. */
  succeededAnyTime(token: number): boolean {
    if (token !== this.#closedToken || this.#rule.needsTime) return false;
    this.succeeded(token, 0);
    return true;
  }

  succeeded(token: number, now: number): void {
    if (token === this.#closedToken) {
      this.#counters.succeeded++;
      this.#rule.succeeded(now);
    } else if (this.#return(token, now)) {
      this.#counters.succeeded++;
      if (++this.#successes >= this.#options.successesToClose) this.#close(now);
    }
  }

  failed(token: number, now: number): void {
    if (token === this.#closedToken) {
      this.#counters.failed++;
      const because = this.#rule.failed(now);
      if (because !== undefined) this.open(now, because);
    } else if (this.#return(token, now)) {
      this.#counters.failed++;
      this.open(now, "a probe failed");
    }
  }

  /** Ends a call that said nothing about what it called, such as one given up before it began. */
  withdrawn(token: number, now: number): void {
    this.#return(token, now);
  }

  /** Opens it, from whatever phase, for the usual time. */
  open(now: number, because: string): void {
    this.#openUntil = now + this.#options.recoveryMs;
    if (this.#phase !== "open") this.#counters.opened++;
    this.#move("open", now, because);
  }

  /** Opens it until `release`. */
  forceOpen(now: number, because = "opened by hand"): void {
    this.open(now, because);
    this.#openUntil = Number.POSITIVE_INFINITY;
  }

  /** Opens it until then: probes are let through from that moment on, whoever is there to let them. */
  openUntil(until: number, now: number, because: string): void {
    this.open(now, because);
    this.#openUntil = until;
  }

  /** Ends an opening, whatever for: probes are let through at once. Does nothing in other phases. */
  letProbe(now: number, because: string): void {
    if (this.#phase === "open") this.#move("half-open", now, because);
  }

  /** Ends a forced opening: probes are let through at once. Does nothing in other phases. */
  release(now: number): void {
    if (this.#phase === "open" && this.#openUntil === Number.POSITIVE_INFINITY) this.#openUntil = now;
    this.refresh(now);
  }

  /** Moves to half-open when its time has come, and frees the places of probes that are given up. */
  refresh(now: number): void {
    // Dated to when it was due, not to when somebody looked: everybody who looks at a shared breaker sees the same.
    if (this.#phase === "open" && now >= this.#openUntil) {
      this.#move("half-open", this.#openUntil, "the recovery time is over");
    }
    if (this.#probes.length > 0) this.#probes = this.#probes.filter(({ until }) => until > now);
  }

  /** Calls that `admit` would let through now. */
  room(now: number): number {
    this.refresh(now);
    if (this.#phase === "closed") return Number.POSITIVE_INFINITY;
    return this.#phase === "open" ? 0 : this.#options.probes - this.#probes.length;
  }

  /** How long until a denied call is worth another try, in milliseconds; 0 if it is now. */
  retryInMs(now: number): number {
    if (this.room(now) > 0) return 0;
    const next = this.#phase === "open" ? this.#openUntil : Math.min(...this.#probes.map(({ until }) => until));
    return Number.isFinite(next) ? next - now : this.#options.recoveryMs;
  }

  snapshot(): BreakerSnapshot {
    return {
      phase: this.#phase,
      since: this.#since,
      openUntil: this.#phase === "open" && Number.isFinite(this.#openUntil) ? this.#openUntil : null,
      serial: this.#serial,
      epoch: this.#epoch,
      successes: this.#successes,
      probes: this.#probes,
      transitions: this.#transitions,
      counters: { ...this.#counters },
    };
  }

  /** Adds what another counted. */
  tally({ succeeded, failed, denied }: Pick<BreakerCounters, "succeeded" | "failed" | "denied">): void {
    this.#counters.succeeded += succeeded;
    this.#counters.failed += failed;
    this.#counters.denied += denied;
  }

  /** Takes over another's state. What the rule has counted is forgotten; tokens of that other are good here. */
  restore(snapshot: BreakerSnapshot): void {
    this.#phase = snapshot.phase;
    this.#since = snapshot.since;
    this.#openUntil = snapshot.openUntil ?? Number.POSITIVE_INFINITY;
    this.#serial = snapshot.serial;
    this.#epoch = snapshot.epoch;
    this.#closedToken = snapshot.phase === "closed" ? snapshot.epoch : 0;
    this.#successes = snapshot.successes;
    this.#probes = [...snapshot.probes];
    this.#transitions = snapshot.transitions;
    Object.assign(this.#counters, snapshot.counters);
    this.#rule.reset();
  }

  #lend(now: number): number {
    const token = ++this.#serial;
    this.#probes.push({ token, until: now + this.#options.probeLeaseMs });
    return token;
  }

  /** True if the token was a probe's that is not given up. */
  #return(token: number, now: number): boolean {
    const probe = this.#probes.find((candidate) => candidate.token === token);
    if (probe === undefined) return false;
    this.#probes = this.#probes.filter((candidate) => candidate !== probe);
    return probe.until > now;
  }

  #close(now: number): void {
    this.#rule.reset();
    this.#move("closed", now, `${this.#successes} probes succeeded`);
  }

  #move(to: BreakerPhase, now: number, because: string): void {
    const transition: Transition = { from: this.#phase, to, at: now, because };
    this.#transitions = [...this.#transitions, transition].slice(-maxTransitions);
    this.#phase = to;
    this.#since = now;
    this.#epoch = ++this.#serial;
    this.#closedToken = to === "closed" ? this.#epoch : 0;
    this.#successes = 0;
    this.#probes = [];
  }
}
