import { requireOption } from "../../domain/options.ts";
import type { RetryWaitsOptions, retryStrategies } from "../../simulate/retry-waits.ts";
import { UsageError } from "../failure.ts";
import { showDuration } from "../terminal/units.ts";

type Policy = RetryWaitsOptions["policy"];
type Strategy = (typeof retryStrategies)[number];

/** The flags that shape a policy, as given; null where one was left out. */
export interface PolicyFlags {
  readonly base: number | null;
  readonly cap: number | null;
  readonly factor: number | null;
  readonly jitter: string | null;
}

/** Which flags a strategy knows, and the options of its policy they set. */
const optionsSet: Readonly<Record<Strategy, { readonly [Name in keyof PolicyFlags]?: readonly string[] }>> = {
  immediate: {},
  fixed: { base: ["delayMs"], cap: ["maxMs"], jitter: ["jitter"] },
  linear: { base: ["initialMs", "stepMs"], cap: ["maxMs"], jitter: ["jitter"] },
  exponential: { base: ["initialMs"], cap: ["maxMs"], factor: ["factor"], jitter: ["jitter"] },
  staged: { jitter: ["jitter"] },
  progressive: { cap: ["maxMs"] },
};

const usualBaseMs = 1_000;
const usualCapMs = 60_000;

/** The policy that the flags describe. A flag that its strategy does not know is refused, not passed over in silence. */
export function policyFrom(strategy: Strategy, flags: PolicyFlags): Policy {
  checkTogether(strategy, flags);
  const options = Object.entries({ ...flags, cap: capFor(strategy, flags) })
    .filter(([, value]) => value !== null)
    .flatMap(([name, value]) => namesOf(strategy, name as keyof PolicyFlags).map((option) => [option, value]));
  // The table above holds names of the strategy's own options only; the policy checks their values itself.
  return { strategy, ...Object.fromEntries(options) } as Policy;
}

function checkTogether(strategy: Strategy, { base, cap, jitter }: PolicyFlags): void {
  const baseMs = base ?? usualBaseMs;
  const fits = cap === null || optionsSet[strategy].base === undefined || cap >= baseMs;
  requireOption(fits, "--cap", `at least \`--base\`, which is ${showDuration(baseMs)}`, showDuration(cap ?? 0));
  if (jitter === "decorrelated" && strategy !== "exponential") {
    throw new UsageError("unexpected_value", "`--jitter decorrelated` goes with `--strategy exponential` alone.");
  }
}

/** A long base lifts the usual cap: whoever asks for --base 5m has not asked for waits of 60 s. */
function capFor(strategy: Strategy, { base, cap }: PolicyFlags): number | null {
  const isCapped = strategy === "linear" || strategy === "exponential";
  return cap ?? (isCapped ? Math.max(usualCapMs, base ?? usualBaseMs) : null);
}

function namesOf(strategy: Strategy, flag: keyof PolicyFlags): readonly string[] {
  const names = optionsSet[strategy][flag];
  if (names !== undefined) return names;
  const known = Object.keys(optionsSet[strategy]).map((name) => `--${name}`);
  const hint = known.length === 0 ? undefined : `It knows ${known.join(", ")}.`;
  throw new UsageError("unexpected_value", `\`--${flag}\` means nothing to \`--strategy ${strategy}\`.`, hint);
}
