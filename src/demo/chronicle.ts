import type { Clock } from "../domain/clock.ts";
import { createBudget } from "../policies/budget.ts";
import type { ConsumerEvent, Observer } from "../runtime/events.ts";
import { orderOf, sendingOf } from "./order.ts";
import type { EventOf } from "./record.ts";
import type { LetterNow } from "./scene.ts";

/** An order that failed and waits for its next attempt. */
export interface Waiting {
  readonly order: number;
  /** The attempt it waits for. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly dueAt: number;
}

/** A handler at work. */
export interface Running {
  /** Which of the handlers, from 0. */
  readonly slot: number;
  readonly order: number;
  readonly attempt: number;
  readonly startedAt: number;
}

/** What happened in one second of the story. */
export interface Second {
  readonly succeeded: number;
  readonly retried: number;
  readonly dead: number;
}

type Happening = keyof Second | "started" | "returned";

/** Follows a consumer by its events alone, as any observer could, and keeps what a picture of it needs. */
export class Chronicle implements Observer {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #waiting = new Map<string, Waiting>();
  readonly #running = new Map<string, Running>();
  readonly #failures = new Map<string, string>();
  readonly #seconds: Record<keyof Second, number>[] = [];
  readonly #latest = new Map<Happening, number>();
  readonly #dead: LetterNow[] = [];
  readonly #quarantined: LetterNow[] = [];
  readonly #recovered = new Set<number>();
  readonly #windowMs: number;
  #retries = 0;
  #duplicates = 0;
  #results: { readonly at: number; readonly failed: boolean }[] = [];
  // The consumer keeps its budget to itself. One fed by the same events has the same to spend; one that never spends
  // shows how much that could be.
  readonly #budget = createBudget();
  readonly #allowance = createBudget();

  /** `windowMs` is how far back the breaker's rule looks, so that it can be shown before it opens. */
  constructor(clock: Clock, { windowMs }: { readonly windowMs: number }) {
    this.#clock = clock;
    this.#windowMs = windowMs;
    this.#startedAt = clock.now();
  }

  get dead(): readonly LetterNow[] {
    return this.#dead;
  }

  get quarantined(): readonly LetterNow[] {
    return this.#quarantined;
  }

  /** How many orders succeeded after at least one failure. */
  get recovered(): number {
    return this.#recovered.size;
  }

  get retries(): number {
    return this.#retries;
  }

  get duplicates(): number {
    return this.#duplicates;
  }

  /** Those not due yet, the next one first. */
  get waiting(): Waiting[] {
    const now = this.#clock.now();
    return [...this.#waiting.values()].filter(({ dueAt }) => dueAt > now).sort((a, b) => a.dueAt - b.dueAt);
  }

  get running(): readonly Running[] {
    return [...this.#running.values()];
  }

  /** One entry for each second since the story began, the running one last. */
  get seconds(): readonly Second[] {
    this.#second();
    return this.#seconds;
  }

  get budget(): { readonly left: number; readonly of: number } {
    const now = this.#clock.now();
    return { left: this.#budget.left(now), of: this.#allowance.left(now) };
  }

  /** Share of calls that failed lately, 0 to 1. */
  get failedShare(): number {
    const since = this.#clock.now() - this.#windowMs;
    this.#results = this.#results.filter(({ at }) => at > since);
    return this.#results.filter(({ failed }) => failed).length / Math.max(1, this.#results.length);
  }

  /** When something of the kind last happened, in milliseconds since 1970. */
  lastAt(happening: Happening): number {
    return this.#latest.get(happening) ?? Number.NEGATIVE_INFINITY;
  }

  failureOf(sending: string): string {
    return this.#failures.get(sending) ?? "";
  }

  event(event: ConsumerEvent): void {
    switch (event.type) {
      case "attempt-started":
        this.#begun(event);
        break;
      case "attempt-succeeded":
        this.#succeeded(event);
        break;
      case "attempt-failed":
        this.#failed(event);
        break;
      case "retried":
        this.#retried(event);
        break;
      case "dead-lettered":
        this.#died(event);
        break;
      case "duplicate":
        this.#duplicates += 1;
        break;
      case "breaker-changed":
        if (event.phase === "closed") this.#results = [];
        break;
      default:
    }
  }

  #begun({ message, attempt, at }: EventOf<"attempt-started">): void {
    const sending = sendingOf(message);
    this.#waiting.delete(sending);
    this.#running.set(sending, { slot: this.#freeSlot(), order: orderOf(message), attempt, startedAt: at });
    this.#latest.set("started", at);
    if (attempt > 1) this.#latest.set("returned", at);
    else for (const budget of [this.#budget, this.#allowance]) budget.request(at);
  }

  #freeSlot(): number {
    const taken = new Set(this.running.map(({ slot }) => slot));
    let slot = 0;
    while (taken.has(slot)) slot += 1;
    return slot;
  }

  #succeeded({ message, attempt, at }: EventOf<"attempt-succeeded">): void {
    this.#running.delete(sendingOf(message));
    if (attempt > 1) this.#recovered.add(orderOf(message));
    this.#results.push({ at, failed: false });
    this.#count("succeeded", at);
  }

  #failed({ message, at, errorMessage, kind }: EventOf<"attempt-failed">): void {
    const sending = sendingOf(message);
    this.#running.delete(sending);
    this.#failures.set(sending, errorMessage.replace(/^The payload does not match its schema: /, ""));
    if (kind !== "schema" && kind !== "business") this.#results.push({ at, failed: true });
  }

  #retried({ message, attempt, delayMs, because, at }: EventOf<"retried">): void {
    const order = orderOf(message);
    this.#waiting.set(sendingOf(message), { order, attempt: attempt + 1, delayMs, dueAt: at + delayMs });
    if (because !== "failure") return;
    this.#retries += 1;
    this.#budget.spend(at);
    this.#count("retried", at);
  }

  #died({ message, reason, category, at }: EventOf<"dead-lettered">): void {
    const letters = category === "poison" ? this.#quarantined : this.#dead;
    letters.push({ order: orderOf(message), reason });
    this.#count("dead", at);
  }

  #count(happening: keyof Second, at: number): void {
    this.#second()[happening] += 1;
    this.#latest.set(happening, at);
  }

  #second(): Record<keyof Second, number> {
    const index = Math.floor((this.#clock.now() - this.#startedAt) / 1_000);
    while (this.#seconds.length <= index) this.#seconds.push({ succeeded: 0, retried: 0, dead: 0 });
    return this.#seconds[index] ?? { succeeded: 0, retried: 0, dead: 0 };
  }
}
