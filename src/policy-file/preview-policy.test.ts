import { expect, it } from "vitest";
import { type Category, noEvidence } from "../domain/classification.ts";
import { factsOf } from "../triage/rules/rule.ts";
import { parsePolicy } from "./policy-file.ts";
import { previewPolicy } from "./preview-policy.ts";

const letter = (id: string, message: string, category: Category | null = null) => {
  const evidence = { ...noEvidence, message };
  const current = category === null ? null : { category, rule: "code/any/1" };
  return { id, group: null, evidence, facts: factsOf(evidence), current };
};
const policy = parsePolicy(`version: 1
rules:
  - { id: flux, pattern: { message: "flux .* inverted" }, category: business_rule }
  - { id: never, pattern: { message: "nobody says this" }, category: poison }`);

it("says which letters would move, and what each rule decides", () => {
  const letters = [letter("1", "flux 1 inverted"), letter("2", "flux 2 inverted"), letter("3", "deadlock detected")];
  expect(previewPolicy(policy, letters)).toEqual({
    letters: 3,
    moves: [{ from: "unknown", to: "business_rule", n: 2, groups: [], examples: ["1", "2"] }],
    rules: [
      { id: "flux", n: 2 },
      { id: "never", n: 0 },
    ],
  });
});

it("compares with what letters are now, if that is known", () => {
  expect(previewPolicy(policy, [letter("1", "flux 1 inverted", "business_rule")]).moves).toEqual([]);
  expect(previewPolicy(policy, [letter("1", "flux 1 inverted", "transient")]).moves).toMatchObject([
    { from: "transient", to: "business_rule" },
  ]);
});
