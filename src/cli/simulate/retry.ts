import { retryJitters, retryStrategies, retryWaitsBounds, simulateRetryWaits } from "../../simulate/retry-waits.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, durationFlag, numberFlag, optional } from "../flags.ts";
import { retryWaitsJson, showRetryWaits } from "./retry-drawing.ts";
import { policyFrom } from "./retry-policy.ts";

export const simulateRetryCommand = command({
  name: "simulate retry",
  summary: "what waits a policy gives, and when messages that failed together call again",
  examples: [
    {
      line: "dlo simulate retry --attempts 5 --base 1s --cap 60s --jitter full",
      about: "the waits, the load, what to mind",
    },
    { line: "dlo simulate retry --strategy fixed --base 30s --jitter none", about: "a herd: all call again at once" },
    { line: "dlo simulate retry --attempts 9 --json", about: "for a program" },
  ],
  details: [
    "Each row is one wait: after which attempt, how long at least, on average and at most, and how long after the first " +
      "failure the next attempt then comes. The drawing takes messages that all fail at 0 s, and go on failing at once, and " +
      "counts their calls.",
    "Strategies: immediate, fixed (always --base), linear (--base, twice, three times ...), exponential (--base, then " +
      "--factor times the wait before), staged (10 s, 60 s, 300 s), progressive (a ladder: at once, then exponential, then " +
      "minutes). Jitter: none, full (0 to the wait), equal (half to all of it), proportional (half to one and a half), " +
      "decorrelated (from --base to three times the wait before; exponential only).",
  ],
  flags: {
    attempts: numberFlag({ about: "runs in all, the first included", default: 5, ...retryWaitsBounds.attempts }),
    strategy: choiceFlag({ about: "how waits grow", of: retryStrategies, default: "exponential" }),
    base: optional(durationFlag({ about: "the first wait", default: "1s", min: "0s", max: "1d" }), "1s"),
    cap: optional(
      durationFlag({ about: "no wait is longer", default: "60s", min: "0s", max: "7d" }),
      "60s; 1 day if fixed or progressive",
    ),
    factor: optional(numberFlag({ about: "what the wait before is multiplied by", default: 2, min: 1, max: 100 }), "2"),
    jitter: optional(
      choiceFlag({ about: "what is left to chance", of: retryJitters, default: "full" }),
      "full; none if staged",
    ),
    messages: numberFlag({ about: "how many fail together", default: 1_000, ...retryWaitsBounds.messages }),
    seed: numberFlag({ about: "which dice", default: 1, ...retryWaitsBounds.seed }),
  },

  async run({ attempts, strategy, base, cap, factor, jitter, messages, seed, json }, context) {
    const options = { policy: policyFrom(strategy, { base, cap, factor, jitter }), attempts, messages, seed };
    const result = simulateRetryWaits(options);
    if (json) context.print(JSON.stringify(retryWaitsJson(result, options)));
    else showRetryWaits(result, options, context);
    return exit.done;
  },
});
