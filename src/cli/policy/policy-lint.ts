import { showCount } from "../../domain/show-count.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { readPolicy } from "./read-policy.ts";

export const policyLintCommand = command({
  name: "policy lint",
  summary: "checks a policy file and says what is wrong, line by line",
  examples: [{ line: "dlo policy lint dlo.policy.yaml", about: "in a pipeline, before it is applied" }],
  details: [
    "Refused are keys nobody knows (with the nearest right one), conditions that do not hold together, patterns that " +
      "would not be linear in time, and rules that match every letter. All of it at once, each with its line.",
  ],
  operand: { placeholder: "FILE|-", about: "the policy; - is stdin", required: true },
  flags: {},

  async run({ operand, json }, { print, input }) {
    const { hash, rules, overrides, protocols } = await readPolicy(operand ?? "-", input);
    const counts = { rules: rules.length, protocols: Object.keys(protocols).length, overrides: overrides.length };
    const said = [
      showCount(counts.rules, "rule"),
      showCount(counts.protocols, "protocol"),
      showCount(counts.overrides, "override"),
    ];
    print(json ? JSON.stringify({ hash, ...counts }) : `Nothing wrong: ${said.join(", ")} (${hash.slice(0, 12)})`);
    return exit.done;
  },
});
