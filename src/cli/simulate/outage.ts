import { requireOption } from "../../domain/options.ts";
import { type OutageOptions, outageBounds, simulateOutage } from "../../simulate/outage.ts";
import {
  type BreakerName,
  type Budget,
  breakers,
  budgets,
  type OutagePolicyName,
  outagePolicies,
} from "../../simulate/outage-policies.ts";
import { inTurn } from "../../simulate/steps.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { choiceFlag, durationFlag, numberFlag, optional } from "../flags.ts";
import { showDuration } from "../terminal/units.ts";
import { budgetFlag } from "./budget-flag.ts";
import { showOutage, showOutages } from "./outage-drawing.ts";
import { runPaced } from "./paced-run.ts";
import { pastOutageFlags, replayPastOutage } from "./past-outage.ts";

const policyNames = Object.keys(outagePolicies) as OutagePolicyName[];
const breakerNames = Object.keys(breakers) as BreakerName[];

export const simulateOutageCommand = command({
  name: "simulate outage",
  summary: "a short outage, and whether the service comes back afterwards or its callers keep it down",
  examples: [
    { line: "dlo simulate outage --policy all", about: "every policy side by side" },
    { line: "dlo simulate outage", about: "one retry after 1 s: ten seconds of outage, down for good" },
    {
      line: "dlo simulate outage --group grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --attempts 9",
      about: "an outage that a group of letters failed in: how many would have been saved",
    },
    { line: "dlo simulate outage --policy full-jitter --breaker rate", about: "what a breaker adds to jitter" },
    {
      line: "dlo simulate outage --rate 200 --budget 10%+10 --json",
      about: "a budget for another load, for a program",
    },
  ],
  details: [
    "Requests come at a steady rate to a service with one first-in, first-out queue. Callers give up after 1 s and try " +
      "once more 1 s later; the service does not know that they gave up and works for nobody. While it is out it answers " +
      "nothing, and what arrives waits.",
    "Offered is what reaches the service in a second, goodput what is answered while its caller still waits. Recovered " +
      "means that goodput is back within 5 % of the rate and stays there to the end of the horizon, for 10 s at least; " +
      "the time is counted from the end of the outage.",
    `Policies: ${policyNames.map((name) => `${name} (${outagePolicies[name].about})`).join("; ")}.`,
    "Budgets: finagle (20 % of requests and 10/s), own (this library's default, 10 % and 10/s), envoy (20 % of what is " +
      "under way), grpc (a failure takes a token of 10, a success gives a tenth, retries above 5). Breakers: rate (50 % of at " +
      "least 100 calls in 10 s, open 30 s, 10 probes), consecutive (this library's default: 5 in a row, open 30 s, 2 " +
      "successes to close), hystrix (50 % of at least 20 calls in 10 s, open 5 s), polly (10 % of at least 100 calls in 30 s, open 5 s). " +
      "Who is denied by an open breaker gives up.",
    "With --group only --attempts, --base, --cap, --factor, --jitter and --seed count: each letter of that group retries from when it " +
      "failed first, and is saved by a call after the last failure that was seen. What retries do to the service is left aside.",
  ],
  flags: {
    policy: choiceFlag({
      about: "what callers do about failures, or all",
      of: [...policyNames, "all"],
      default: "fixed",
      placeholder: "POLICY",
    }),
    budget: budgetFlag,
    breaker: optional(
      choiceFlag({ about: "asked before each call", of: breakerNames, default: "none" }),
      "as the policy has it",
    ),
    rate: numberFlag({ about: "new requests a second", default: 280, ...outageBounds.rate }),
    capacity: numberFlag({ about: "requests the service can answer a second", default: 300, ...outageBounds.capacity }),
    outage: durationFlag({ about: "how long it answers nothing", default: "10s", min: "0s", max: "10m" }),
    horizon: durationFlag({
      about: "how long to watch, from the start of the outage",
      default: "5m",
      min: "30s",
      max: "1h",
    }),
    seed: numberFlag({ about: "which dice", default: 1, ...outageBounds.seed }),
    ...pastOutageFlags,
  },

  async run(values, context) {
    if (values.group !== "") return replayPastOutage(values, context);
    const { policy, budget, breaker, rate, capacity, outage, horizon, seed, json } = values;
    requireOption(horizon >= outage + leastViewMs, "--horizon", longEnough(outage), showDuration(horizon));
    const names = policy === "all" ? policyNames : [policy];
    const scenario = { rate, capacity, outageMs: outage, horizonMs: horizon, seed };
    const optionsOf = (name: OutagePolicyName) => ({ ...scenario, ...callersUnder(name, budget, breaker) });
    const runs = inTurn(names.map((name) => simulateOutage(optionsOf(name))));
    const results = await runPaced(runs, context, "simulating");
    const named = results.map((result, index) => ({ policy: names[index] ?? "fixed", ...result }));
    const [only] = named;
    if (json) context.print(JSON.stringify(policy === "all" ? named : only));
    else if (policy === "all" || only === undefined) showOutages(named, scenario, context);
    else showOutage(only, optionsOf(only.policy), context);
    return exit.done;
  },
});

/** Whoever stops looking when the outage ends would call every policy hopeless. */
const leastViewMs = 30_000;

function longEnough(outageMs: number): string {
  return `at least ${showDuration(leastViewMs)} longer than \`--outage\`, which is ${showDuration(outageMs)}`;
}

const callerTiming = { timeoutMs: 1_000, retryWaitMs: 1_000 };

/** What callers do under a policy, a budget or a breaker named beside it taking the place of its own. */
function callersUnder(name: OutagePolicyName, budget: Budget | null, breaker: BreakerName | null) {
  const { attempts, jitter, queueMs, ...own } = outagePolicies[name];
  return {
    ...callerTiming,
    attempts,
    jitter,
    queueMs,
    budget: budget ?? budgets[own.budget],
    breaker: breakers[breaker ?? own.breaker],
  } satisfies Partial<OutageOptions>;
}
