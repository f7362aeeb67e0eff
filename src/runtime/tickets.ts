import type { Clock } from "../domain/clock.ts";

/** Tokens of tickets are far above those a breaker counts up to by itself, so that the two are never taken for each other. */
const ticketBase = 2 ** 40;

export function isTicket(token: number): boolean {
  return token > ticketBase;
}

interface Ticket {
  readonly token: number;
  readonly takenAt: number;
  /** When the lease in the store ends at the earliest. */
  readonly until: number;
}

/** Probes leased from a shared breaker, in advance of the calls that will take them up. */
export class Tickets {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #holdMs: number;
  #free: Ticket[] = [];
  #used: Ticket[] = [];

  /** `holdMs` is how long a ticket waits for a call, `leaseMs` how long it is good for, both in milliseconds. */
  constructor({
    clock,
    leaseMs,
    holdMs,
  }: { readonly clock: Clock; readonly leaseMs: number; readonly holdMs: number }) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#holdMs = holdMs;
  }

  /** Those waiting for a call and those taken up. */
  get count(): number {
    const now = this.#clock.now();
    return this.#free.filter(({ until }) => until > now).length + this.#used.filter(({ until }) => until > now).length;
  }

  /** Adds probes leased by a request that was sent at `askedAt`: the lease cannot have begun before. */
  add(probes: readonly number[], askedAt: number): void {
    const [takenAt, until] = [this.#clock.now(), askedAt + this.#leaseMs];
    this.#free.push(...probes.map((probe) => ({ token: ticketBase + probe, takenAt, until })));
  }

  /** A ticket for a call, or 0. */
  take(): number {
    const now = this.#clock.now();
    this.#free = this.#free.filter(({ until }) => until > now);
    const ticket = this.#free.shift();
    if (ticket === undefined) return 0;
    this.#used.push(ticket);
    return ticket.token;
  }

  /** The probe that a ticket in use stands for, which then is over; undefined if its lease is. */
  settle(token: number): number | undefined {
    const ticket = this.#used.find((candidate) => candidate.token === token);
    this.#used = this.#used.filter((candidate) => candidate !== ticket);
    return ticket !== undefined && ticket.until > this.#clock.now() ? token - ticketBase : undefined;
  }

  /** Gives up the tickets no call has taken up in time, or all of those: the probes they stand for. */
  giveUp(all = false): number[] {
    const before = this.#clock.now() - this.#holdMs;
    const isIdle = ({ takenAt }: Ticket) => all || takenAt <= before;
    const idle = this.#free.filter(isIdle);
    this.#free = this.#free.filter((ticket) => !isIdle(ticket));
    return idle.map(({ token }) => token - ticketBase);
  }

  clear(): void {
    this.#free = [];
    this.#used = [];
  }
}
