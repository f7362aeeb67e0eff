import { describe, expect, it } from "vitest";
import { type Category, noEvidence } from "../../domain/classification.ts";
import { compilePattern } from "../conditions/pattern.ts";
import { type SuggestedFrom, suggestionLimits, suggestRules } from "./suggest-rules.ts";

let number = 0;
const letter = (errorClass: string, message: string, category: Category = "unknown"): SuggestedFrom => ({
  id: `ltr_${++number}`,
  evidence: { ...noEvidence, errorClass, message },
  category,
});
const strange = (n: number) =>
  letter("FluxError", `flux of coil ${n} is inverted at ${n * 7} Hz (operator jane${n}@lab.example)`);

describe("suggestions", () => {
  it("are patterns that catch a cluster of unknown letters, and their like to come", () => {
    const [suggestion, ...others] = suggestRules([strange(1), strange(22), strange(333), letter("Other", "once")]);
    expect(others).toEqual([]);
    expect(suggestion).toMatchObject({ id: "flux-coil-inverted-operator", takes: 3, alsoMatches: 0 });
    const pattern = compilePattern(suggestion?.pattern.message ?? "");
    expect(pattern.matches("flux of coil 4444 is inverted at 9 Hz (operator joe@lab.example)")).toBe(true);
    expect(pattern.matches("flux of coil 4444 is fine")).toBe(false);
  });

  it("never take a letter that is known to be something else", () => {
    const known = { ...strange(5), category: "poison" as const };
    expect(suggestRules([strange(1), strange(2), strange(3), known])).toEqual([]);
  });

  it("come with the largest cluster first, and only if it is worth a rule", () => {
    const others = [1, 2, 3, 4].map((n) => letter("GridError", `grid ${n} hums`));
    const suggestions = suggestRules([strange(1), strange(2), strange(3), ...others, letter("Rare", "seldom")]);
    expect(suggestions.map(({ takes }) => takes)).toEqual([4, 3]);
    expect(suggestRules([strange(1), strange(2)], { ...suggestionLimits, least: 2 })).toHaveLength(1);
  });
});
