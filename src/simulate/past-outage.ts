import { requireNumber } from "../domain/options.ts";
import { type BackoffOptions, backoff } from "../policies/backoff.ts";
import { seededRandom } from "./random.ts";
import { retryWaitsBounds } from "./retry-waits.ts";

/** An outage that happened, and a policy that was not in force then. */
export interface PastOutageOptions {
  /** Of how many milliseconds each count is. */
  readonly bucketMs: number;
  /** How many messages failed for the first time in each, from when the outage began. */
  readonly failures: readonly number[];
  /** From the beginning until the last failure that was seen. */
  readonly lastedMs: number;
  readonly policy: BackoffOptions;
  /** Same seed, same figures. */
  readonly seed: number;
}

export interface PastOutageResult {
  readonly messages: number;
  /** What share would have had a call after the outage with at most so many attempts in all: the first is of one attempt. */
  readonly savedWith: readonly number[];
}

/** More attempts than that are not looked at. */
export const mostAttempts = 50;
/** A larger outage is taken by a part of its messages. */
const mostMessages = 5_000;

/**
 * Lets each message retry from its first failure on. A call before the last failure that was seen fails, one after it succeeds.
 * What retries would have done to the service is left aside.
 */
export function simulatePastOutage(options: PastOutageOptions): PastOutageResult {
  const { bucketMs, failures, lastedMs, policy, seed } = options;
  requireNumber("seed", seed, retryWaitsBounds.seed);
  const waitAfter = backoff(policy);
  const random = seededRandom(`past-outage/${seed}`);
  const messages = failures.reduce((sum, n) => sum + n, 0);
  const part = Math.min(1, mostMessages / Math.max(1, messages));
  const savedAt = Array.from({ length: mostAttempts + 1 }, () => 0);
  for (const [bucket, n] of failures.entries()) {
    const some = n === 0 ? 0 : Math.max(1, Math.round(n * part));
    for (let message = 0; message < some; message++) {
      const from = Math.min((bucket + random()) * bucketMs, lastedMs);
      const attempts = attemptsUntil(lastedMs - from, (attempt, before) => waitAfter(attempt, random, before));
      if (attempts !== null) savedAt[attempts] = (savedAt[attempts] ?? 0) + n / some;
    }
  }
  let sum = 0;
  const savedWith = savedAt.slice(1).map((n) => {
    sum += n;
    return messages === 0 ? 0 : sum / messages;
  });
  return { messages, savedWith };
}

/** How many attempts it takes until one comes later than that; null: more than are looked at. */
function attemptsUntil(spanMs: number, wait: (attempt: number, before: number | undefined) => number): number | null {
  let now = 0;
  let before: number | undefined;
  for (let attempt = 1; attempt < mostAttempts; attempt++) {
    before = wait(attempt, before);
    now += before;
    if (now > spanMs) return attempt + 1;
  }
  return null;
}

/** What is worth having when more attempts are thought about. */
const nearlyAll = 0.95;

/** What a policy would have done, and what more attempts would: as far as what was seen supports it. */
export function pastOutageInWords({ messages, savedWith }: PastOutageResult, attempts: number): string {
  const now = savedWith[attempts - 1] ?? 0;
  const n = messages.toLocaleString("en-US");
  const saved = `${percent(now)} of ${n} would have been saved with ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  if (now >= nearlyAll) return `${saved}.`;
  const enough = savedWith.findIndex((share) => share >= nearlyAll) + 1;
  if (enough === 0) {
    const most = savedWith.at(-1) ?? 0;
    return `${saved}; with ${mostAttempts} it would have been ${percent(most)}: only longer waits outlast this outage.`;
  }
  return `${saved}; with ${enough} it would have been ${percent(savedWith[enough - 1] ?? 0)}.`;
}

export const pastOutageAssumes =
  "It assumes that every call failed until the last failure that was seen, that calls after it work, and that the retries themselves do no harm.";

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A policy of waits that grow, as people try one. */
export interface TriedPolicy {
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
  readonly factor: number;
  readonly jitter: "none" | "full" | "equal" | "decorrelated";
}

export const triedJitters = [
  "full",
  "equal",
  "decorrelated",
  "none",
] as const satisfies readonly TriedPolicy["jitter"][];

/** What its options are called in a consumer. Whoever asks for a long first wait has not asked for it to be cut. */
export function backoffOf({ baseMs, capMs, factor, jitter }: TriedPolicy): BackoffOptions {
  return { strategy: "exponential", initialMs: baseMs, maxMs: Math.max(capMs, baseMs), factor, jitter };
}

/** The same outage under a policy that somebody tries. */
export function simulateTried(
  outage: Omit<PastOutageOptions, "policy">,
  tried: TriedPolicy,
): PastOutageResult & { readonly words: string } {
  requireNumber("attempts", tried.attempts, { min: 1, max: mostAttempts, integer: true });
  const result = simulatePastOutage({ ...outage, policy: backoffOf(tried) });
  return { ...result, words: pastOutageInWords(result, tried.attempts) };
}

/** As it stands in `createConsumer`. */
export function asConfig(tried: TriedPolicy): string {
  const { initialMs, maxMs, factor, jitter } = backoffOf(tried) as Extract<BackoffOptions, { strategy: "exponential" }>;
  return `retry: {
  maxAttempts: ${tried.attempts},
  backoff: { strategy: "exponential", initialMs: ${initialMs}, maxMs: ${maxMs}, factor: ${factor}, jitter: "${jitter}" },
},`;
}
