import type { Random } from "../domain/clock.ts";
import { requireNumber, requireOneOf } from "../domain/options.ts";
import { type Backoff, exponentialBackoff, immediateBackoff } from "../policies/backoff.ts";
import { EventQueue } from "./event-queue.ts";
import { normalVariates, seededRandom } from "./random.ts";
import type { Steps } from "./steps.ts";

/**
 * The jitter experiment of the AWS Architecture Blog ("Exponential Backoff And Jitter"): clients that all want to change
 * one row under optimistic concurrency control.
 *
 * A client reads the row's version, then writes with the condition that the version is still the same. Every message
 * between client and server takes a time of its own. A write that comes too late fails; its client backs off and starts
 * again with the read. The run is over when the last client knows that its write succeeded.
 */
export interface ContentionOptions {
  readonly strategy: ContentionStrategy;
  /** How many clients start at the same moment. */
  readonly clients: number;
  /** Runs to take the mean of. */
  readonly trials: number;
  /** Same seed, same figures. */
  readonly seed: number;
}

export interface ContentionResult extends ContentionOptions {
  /** Until the last client knows that it succeeded, mean of the trials. */
  readonly meanMs: number;
  /** Writes the server was asked for, those that failed included, mean of the trials. */
  readonly meanCalls: number;
}

export const contentionStrategies = ["none", "exponential", "equal", "full", "decorrelated"] as const;

export type ContentionStrategy = (typeof contentionStrategies)[number];

export const contentionBounds = {
  clients: { min: 1, max: 2_000, integer: true },
  trials: { min: 1, max: 100_000, integer: true },
  seed: { min: 0, max: Number.MAX_SAFE_INTEGER, integer: true },
} as const;

/** In the place of a version, while a client is on its way to read one. */
const unread = -1;
const hopMs = 10;
const hopDeviationMs = 2;
const timing = { initialMs: 5, maxMs: 2_000 };

const backoffs: Readonly<Record<ContentionStrategy, Backoff>> = {
  none: immediateBackoff(),
  exponential: exponentialBackoff({ ...timing, jitter: "none" }),
  equal: exponentialBackoff({ ...timing, jitter: "equal" }),
  full: exponentialBackoff({ ...timing, jitter: "full" }),
  decorrelated: exponentialBackoff({ ...timing, jitter: "decorrelated" }),
};

/** Runs the trials one by one. */
export function* simulateContention(options: ContentionOptions): Steps<ContentionResult> {
  const { strategy, clients, trials, seed } = options;
  requireOneOf("strategy", strategy, contentionStrategies);
  requireNumber("clients", clients, contentionBounds.clients);
  requireNumber("trials", trials, contentionBounds.trials);
  requireNumber("seed", seed, contentionBounds.seed);
  const runTrial = contention(strategy, clients, seededRandom(`contention/${seed}/${strategy}/${clients}`));
  let totalMs = 0;
  let totalCalls = 0;
  for (let trial = 1; trial <= trials; trial++) {
    const { ms, calls } = runTrial();
    totalMs += ms;
    totalCalls += calls;
    yield trial / trials;
  }
  return {
    strategy,
    clients,
    trials,
    seed,
    meanMs: rounded(totalMs / trials),
    meanCalls: rounded(totalCalls / trials),
  };
}

/**
 * Follows the clients from one arrival at the server to the next: nothing in between meets anybody else, so a read's
 * way back and the write's way there are drawn in one go.
 */
function contention(strategy: ContentionStrategy, clients: number, random: Random) {
  const backoff = backoffs[strategy];
  const variate = normalVariates(random);
  const hop = () => Math.abs(hopMs + hopDeviationMs * variate());
  const arrivals = new EventQueue(clients);
  const versionRead = new Int32Array(clients);
  const failures = new Int32Array(clients);
  const waitedMs = new Float64Array(clients);

  const startAll = () => {
    versionRead.fill(unread);
    failures.fill(0);
    waitedMs.fill(timing.initialMs);
    for (let client = 0; client < clients; client++) arrivals.add(hop(), client);
  };
  const startAgain = (client: number, now: number) => {
    const failed = (failures[client] ?? 0) + 1;
    // The experiment raises its exponent before the first wait, which is therefore twice the base.
    const waitMs = backoff(failed + 1, random, waitedMs[client]);
    versionRead[client] = unread;
    failures[client] = failed;
    waitedMs[client] = waitMs;
    arrivals.moveFirst(now + hop() + waitMs + hop());
  };

  return () => {
    let version = 0;
    let calls = 0;
    let lastMs = 0;
    startAll();
    while (arrivals.size > 0) {
      const now = arrivals.firstTime;
      const client = arrivals.firstClient;
      const seen = versionRead[client];
      if (seen === unread) {
        versionRead[client] = version;
        arrivals.moveFirst(now + hop() + hop());
        continue;
      }
      calls++;
      if (seen === version) {
        version++;
        lastMs = Math.max(lastMs, now + hop());
        arrivals.removeFirst();
      } else {
        startAgain(client, now);
      }
    }
    return { ms: lastMs, calls };
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
