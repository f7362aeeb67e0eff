import type { Category, Classification, FailureEvidence, SideEffect } from "../../domain/classification.ts";
import { classify } from "../classify.ts";
import type { Condition } from "../conditions/condition.ts";
import { type LetterFacts, noFacts } from "../conditions/letter-facts.ts";
import type { Pattern } from "../conditions/pattern.ts";

/** One of a team's own rules. Its condition and all its patterns must hold. */
export interface Rule {
  readonly id: string;
  readonly when: Condition | null;
  readonly pattern: {
    readonly message: Pattern | null;
    readonly class: Pattern | null;
    readonly stack: Pattern | null;
  };
  readonly category: Category;
  /** Null leaves it to the built-in judgement. */
  readonly sideEffect: SideEffect | null;
  readonly confidence: number;
  readonly why: string;
  /** Put on each letter that it decides. */
  readonly tags: readonly string[];
}

/** Classifies a letter: by the handler's own word, else by the first rule that matches, else by what is built in. */
export function classifyWith(rules: readonly Rule[], evidence: FailureEvidence, facts: LetterFacts): Classification {
  const builtIn = classify(evidence);
  const { category, confidence } = builtIn;
  return applyRules(rules, builtIn, facts.category === null ? { ...facts, category, confidence } : facts);
}

/** What rules make of a letter that was classified without them. */
export function applyRules(rules: readonly Rule[], builtIn: Classification, facts: LetterFacts): Classification {
  if (builtIn.rule.startsWith("own-word/")) return builtIn;
  const rule = rules.find((candidate) => matches(candidate, facts));
  return rule === undefined ? builtIn : ruledBy(rule, builtIn);
}

/** Tags that the rule which decided puts on a letter. */
export function tagsBy(rules: readonly Rule[], { rule }: Pick<Classification, "rule">): readonly string[] {
  return rules.find(({ id }) => rule === `rule/${id}`)?.tags ?? [];
}

/** Whether one of a team's own rules decided it. */
export function isRuled({ rule }: Pick<Classification, "rule">): boolean {
  return rule.startsWith("rule/");
}

export function matches({ when, pattern }: Rule, facts: LetterFacts): boolean {
  const { error } = facts;
  return (
    fits(pattern.message, error.message) &&
    fits(pattern.class, error.class) &&
    fits(pattern.stack, error.stack) &&
    (when === null || when.holds(facts))
  );
}

const fits = (pattern: Pattern | null, text: string | null) => pattern === null || pattern.matches(text ?? "");

/** What would have been said without the rule stays visible as the runner-up. */
function ruledBy(rule: Rule, builtIn: Classification): Classification {
  const { category, confidence, rule: by, why } = builtIn;
  return {
    category: rule.category,
    confidence: rule.confidence,
    rule: `rule/${rule.id}`,
    why: rule.why,
    sideEffect: rule.sideEffect ?? builtIn.sideEffect,
    runnerUp: { category, confidence, rule: by, why },
  };
}

/** What conditions can ask of a failure of which there is no letter yet, such as one in a file. */
export function factsOf(evidence: FailureEvidence): LetterFacts {
  const { errorClass, message, code, httpStatus, stack, headers, payloadExcerpt, attempts } = evidence;
  return {
    ...noFacts,
    attempts,
    error: { class: errorClass, message, code, http: httpStatus, stack: stack.join("\n") },
    headers,
    body: payloadExcerpt,
  };
}
