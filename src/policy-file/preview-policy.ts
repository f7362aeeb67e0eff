import type { Category, Classification, FailureEvidence } from "../domain/classification.ts";
import type { LetterFacts } from "../triage/conditions/letter-facts.ts";
import { classifyWith } from "../triage/rules/rule.ts";
import type { Policy } from "./policy-file.ts";

/** A letter as far as a policy needs to see it. */
export interface PreviewedLetter {
  readonly id: string;
  readonly evidence: FailureEvidence;
  readonly facts: LetterFacts;
  /** What it is now; null asks what it would be without any policy. */
  readonly category: Category | null;
}

/** What a policy would do to letters. */
export interface PolicyPreview {
  readonly letters: number;
  /** Most letters first: "would move 37 letters from unknown to business_rule". */
  readonly moves: readonly {
    readonly from: Category;
    readonly to: Category;
    readonly n: number;
    readonly examples: readonly string[];
  }[];
  /** For each rule, in order, how many letters it decides. A rule with none may be misspelt, or come too late. */
  readonly rules: readonly { readonly id: string; readonly n: number }[];
}

const mostExamples = 3;

/** Tries a policy on letters, changing nothing. Letters may come from a file or the ledger, in any number. */
export function previewPolicy(policy: Policy, letters: Iterable<PreviewedLetter>): PolicyPreview {
  const moves = new Map<string, { from: Category; to: Category; n: number; examples: string[] }>();
  const decided = new Map(policy.rules.map(({ id }) => [`rule/${id}`, 0]));
  let count = 0;
  for (const { id, evidence, facts, category } of letters) {
    const became = classifyWith(policy.rules, evidence, facts);
    const from = category ?? withoutRule(became);
    count += 1;
    if (decided.has(became.rule)) decided.set(became.rule, (decided.get(became.rule) ?? 0) + 1);
    if (from === became.category) continue;
    const move = moves.get(`${from} ${became.category}`) ?? { from, to: became.category, n: 0, examples: [] };
    move.n += 1;
    if (move.examples.length < mostExamples) move.examples.push(id);
    moves.set(`${from} ${became.category}`, move);
  }
  return {
    letters: count,
    moves: [...moves.values()].sort((a, b) => b.n - a.n),
    rules: policy.rules.map(({ id }) => ({ id, n: decided.get(`rule/${id}`) ?? 0 })),
  };
}

function withoutRule({ rule, category, runnerUp }: Classification): Category {
  return rule.startsWith("rule/") ? (runnerUp?.category ?? category) : category;
}
