import type { DeadLetter, LetterReading } from "../../domain/dead-letter.ts";
import type { NewLetter } from "../../ledger/new-letter.ts";
import { applyRules } from "../../triage/rules/rule.ts";
import { conditionFacts } from "./condition-facts.ts";
import type { PolicyInForce } from "./policy-in-force.ts";

/** What the rules of the policy in force make of a letter that was just read. Its version stands with the classification. */
export function ruleOnArrival(
  { version, rules }: Pick<PolicyInForce, "version" | "rules">,
  held: NewLetter,
  { letter, reading }: { readonly letter: DeadLetter; readonly reading: LetterReading },
): NewLetter {
  if (version === null) return held;
  const { source, queue, classification: builtIn, names, times } = held;
  const { category, confidence } = builtIn;
  const facts = conditionFacts(letter, reading, {
    ...{ source, queue, category, was: null, confidence, replays: 0, key: names.key, orderKey: names.orderKey },
    ...{ failedAt: times.failedAt, now: times.arrivedAt },
  });
  return { ...held, classification: applyRules(rules, builtIn, facts), policyVersion: version };
}
