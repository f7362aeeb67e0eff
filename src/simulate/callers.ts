import type { Random } from "../domain/clock.ts";
import type { Backoff } from "../policies/backoff.ts";
import type { CircuitBreaker } from "../policies/circuit-breaker.ts";
import { EventQueue } from "./event-queue.ts";
import type { RetryLimit } from "./retry-limits.ts";

export interface CallersOptions {
  /** New requests a second, evenly spread with some chance in it. */
  readonly rate: number;
  readonly startMs: number;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly backoff: Backoff;
  readonly limit: RetryLimit;
  readonly breaker: CircuitBreaker | null;
  /** When a request that arrives now is answered; null: refused at once. */
  readonly service: (now: number) => number | null;
  readonly random: Random;
  /** Hears when a call reaches the service, */
  readonly onSent: (now: number) => void;
  /** and when an answer comes in time. */
  readonly onAnswered: (now: number) => void;
}

/** One request on its way: about to be sent, or sent with its end already certain (the service knows no chance). */
interface Call {
  attempt: number;
  token: number;
  state: "due" | "answered" | "failed";
}

/** Stands in the event queue for the next new request. */
const arrivals = 0;

/** Callers in an open loop: new requests come however the earlier ones fare. */
export class Callers {
  readonly #options: CallersOptions;
  readonly #events = new EventQueue(1_024);
  /** By their number in the event queue; the first stands for the arrivals. */
  readonly #calls: (Call | undefined)[] = [undefined];
  readonly #unused: number[] = [];
  #arrived = 0;

  constructor(options: CallersOptions) {
    this.#options = options;
    this.#events.add(this.#nextArrival(), arrivals);
  }

  /** Lives through everything that happens before `end`. */
  runUntil(end: number): void {
    const events = this.#events;
    while (events.firstTime < end) {
      const now = events.firstTime;
      if (events.firstClient === arrivals) this.#arrive(now);
      else this.#proceed(now, events.firstClient);
    }
  }

  /** Spaced evenly, each somewhere within its own stretch: the count of every second is then the rate. */
  #nextArrival(): number {
    const { startMs, rate, random } = this.#options;
    return startMs + ((this.#arrived++ + random()) * 1_000) / rate;
  }

  #arrive(now: number): void {
    this.#events.moveFirst(this.#nextArrival());
    const call: Call = { attempt: 1, token: 0, state: "due" };
    const endsAt = this.#send(now, call);
    if (endsAt === null) return;
    const place = this.#unused.pop() ?? this.#calls.length;
    this.#calls[place] = call;
    this.#events.add(endsAt, place);
  }

  #proceed(now: number, place: number): void {
    const call = this.#calls[place];
    if (call === undefined) throw new Error(`an event for nobody at ${now} ms`);
    const next = call.state === "due" ? this.#send(now, call) : this.#settle(now, call);
    if (next === null) {
      this.#events.removeFirst();
      this.#calls[place] = undefined;
      this.#unused.push(place);
    } else {
      this.#events.moveFirst(next);
    }
  }

  /** Gives the time at which the caller will know; null: the breaker did not let it through. */
  #send(now: number, call: Call): number | null {
    const { breaker, limit, service, timeoutMs, onSent } = this.#options;
    const isRetry = call.attempt > 1;
    call.token = breaker === null ? 1 : breaker.admit(now);
    if (call.token === 0) {
      if (isRetry) limit.withdrawn();
      return null;
    }
    limit.sent(now, isRetry);
    onSent(now);
    const answerAt = service(now);
    const inTime = answerAt !== null && answerAt - now <= timeoutMs;
    call.state = inTime ? "answered" : "failed";
    if (inTime) return answerAt;
    return answerAt === null ? now : now + timeoutMs;
  }

  /** Gives the time of the next attempt; null: there will be none. */
  #settle(now: number, call: Call): number | null {
    const { breaker, limit, attempts, backoff, random, onAnswered } = this.#options;
    const succeeded = call.state === "answered";
    limit.ended({ succeeded, isRetry: call.attempt > 1 });
    if (succeeded) {
      breaker?.succeeded(call.token, now);
      onAnswered(now);
      return null;
    }
    breaker?.failed(call.token, now);
    if (call.attempt >= attempts || !limit.allowsRetry(now)) return null;
    call.state = "due";
    return now + backoff(call.attempt++, random);
  }
}
