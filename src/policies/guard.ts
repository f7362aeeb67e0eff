import { type Clock, pause, type Random } from "../domain/clock.ts";
import type { FailureKind } from "../domain/handler-errors.ts";
import { requireNumber, withDefaults } from "../domain/options.ts";
import { type Backoff, type BackoffOptions, backoff, backoffDefaults } from "./backoff.ts";
import { BreakerOpen } from "./breaker-open.ts";
import type { RetryBudget } from "./budget.ts";
import { type Classify, countsAgainstBreaker, type FailureFacts, readFailure } from "./failure.ts";

export interface GuardRetry {
  /** Attempts a call gets, the first included. @default 3 */
  readonly maxAttempts?: number;
  /** How long to wait between them. @default exponential from 100 ms to 5 s with full jitter */
  readonly backoff?: BackoffOptions | Backoff;
  /** Kinds of failure worth another attempt. @default ["transient"] */
  readonly kinds?: readonly FailureKind[];
  /** Longest wait that is obeyed, in milliseconds: if the other side asks for more, the call fails. @default 30_000 */
  readonly maxWaitMs?: number;
  /** Your own word on what kind a failure is. @default none: the tables decide */
  readonly classify?: Classify | null;
}

export const guardRetryDefaults: Required<GuardRetry> = {
  maxAttempts: 3,
  backoff: { ...backoffDefaults.exponential, initialMs: 100, maxMs: 5_000 },
  kinds: ["transient"],
  maxWaitMs: 30_000,
  classify: null,
};

/** What a guard asks of a breaker; `createBreaker` makes one. */
export interface GuardBreaker {
  readonly name: string;
  admit(): number;
  succeeded(token: number): void;
  failed(token: number): void;
  withdrawn(token: number): void;
  retryInMs(): number;
}

export interface GuardOptions {
  readonly retry?: GuardRetry;
  /** Asked before every attempt. @default none */
  readonly breaker?: GuardBreaker;
  /** Pays for every retry. @default none: retries are limited by `maxAttempts` alone */
  readonly budget?: RetryBudget;
  readonly clock: Clock;
  readonly random: Random;
}

/** Makes a call under guard: rejects as the last attempt did. `signal` is handed to the call and ends the waiting. */
export type Guard = <Result>(run: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal) => Promise<Result>;

/** Every so many requests the budget is told the time, so that those in between need no reading of a clock. */
const requestsPerReading = 64;

/**
 * Guards calls a program makes in process: retries with backoff, within a budget, behind a breaker.
 *
 * For messages use a consumer: it retries on the broker, where a wait survives the process.
 */
export function createGuard(options: GuardOptions): Guard {
  const { breaker, budget, clock } = options;
  const retry = createRetry(options);
  const unending = new AbortController().signal;
  let undated = 0;

  // What every call pays for: no closure, no timer and no reading of a clock is made unless something fails.
  return async (run, signal = unending) => {
    if (budget !== undefined) {
      undated = undated < requestsPerReading ? undated + 1 : 0;
      budget.request(undated === 0 ? clock.now() : undefined);
    }
    const token = breaker === undefined ? 1 : breaker.admit();
    if (breaker !== undefined && token === 0) throw new BreakerOpen(breaker.name, breaker.retryInMs());
    let result: Awaited<ReturnType<typeof run>>;
    try {
      result = await run(signal);
    } catch (error) {
      return retry(run, signal, { error, token });
    }
    if (breaker !== undefined) breaker.succeeded(token);
    return result;
  };
}

interface FailedAttempt {
  readonly error: unknown;
  readonly token: number;
}

type Retry = <Result>(
  run: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
  first: FailedAttempt,
) => Promise<Result>;

/** What happens once the first attempt has failed. */
function createRetry({ retry, breaker, budget, clock, random }: GuardOptions): Retry {
  const { maxAttempts, kinds, maxWaitMs, classify, wait } = readRetry(retry);

  const waitAfter = (facts: FailureFacts, attempt: number, previousMs: number | undefined): number | undefined => {
    const mayRetry = facts.instruction === "retry" || (facts.instruction === null && kinds.includes(facts.kind));
    const waitMs = facts.retryAfterMs ?? wait(attempt, random, previousMs);
    return mayRetry && attempt < maxAttempts && waitMs <= maxWaitMs ? waitMs : undefined;
  };

  const report = (token: number, { kind }: FailureFacts, isAborted: boolean) => {
    // A caller that gave up says nothing about what was called.
    if (countsAgainstBreaker(kind) && !isAborted) breaker?.failed(token);
    else breaker?.withdrawn(token);
  };

  return async (run, signal, first) => {
    let { error, token } = first;
    let waitMs: number | undefined;
    for (let attempt = 1; ; attempt++) {
      const facts = readFailure(error, { now: clock.now(), classify });
      report(token, facts, signal.aborted);
      waitMs = waitAfter(facts, attempt, waitMs);
      if (waitMs === undefined || signal.aborted || budget?.spend(clock.now()) === false) throw error;
      await pause(clock, waitMs, signal);
      token = signal.aborted ? 0 : (breaker?.admit() ?? 1);
      if (token === 0) throw error;
      try {
        const result = await run(signal);
        breaker?.succeeded(token);
        return result;
      } catch (thrown) {
        error = thrown;
      }
    }
  };
}

function readRetry(options: GuardRetry | undefined) {
  const retry = withDefaults(guardRetryDefaults, options, "retry");
  requireNumber("retry.maxAttempts", retry.maxAttempts, { min: 1, max: 1_000, integer: true });
  requireNumber("retry.maxWaitMs", retry.maxWaitMs, { min: 0, max: 3_600_000 });
  const wait = typeof retry.backoff === "function" ? retry.backoff : backoff(retry.backoff, "retry.backoff");
  return { ...retry, classify: retry.classify ?? undefined, wait };
}
