import { expect, it } from "vitest";
import { parsePolicy } from "./policy-file.ts";
import { applyPolicy, compareRules, type PolicyVersion } from "./policy-versions.ts";

const policyOf = (...rules: string[]) => parsePolicy(`version: 1\nrules: [${rules.join(", ")}]`);
const ruleText = (id: string, when = "true") => `{ id: ${id}, when: "${when}", category: poison }`;

it("numbers versions, and makes none for what is in force already", async () => {
  const kept: PolicyVersion[] = [];
  const versions = {
    list: async () => kept.toReversed(),
    add: async (version: PolicyVersion) => void kept.push(version),
  };
  const apply = (policy: ReturnType<typeof policyOf>) => applyPolicy(versions, policy, { by: "ann", now: 7 });
  await apply(policyOf(ruleText("a")));
  await apply(policyOf(ruleText("a")));
  const third = await apply(policyOf(ruleText("b")));
  expect(kept.map(({ number }) => number)).toEqual([1, 2]);
  expect(third).toMatchObject({ number: 2, appliedBy: "ann", appliedAt: 7, hash: policyOf(ruleText("b")).hash });
});

it("says what changed between two policies, rule by rule", () => {
  const before = policyOf(ruleText("a"), ruleText("b"), ruleText("c"));
  const after = policyOf(ruleText("c"), ruleText("b", "false"), ruleText("d"));
  expect(compareRules(before, after)).toEqual({ added: ["d"], removed: ["a"], changed: ["b"], reordered: true });
  expect(compareRules(before, before)).toEqual({ added: [], removed: [], changed: [], reordered: false });
});
