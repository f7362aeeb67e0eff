import type { Category, Classification, FailureEvidence } from "../domain/classification.ts";
import type { LetterFacts } from "../triage/conditions/letter-facts.ts";
import { classifyWith, isRuled } from "../triage/rules/rule.ts";
import type { Policy } from "./policy-file.ts";

/** A letter as far as a policy needs to see it. */
export interface PreviewedLetter {
  readonly id: string;
  /** The group it is in; null where it is in none. */
  readonly group: string | null;
  readonly evidence: FailureEvidence;
  readonly facts: LetterFacts;
  /** What it is now; null asks what it would be without any policy. */
  readonly current: Pick<Classification, "category" | "rule"> | null;
}

/** What a policy would do to letters. */
export interface PolicyPreview {
  readonly letters: number;
  /** Most letters first: "would move 37 letters from unknown to business_rule". */
  readonly moves: readonly PreviewedMove[];
  /** For each rule, in order, how many letters it decides. A rule with none may be misspelt, or come too late. */
  readonly rules: readonly { readonly id: string; readonly n: number }[];
}

export interface PreviewedMove {
  readonly from: Category;
  readonly to: Category;
  readonly n: number;
  /** Most letters first. */
  readonly groups: readonly { readonly group: string; readonly n: number }[];
  readonly examples: readonly string[];
}

/** A preview that is being made, letter by letter. */
export interface PreviewInProgress {
  /** What the letter would be. */
  add(letter: PreviewedLetter): Classification;
  result(): PolicyPreview;
}

const mostExamples = 3;

interface Move {
  readonly from: Category;
  readonly to: Category;
  readonly groups: Map<string, number>;
  readonly examples: string[];
  n: number;
}

/** Tries a policy on letters, changing nothing. Letters may come from a file or the ledger, in any number. */
export function startPreview({ rules }: Pick<Policy, "rules">): PreviewInProgress {
  const moves = new Map<string, Move>();
  const decided = new Map(rules.map(({ id }) => [`rule/${id}`, 0]));
  let letters = 0;
  return {
    add({ id, group, evidence, facts, current }) {
      const became = classifyWith(rules, evidence, facts);
      letters += 1;
      if (decided.has(became.rule)) decided.set(became.rule, (decided.get(became.rule) ?? 0) + 1);
      const from = current ?? withoutRule(became);
      if (isMoved(from, became)) note(moves, { id, group, from: from.category, to: became.category });
      return became;
    },
    result: () => ({
      letters,
      moves: [...moves.values()].sort((a, b) => b.n - a.n).map(previewedMove),
      rules: rules.map(({ id }) => ({ id, n: decided.get(`rule/${id}`) ?? 0 })),
    }),
  };
}

export function previewPolicy(policy: Policy, letters: Iterable<PreviewedLetter>): PolicyPreview {
  const preview = startPreview(policy);
  for (const letter of letters) preview.add(letter);
  return preview.result();
}

/** Only where a rule has or had a say: a policy does not move what is built in. */
function isMoved(from: Pick<Classification, "category" | "rule">, became: Classification): boolean {
  return from.category !== became.category && (isRuled(from) || isRuled(became));
}

interface Moved {
  readonly id: string;
  readonly group: string | null;
  readonly from: Category;
  readonly to: Category;
}

function note(moves: Map<string, Move>, { id, group, from, to }: Moved): void {
  const name = `${from} ${to}`;
  const move = moves.get(name) ?? { from, to, n: 0, groups: new Map<string, number>(), examples: [] };
  move.n += 1;
  if (group !== null) move.groups.set(group, (move.groups.get(group) ?? 0) + 1);
  if (move.examples.length < mostExamples) move.examples.push(id);
  moves.set(name, move);
}

function previewedMove({ from, to, n, groups, examples }: Move): PreviewedMove {
  const counted = [...groups].map(([group, count]) => ({ group, n: count })).sort((a, b) => b.n - a.n);
  return { from, to, n, groups: counted, examples };
}

/** What it would be without the policy: what was built in is the runner-up of a rule. */
function withoutRule(became: Classification): Pick<Classification, "category" | "rule"> {
  return isRuled(became) && became.runnerUp !== null ? became.runnerUp : became;
}
