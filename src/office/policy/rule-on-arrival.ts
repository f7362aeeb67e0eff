import type { DeadLetter, LetterReading } from "../../domain/dead-letter.ts";
import type { NewLetter } from "../../ledger/new-letter.ts";
import type { LetterFacts } from "../../triage/conditions/letter-facts.ts";
import { applyRules, tagsBy } from "../../triage/rules/rule.ts";
import { conditionFacts, type Telling } from "./condition-facts.ts";
import type { PolicyInForce } from "./policy-in-force.ts";

export interface ReadLetter {
  readonly letter: DeadLetter;
  readonly reading: LetterReading;
}

/** What the rules of the policy in force make of a letter that was just read. Its version stands with the classification. */
export function ruleOnArrival(
  { version, rules }: Pick<PolicyInForce, "version" | "rules">,
  held: NewLetter,
  read: ReadLetter,
): NewLetter {
  if (version === null) return held;
  const classification = applyRules(rules, held.classification, arrivalFacts(held, read));
  return { ...held, classification, tags: tagsBy(rules, classification), policyVersion: version };
}

/** What conditions see of a letter that was just read, before any rule had its say. */
export function arrivalFacts(held: NewLetter, { letter, reading }: ReadLetter, tell?: Telling): LetterFacts {
  const { source, queue, classification, names, times } = held;
  const { category, confidence } = classification;
  const known = {
    ...{ source, queue, category, was: null, confidence, replays: 0, key: names.key, orderKey: names.orderKey },
    ...{ failedAt: times.failedAt, now: times.arrivedAt },
  };
  return conditionFacts(letter, reading, known, tell);
}
