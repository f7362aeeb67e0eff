import { ExponentialBackoff, noJitterGenerator } from "cockatiel";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BackoffOptions,
  backoff,
  exponentialBackoff,
  fixedBackoff,
  immediateBackoff,
  linearBackoff,
  progressiveBackoff,
  stagedBackoff,
} from "./backoff.ts";

const anyDelay = fc.integer({ min: 0, max: 100_000 });
const anyChance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const anyJitter = fc.constantFrom("none" as const, "full" as const, "equal" as const, "proportional" as const);
const anyAttempt = fc.integer({ min: 1, max: 10_000 });

type Plain = Exclude<BackoffOptions, { strategy: "progressive" }>;

const plainOptions: fc.Arbitrary<Plain> = fc.oneof(
  fc.constant({ strategy: "immediate" as const }),
  fc.record({ strategy: fc.constant("fixed" as const), delayMs: anyDelay, jitter: anyJitter, maxMs: capOver(100_000) }),
  fc.record({
    strategy: fc.constant("linear" as const),
    initialMs: anyDelay,
    stepMs: anyDelay,
    jitter: anyJitter,
    maxMs: capOver(100_000),
  }),
  fc.record({
    strategy: fc.constant("exponential" as const),
    initialMs: anyDelay,
    factor: fc.double({ min: 1, max: 10, noNaN: true }),
    jitter: fc.oneof(anyJitter, fc.constant("decorrelated" as const)),
    maxMs: capOver(100_000),
  }),
  fc.record({
    strategy: fc.constant("staged" as const),
    stages: fc
      .array(anyDelay, { minLength: 1, maxLength: 5 })
      .map((all) => all.map((delayMs, n) => ({ name: `${n}`, delayMs }))),
    jitter: anyJitter,
    maxMs: capOver(100_000),
  }),
);

const anyOptions: fc.Arbitrary<BackoffOptions> = fc.oneof(
  plainOptions,
  fc.record({
    strategy: fc.constant("progressive" as const),
    tiers: fc.array(fc.record({ attempts: fc.integer({ min: 1, max: 5 }), backoff: plainOptions }), { minLength: 1 }),
    maxMs: capOver(0),
  }),
);

function capOver(min: number): fc.Arbitrary<number> {
  return fc.integer({ min, max: 1_000_000 });
}

it("waits whole milliseconds, none negative, none over the cap, whatever the options and the attempt", () => {
  fc.assert(
    fc.property(
      anyOptions,
      anyAttempt,
      anyChance,
      fc.option(anyDelay, { nil: undefined }),
      (options, attempt, chance, previousMs) => {
        const waitMs = backoff(options)(attempt, () => chance, previousMs);
        expect(Number.isInteger(waitMs)).toBe(true);
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual("maxMs" in options ? (options.maxMs ?? 0) : 0);
      },
    ),
  );
});

it("waits nothing from nothing, however many attempts multiply it", () => {
  expect(exponentialBackoff({ initialMs: 0 })(5_462, () => 0.5)).toBe(0);
});

it("never waits less than before, jitter aside", () => {
  fc.assert(
    fc.property(plainOptions, fc.integer({ min: 1, max: 2_000 }), (options, attempt) => {
      fc.pre(options.strategy === "linear" || options.strategy === "exponential");
      const wait = backoff({ ...options, jitter: "none" });
      expect(wait(attempt + 1, () => 0)).toBeGreaterThanOrEqual(wait(attempt, () => 0));
    }),
  );
});

describe("strategies, without jitter", () => {
  const jitter = "none";
  const firstWaits = (options: BackoffOptions) =>
    [1, 2, 3, 4, 5].map((attempt) => backoff(options)(attempt, () => 0.5));

  it.each<[string, BackoffOptions, number[]]>([
    ["immediate does not wait", { strategy: "immediate" }, [0, 0, 0, 0, 0]],
    ["fixed waits the same", { strategy: "fixed", delayMs: 70, jitter }, [70, 70, 70, 70, 70]],
    ["linear adds a step", { strategy: "linear", initialMs: 10, stepMs: 5, maxMs: 22, jitter }, [10, 15, 20, 22, 22]],
    [
      "exponential multiplies",
      { strategy: "exponential", initialMs: 10, factor: 3, maxMs: 500, jitter },
      [10, 30, 90, 270, 500],
    ],
    [
      "staged takes stage after stage, then the last",
      { strategy: "staged" },
      [10_000, 60_000, 300_000, 300_000, 300_000],
    ],
  ])("%s", (_title, options, waits) => expect(firstWaits(options)).toEqual(waits));

  it("agrees with cockatiel's exponential backoff", () => {
    const options = { initialDelay: 128, maxDelay: 30_000, maxAttempts: 20, exponent: 2, generator: noJitterGenerator };
    const wait = exponentialBackoff({ initialMs: 128, maxMs: 30_000, jitter });
    let theirs = new ExponentialBackoff(options).next();
    for (let attempt = 1; attempt <= 20; attempt++) {
      expect(wait(attempt, () => 0)).toBe(theirs.duration);
      theirs = theirs.next({ attempt, signal: new AbortController().signal, result: { value: 1 } });
    }
  });

  it("progressive climbs from tier to tier, each counting from one, and stays on the last", () => {
    const wait = progressiveBackoff({
      tiers: [
        { attempts: 2, backoff: { strategy: "immediate" } },
        { attempts: 2, backoff: { strategy: "exponential", initialMs: 100, jitter } },
        { attempts: 1, backoff: { strategy: "linear", initialMs: 1_000, stepMs: 500, jitter } },
      ],
      maxMs: 1_600,
    });
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attempt) => wait(attempt, () => 0.5));
    expect(waits).toEqual([0, 0, 100, 200, 1_000, 1_500, 1_600]);
  });
});

describe("jitter", () => {
  const between = (options: BackoffOptions, previousMs?: number) => {
    const wait = backoff(options);
    return [
      wait(1, () => 0, previousMs),
      wait(1, () => 0.5, previousMs),
      wait(1, () => 1 - Number.EPSILON, previousMs),
    ];
  };

  it.each([
    ["none", [1_000, 1_000, 1_000]],
    ["full", [0, 500, 1_000]],
    ["equal", [500, 750, 1_000]],
    ["proportional", [500, 1_000, 1_500]],
  ] as const)("%s spreads a second over %j", (jitter, waits) => {
    expect(between({ strategy: "fixed", delayMs: 1_000, jitter })).toEqual(waits);
  });

  it("is full where nothing is said, but not for named stages", () => {
    expect(between({ strategy: "exponential", initialMs: 1_000 })).toEqual([0, 500, 1_000]);
    expect(between({ strategy: "staged", stages: [{ name: "a", delayMs: 1_000 }] })).toEqual([1_000, 1_000, 1_000]);
  });

  it("decorrelated lies between the initial delay and three times the wait before", () => {
    const options = { strategy: "exponential", jitter: "decorrelated", initialMs: 100, maxMs: 5_000 } as const;
    expect(between(options)).toEqual([100, 200, 300]);
    expect(between(options, 1_000)).toEqual([100, 1_550, 3_000]);
    expect(between(options, 4_000)).toEqual([100, 5_000, 5_000]);
    expect(between(options, 1)).toEqual([100, 100, 100]);
  });

  it("decorrelated begins anew on each tier: a wait by another formula is no start", () => {
    const wait = progressiveBackoff({
      tiers: [
        { attempts: 1, backoff: { strategy: "fixed", delayMs: 60_000, jitter: "none" } },
        { attempts: 9, backoff: { strategy: "exponential", initialMs: 100, jitter: "decorrelated" } },
      ],
    });
    expect(wait(2, () => 0.999_999, 60_000)).toBe(300);
    expect(wait(3, () => 0.999_999, 300)).toBe(900);
  });
});

describe("options out of range", () => {
  it.each<[string, () => unknown]>([
    ["`backoff.initialMs` must be a number, between 0 and", () => exponentialBackoff({ initialMs: -1 })],
    ["`backoff.factor` must be a number, between 1 and 100. It is 0.5.", () => exponentialBackoff({ factor: 0.5 })],
    [
      "`backoff.maxMs` must be at least `backoff.initialMs`, which is 90000",
      () => linearBackoff({ initialMs: 90_000 }),
    ],
    ["`backoff.delayMs` must be a number", () => fixedBackoff({ delayMs: Number.NaN })],
    [
      "`backoff.initialMS` is not an option. Did you mean `backoff.initialMs`?",
      () => linearBackoff({ initialMS: 5 } as never),
    ],
    ['Did you mean "equal"?', () => fixedBackoff({ jitter: "eqal" as never })],
    [
      "`backoff.jitter` must be one of none, full, equal, proportional",
      () => fixedBackoff({ jitter: "decorrelated" as never }),
    ],
    ["`backoff.strategy` must be one of", () => backoff({ strategy: "exponentail" as never })],
    ["`backoff.stages` must be a list of at least one stage", () => stagedBackoff({ stages: [] })],
    [
      "different names",
      () =>
        stagedBackoff({
          stages: [
            { name: "a", delayMs: 1 },
            { name: "a", delayMs: 2 },
          ],
        }),
    ],
    [
      "`backoff.tiers[0].attempts` must be a whole number",
      () => progressiveBackoff({ tiers: [{ attempts: 0, backoff: { strategy: "immediate" } }] }),
    ],
    [
      "`backoff.tiers[0].backoff.strategy` must be one of immediate",
      () => progressiveBackoff({ tiers: [{ attempts: 1, backoff: { strategy: "progressive" } as never }] }),
    ],
  ])("are refused: %s", (sentence, make) => expect(make).toThrow(sentence));

  it("leave immediate with nothing to say", () => expect(immediateBackoff()(9, () => 0.5)).toBe(0));
});
