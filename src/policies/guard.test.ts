import { describe, expect, it } from "vitest";
import { RetryLater, Unprocessable } from "../domain/handler-errors.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { createBudget } from "./budget.ts";
import { createGuard, type GuardBreaker, type GuardOptions } from "./guard.ts";

const reset = () => Object.assign(new Error("reset"), { code: "ECONNRESET" });

function setup(options: Partial<GuardOptions> = {}) {
  const clock = fakeClock();
  const retry = { backoff: { strategy: "fixed", delayMs: 100, jitter: "none" }, ...options.retry } as const;
  const guard = createGuard({ clock, random: () => 0.5, ...options, retry });
  const calls: number[] = [];
  /** Fails as often as there are errors, then succeeds; notes when it was called. */
  const failing = (errors: unknown[]) => async () => {
    calls.push(clock.now());
    if (errors.length > 0) throw errors.shift();
    return "fine";
  };
  return { clock, guard, calls, failing };
}

function stubBreaker(tokens: number[] = []): GuardBreaker & { readonly told: string[] } {
  const told: string[] = [];
  return {
    name: "stub",
    told,
    admit: () => tokens.shift() ?? 7,
    succeeded: (token) => void told.push(`succeeded ${token}`),
    failed: (token) => void told.push(`failed ${token}`),
    withdrawn: (token) => void told.push(`withdrawn ${token}`),
    retryInMs: () => 1_234,
  };
}

it("gives the result of a call that succeeds, without a timer", async () => {
  const { clock, guard, failing } = setup();
  await expect(guard(failing([]))).resolves.toBe("fine");
  expect(clock.timers).toBe(0);
});

it("tries again after the backoff, as often as it may", async () => {
  const { clock, guard, calls, failing } = setup();
  const start = clock.now();
  const result = guard(failing([reset(), reset()]));
  await clock.advance(1_000);
  await expect(result).resolves.toBe("fine");
  expect(calls.map((at) => at - start)).toEqual([0, 100, 200]);
});

it("fails as the last attempt did when all have failed", async () => {
  const { clock, guard, calls, failing } = setup({ retry: { maxAttempts: 2 } });
  const last = reset();
  const result = guard(failing([reset(), last, reset()])).catch((error: unknown) => error);
  await clock.advance(1_000);
  expect(await result).toBe(last);
  expect(calls).toHaveLength(2);
});

describe("what is tried again", () => {
  it.each<[string, unknown, number]>([
    ["a transient failure", reset(), 2],
    ["what the callee asks for", new RetryLater("busy", { afterMs: 10 }), 2],
    ["not a bug", new TypeError("bug"), 1],
    ["not what is wrong with the request", Object.assign(new Error(), { status: 422 }), 1],
    ["not what is declared hopeless, be it transient", new Unprocessable("no", { kind: "transient" }), 1],
    ["not what asks for a longer wait than is obeyed", Object.assign(new Error(), { status: 503, retryAfter: 31 }), 1],
  ])("%s", async (_title, error, attempts) => {
    const { clock, guard, calls, failing } = setup();
    const result = guard(failing([error])).catch(() => "failed");
    await clock.advance(31_000);
    expect(await result).toBe(attempts === 2 ? "fine" : "failed");
    expect(calls).toHaveLength(attempts);
  });

  it("is up to the caller to widen", async () => {
    const { clock, guard, failing } = setup({ retry: { kinds: ["transient", "unknown"] } });
    const result = guard(failing([new TypeError("bug")]));
    await clock.advance(1_000);
    await expect(result).resolves.toBe("fine");
  });
});

it("obeys Retry-After instead of the backoff", async () => {
  const { clock, guard, calls, failing } = setup();
  const start = clock.now();
  const result = guard(failing([Object.assign(new Error(), { status: 429, headers: { "retry-after": "2" } })]));
  await clock.advance(5_000);
  await expect(result).resolves.toBe("fine");
  expect(calls.map((at) => at - start)).toEqual([0, 2_000]);
});

it("retries no more than the budget pays for", async () => {
  const budget = createBudget({ ratio: 0, floorPerSecond: 0.3, windowMs: 10_000 });
  const { clock, guard, calls, failing } = setup({ budget });
  const results = [1, 2, 3, 4, 5].map(() => guard(failing([reset()])).catch(() => "failed"));
  await clock.advance(1_000);
  expect((await Promise.all(results)).filter((result) => result === "fine")).toHaveLength(3);
  expect(calls).toHaveLength(8);
});

it("counts requests towards the budget without reading the clock each time", async () => {
  const budget = createBudget({ ratio: 1, floorPerSecond: 0 });
  const { clock, guard, failing } = setup({ budget });
  budget.left(clock.now());
  for (let n = 0; n < 100; n++) await guard(failing([]));
  expect(budget.left(clock.now())).toBe(100);
});

describe("with a breaker", () => {
  it("makes no call while it is open, and says when to come again", async () => {
    const { guard, calls, failing } = setup({ breaker: stubBreaker([0]) });
    await expect(guard(failing([]))).rejects.toMatchObject({
      name: "BreakerOpen",
      breaker: "stub",
      retryAfterMs: 1_234,
    });
    expect(calls).toHaveLength(0);
  });

  it("asks before every attempt and reports every result under its token", async () => {
    const breaker = stubBreaker([11, 12, 13]);
    const { clock, guard, failing } = setup({ breaker });
    const result = guard(failing([reset(), reset()]));
    await clock.advance(1_000);
    await result;
    expect(breaker.told).toEqual(["failed 11", "failed 12", "succeeded 13"]);
  });

  it("gives up with the failure itself when it opens between attempts", async () => {
    const { clock, guard, calls, failing } = setup({ breaker: stubBreaker([11, 0]) });
    const result = guard(failing([reset()])).catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await result).toMatchObject({ code: "ECONNRESET" });
    expect(calls).toHaveLength(1);
  });

  it("does not hold a wrong request against what was called", async () => {
    const breaker = stubBreaker();
    const { guard, failing } = setup({ breaker });
    await guard(failing([Object.assign(new Error(), { status: 400 })])).catch(() => {});
    expect(breaker.told).toEqual(["withdrawn 7"]);
  });
});

describe("the signal", () => {
  it("is handed to the call", async () => {
    const { guard } = setup();
    const { signal } = new AbortController();
    expect(await guard(async (given) => given, signal)).toBe(signal);
    expect((await guard(async (given) => given)).aborted).toBe(false);
  });

  it("ends the waiting, with the failure, and is not held against what was called", async () => {
    const breaker = stubBreaker();
    const { clock, guard, calls, failing } = setup({ breaker });
    const stop = new AbortController();
    const result = guard(failing([reset(), reset()]), stop.signal).catch((error: unknown) => error);
    await clock.advance(50);
    stop.abort();
    expect(await result).toMatchObject({ code: "ECONNRESET" });
    expect(calls).toHaveLength(1);
    expect(clock.timers).toBe(0);

    await guard(failing([reset()]), stop.signal).catch(() => {});
    expect(breaker.told).toEqual(["failed 7", "withdrawn 7"]);
  });
});

it("takes a call that throws before it returns a promise for one that failed", async () => {
  const { clock, guard } = setup();
  let calls = 0;
  const result = guard((): Promise<string> => {
    if (++calls === 1) throw reset();
    return Promise.resolve("fine");
  });
  await clock.advance(1_000);
  await expect(result).resolves.toBe("fine");
});

it.each<[string, GuardOptions["retry"]]>([
  ["`retry.maxAttempts` must be a whole number, between 1 and 1000. It is 0.", { maxAttempts: 0 }],
  ["`retry.backoff.initialMs` must be a number", { backoff: { strategy: "exponential", initialMs: -1 } }],
  ["Did you mean `retry.maxAttempts`?", { maxAttemps: 3 } as never],
])("refuses options out of range: %s", (sentence, retry) => {
  const make = () => createGuard({ clock: fakeClock(), random: () => 0, ...(retry && { retry }) });
  expect(make).toThrow(sentence);
});
