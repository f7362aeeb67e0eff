import { expect, it } from "vitest";
import { comparePolicies } from "./compare-policies.ts";
import { parsePolicy } from "./policy-file.ts";

const policyOf = (...rules: string[]) => parsePolicy(`version: 1\nrules: [${rules.join(", ")}]`);
const ruleText = (id: string, when = "true") => `{ id: ${id}, when: "${when}", category: poison }`;

it("says what changed between two policies, rule by rule", () => {
  const before = policyOf(ruleText("a"), ruleText("b"), ruleText("c"));
  const after = policyOf(ruleText("c"), ruleText("b", "false"), ruleText("d"));
  expect(comparePolicies(before, after).rules).toEqual({
    added: ["d"],
    removed: ["a"],
    changed: ["b"],
    reordered: true,
  });
  expect(comparePolicies(before, before).rules).toEqual({ added: [], removed: [], changed: [], reordered: false });
});

it("says what a protocol allows otherwise, also where one file leaves out what is built in", () => {
  const before = parsePolicy("version: 1");
  const after = parsePolicy(`version: 1
protocols: { transient: { rate: 20, bulk: false, approvals: { n: 2 } } }
overrides: [{ id: freeze, when: plan.n > 9, deny: true }]`);
  expect(comparePolicies(before, after)).toMatchObject({
    protocols: [
      { category: "transient", key: "allows", from: '"bulk"', to: '"single"' },
      { category: "transient", key: "approvals.n", from: "1", to: "2" },
    ],
    overrides: { added: ["freeze: plan.n > 9 → deny"], removed: [] },
  });
});
