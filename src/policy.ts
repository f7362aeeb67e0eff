/**
 * Policies: a team's own rules of classification, and what may be done with letters. Needs `yaml`, `zod`,
 * `@marcbachmann/cel-js` and `re2js`.
 */
export {
  comparePolicies,
  type PolicyChanges,
  type ProtocolChange,
  type RuleChanges,
} from "./policy-file/compare-policies.ts";
export { type Policy, parsePolicy } from "./policy-file/policy-file.ts";
export { type PolicyPreview, type PreviewedLetter, previewPolicy } from "./policy-file/preview-policy.ts";
export type { Condition } from "./triage/conditions/condition.ts";
export { type LetterFacts, noFacts, type PlanFacts } from "./triage/conditions/letter-facts.ts";
export type { Pattern } from "./triage/conditions/pattern.ts";
export { classifyWith, factsOf, matches, type Rule } from "./triage/rules/rule.ts";
export { type SuggestedFrom, type Suggestion, suggestionLimits, suggestRules } from "./triage/rules/suggest-rules.ts";
