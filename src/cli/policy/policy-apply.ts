import { showCount } from "../../domain/show-count.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { textFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { readPolicyText } from "./read-policy.ts";

export const policyApplyCommand = command({
  name: "policy apply",
  summary: "puts a policy in force, and classifies anew what its rules move",
  examples: [
    { line: "dlo policy test dlo.policy.yaml", about: "first: what it would do" },
    { line: "dlo policy apply dlo.policy.yaml --reason refunds", about: "then: it holds" },
  ],
  details: [
    "Each policy is kept as a version, with its hash and who applied it, and the audit log has it too. What comes in from then on " +
      "is judged by it, within a second also by drains that are running. Letters that nobody has acted on are judged anew: that " +
      "is appended to their history, and what they were on arrival stays.",
    "The policy in force applied again makes no new version, and finishes what was interrupted.",
  ],
  operand: { placeholder: "FILE|-", about: "the policy; - is stdin", required: true },
  flags: { ...ledgerFlags, reason: textFlag({ placeholder: "TEXT", about: "why, for the audit log" }) },

  async run({ operand, reason, json, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const policy = await readPolicyText(operand ?? "-", context.input);
      const applied = await ask("policy.apply", { ...policy, reason: reason || null });
      const { version, isNew, moved, hash } = applied;
      const what = isNew ? `Version ${version} is in force` : `Version ${version} was in force already`;
      const effect = `${showCount(moved, "letter")} ${moved === 1 ? "was" : "were"} classified anew.`;
      context.print(json ? JSON.stringify(applied) : `${what} (${hash.slice(0, 12)}). ${effect}`);
      return exit.done;
    });
  },
});
