import type { Random } from "../domain/clock.ts";
import { refuseUnknownNames, requireNumber, requireOneOf, requireOption, withDefaults } from "../domain/options.ts";

/**
 * How long to wait after the attempt numbered `attempt` (from 1) failed, in whole milliseconds.
 *
 * `previousMs` is the wait before that attempt, if there was one. It travels with the message, so that decorrelated
 * jitter needs no memory in any process.
 */
export type Backoff = (attempt: number, random: Random, previousMs?: number) => number;

/**
 * What chance does to a delay `d`: "none" keeps it, "full" is 0 to d, "equal" d/2 to d, "proportional" d/2 to 3d/2,
 * "decorrelated" (exponential only) between the initial delay and three times the wait before.
 */
export type Jitter = "none" | "full" | "equal" | "decorrelated" | "proportional";

export interface ImmediateBackoff {
  readonly strategy: "immediate";
}

export interface FixedBackoff {
  readonly strategy: "fixed";
  /** The wait, in milliseconds. @default 1_000 */
  readonly delayMs?: number;
  /** @default "full" */
  readonly jitter?: Exclude<Jitter, "decorrelated">;
  /** No wait is longer, jitter included, in milliseconds. @default 86_400_000 */
  readonly maxMs?: number;
}

export interface LinearBackoff {
  readonly strategy: "linear";
  /** The wait after the first failure, in milliseconds. @default 1_000 */
  readonly initialMs?: number;
  /** What each further failure adds, in milliseconds. @default 1_000 */
  readonly stepMs?: number;
  /** @default "full" */
  readonly jitter?: Exclude<Jitter, "decorrelated">;
  /** No wait is longer, jitter included, in milliseconds. @default 60_000 */
  readonly maxMs?: number;
}

export interface ExponentialBackoff {
  readonly strategy: "exponential";
  /** The wait after the first failure, in milliseconds. @default 1_000 */
  readonly initialMs?: number;
  /** What each further failure multiplies it by. @default 2 */
  readonly factor?: number;
  /** "decorrelated" takes the place of the formula: `factor` then plays no part. @default "full" */
  readonly jitter?: Jitter;
  /** No wait is longer, jitter included, in milliseconds. @default 60_000 */
  readonly maxMs?: number;
}

/** One delay of a staged backoff. */
export interface Stage {
  /** What people call it: "10s", "after lunch". Unique in its list. */
  readonly name: string;
  /** In milliseconds. */
  readonly delayMs: number;
}

export interface StagedBackoff {
  readonly strategy: "staged";
  /** One per failure, the last one for all that follow. @default 10 s, 60 s, 300 s */
  readonly stages?: readonly Stage[];
  /** None by default, unlike the other strategies: a stage is named for its delay. @default "none" */
  readonly jitter?: Exclude<Jitter, "decorrelated">;
  /** No wait is longer, jitter included, in milliseconds. @default 86_400_000 */
  readonly maxMs?: number;
}

/** A step of the ladder. Its formula counts attempts from 1 again. */
export interface Tier {
  /** How many failures it serves. The last tier also serves all that follow. */
  readonly attempts: number;
  readonly backoff: Exclude<BackoffOptions, ProgressiveBackoff>;
}

export interface ProgressiveBackoff {
  readonly strategy: "progressive";
  /** @default at once, then exponential from 1 s for three attempts, then 5 min to 15 min */
  readonly tiers?: readonly Tier[];
  /** No wait is longer, whatever a tier says, in milliseconds. @default 86_400_000 */
  readonly maxMs?: number;
}

export type BackoffOptions =
  | ImmediateBackoff
  | FixedBackoff
  | LinearBackoff
  | ExponentialBackoff
  | StagedBackoff
  | ProgressiveBackoff;

type Strategy = BackoffOptions["strategy"];
type OptionsOf<S extends Strategy> = Extract<BackoffOptions, { strategy: S }>;

const dayMs = 86_400_000;
/** Longer waits than a year are taken for a mistake in units. */
const yearMs = 365 * dayMs;

export const backoffDefaults: { readonly [S in Strategy]: Required<OptionsOf<S>> } = {
  immediate: { strategy: "immediate" },
  fixed: { strategy: "fixed", delayMs: 1_000, jitter: "full", maxMs: dayMs },
  linear: { strategy: "linear", initialMs: 1_000, stepMs: 1_000, jitter: "full", maxMs: 60_000 },
  exponential: { strategy: "exponential", initialMs: 1_000, factor: 2, jitter: "full", maxMs: 60_000 },
  staged: {
    strategy: "staged",
    stages: [
      { name: "10s", delayMs: 10_000 },
      { name: "60s", delayMs: 60_000 },
      { name: "300s", delayMs: 300_000 },
    ],
    jitter: "none",
    maxMs: dayMs,
  },
  progressive: {
    strategy: "progressive",
    tiers: [
      { attempts: 1, backoff: { strategy: "immediate" } },
      { attempts: 3, backoff: { strategy: "exponential" } },
      { attempts: 3, backoff: { strategy: "linear", initialMs: 300_000, stepMs: 300_000, maxMs: 900_000 } },
    ],
    maxMs: dayMs,
  },
};

const strategies: { readonly [S in Strategy]: (options: OptionsOf<S>, where: string) => Backoff } = {
  immediate(options, where) {
    withDefaults(backoffDefaults.immediate, options, where);
    return () => 0;
  },
  fixed(options, where) {
    const { delayMs, jitter, maxMs } = withDefaults(backoffDefaults.fixed, options, where);
    requireDelays({ delayMs }, maxMs, where);
    return spread(() => delayMs, jitter, maxMs, where);
  },
  linear(options, where) {
    const { initialMs, stepMs, jitter, maxMs } = withDefaults(backoffDefaults.linear, options, where);
    requireDelays({ initialMs }, maxMs, where);
    requireNumber(`${where}.stepMs`, stepMs, { min: 0, max: yearMs });
    return spread((attempt) => initialMs + stepMs * (attempt - 1), jitter, maxMs, where);
  },
  exponential,
  staged,
  progressive,
};

/** Makes the backoff that the options describe; exponential with full jitter if they are left out. */
export function backoff(options: BackoffOptions = backoffDefaults.exponential, where = "backoff"): Backoff {
  const { strategy } = options;
  requireOneOf(`${where}.strategy`, strategy, Object.keys(strategies));
  // The table is keyed by the very tag that selects the member of the union, which the type checker cannot follow.
  return (strategies[strategy] as (options: BackoffOptions, where: string) => Backoff)(options, where);
}

export const immediateBackoff = (): Backoff => backoff({ strategy: "immediate" });
export const fixedBackoff = (options?: Omit<FixedBackoff, "strategy">): Backoff =>
  backoff({ ...options, strategy: "fixed" });
export const linearBackoff = (options?: Omit<LinearBackoff, "strategy">): Backoff =>
  backoff({ ...options, strategy: "linear" });
export const exponentialBackoff = (options?: Omit<ExponentialBackoff, "strategy">): Backoff =>
  backoff({ ...options, strategy: "exponential" });
export const stagedBackoff = (options?: Omit<StagedBackoff, "strategy">): Backoff =>
  backoff({ ...options, strategy: "staged" });
export const progressiveBackoff = (options?: Omit<ProgressiveBackoff, "strategy">): Backoff =>
  backoff({ ...options, strategy: "progressive" });

function exponential(options: ExponentialBackoff, where: string): Backoff {
  const { initialMs, factor, jitter, maxMs } = withDefaults(backoffDefaults.exponential, options, where);
  requireDelays({ initialMs }, maxMs, where);
  requireNumber(`${where}.factor`, factor, { min: 1, max: 100 });
  if (jitter === "decorrelated") {
    return (_attempt, random, previousMs = initialMs) => {
      const upToMs = Math.max(initialMs, previousMs * 3);
      return Math.round(Math.min(maxMs, initialMs + random() * (upToMs - initialMs)));
    };
  }
  // A large attempt overflows to Infinity, which the cap takes care of; but 0 × Infinity is NaN.
  const ceiling = (attempt: number) => (initialMs === 0 ? 0 : initialMs * factor ** (attempt - 1));
  return spread(ceiling, jitter, maxMs, where);
}

function staged(options: StagedBackoff, where: string): Backoff {
  const { stages, jitter, maxMs } = withDefaults(backoffDefaults.staged, options, where);
  requireOption(Array.isArray(stages) && stages.length > 0, `${where}.stages`, "a list of at least one stage", stages);
  const names = new Set(stages.map(({ name }) => name));
  requireOption(names.size === stages.length, `${where}.stages`, "a list of stages with different names");
  const delays = stages.map(({ delayMs }) => delayMs);
  for (const [index, delayMs] of delays.entries())
    requireDelays({ [`stages[${index}].delayMs`]: delayMs }, maxMs, where);
  return spread((attempt) => delays[Math.min(attempt, delays.length) - 1] ?? 0, jitter, maxMs, where);
}

function progressive(options: ProgressiveBackoff, where: string): Backoff {
  const { tiers, maxMs } = withDefaults(backoffDefaults.progressive, options, where);
  requireOption(Array.isArray(tiers) && tiers.length > 0, `${where}.tiers`, "a list of at least one tier", tiers);
  requireNumber(`${where}.maxMs`, maxMs, { min: 0, max: yearMs });
  const ladder = tiers.map((tier, index) => readTier(tier, `${where}.tiers[${index}]`));
  return (attempt, random, previousMs) => {
    let step = 0;
    let within = attempt;
    for (let tier = ladder[step]; tier !== undefined && within > tier.attempts && step < ladder.length - 1; ) {
      within -= tier.attempts;
      tier = ladder[++step];
    }
    // The wait before a tier's first attempt was made by another formula: it is no start for this one.
    const before = within === 1 ? undefined : previousMs;
    return Math.min(maxMs, ladder[step]?.wait(within, random, before) ?? 0);
  };
}

function readTier(tier: Tier, where: string): { readonly attempts: number; readonly wait: Backoff } {
  refuseUnknownNames(Object.keys(tier), ["attempts", "backoff"], where);
  requireNumber(`${where}.attempts`, tier.attempts, { min: 1, integer: true });
  const plain = Object.keys(strategies).filter((strategy) => strategy !== "progressive");
  requireOneOf(`${where}.backoff.strategy`, tier.backoff?.strategy, plain);
  return { attempts: tier.attempts, wait: backoff(tier.backoff, `${where}.backoff`) };
}

function spread(ceiling: (attempt: number) => number, jitter: Jitter, maxMs: number, where: string): Backoff {
  requireOneOf(`${where}.jitter`, jitter, Object.keys(jitters));
  const apply = jitters[jitter as keyof typeof jitters];
  return (attempt, random) => Math.round(Math.min(maxMs, apply(Math.min(maxMs, ceiling(attempt)), random)));
}

const jitters = {
  none: (delayMs: number) => delayMs,
  full: (delayMs: number, random: Random) => delayMs * random(),
  equal: (delayMs: number, random: Random) => delayMs * (0.5 + random() / 2),
  proportional: (delayMs: number, random: Random) => delayMs * (0.5 + random()),
};

function requireDelays(delays: Readonly<Record<string, number>>, maxMs: number, where: string): void {
  requireNumber(`${where}.maxMs`, maxMs, { min: 0, max: yearMs });
  for (const [name, value] of Object.entries(delays)) {
    requireNumber(`${where}.${name}`, value, { min: 0, max: yearMs });
    requireOption(value <= maxMs, `${where}.maxMs`, `at least \`${where}.${name}\`, which is ${value}`, maxMs);
  }
}
