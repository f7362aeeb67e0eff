import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag, optional } from "../flags.ts";
import { type AtWork, ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { type PolicyInput, readPolicyText } from "./read-policy.ts";

export const policyDiffCommand = command({
  name: "policy diff",
  summary: "what a policy would change, compared with the one in force",
  examples: [
    { line: "dlo policy diff dlo.policy.yaml", about: "against what is in force" },
    { line: "dlo policy diff dlo.policy.yaml --against 3", about: "against version 3" },
  ],
  details: ["Comments and layout do not count, and neither does writing down what is built in."],
  operand: { placeholder: "FILE|-", about: "the policy; - is stdin", required: true },
  flags: {
    ...ledgerFlags,
    against: optional(
      numberFlag({ about: "a version of `dlo policy history`", default: 1, min: 1, max: 1_000_000, integer: true }),
      "the one in force",
    ),
  },

  async run({ operand, against, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const diff = await compared(work, await readPolicyText(operand ?? "-", context.input), against);
      context.print(json ? JSON.stringify(diff) : drawing(diff));
      return exit.done;
    });
  },
});

const compared = ({ ask }: AtWork, policy: PolicyInput, version: number | null) =>
  ask("policy.diff", { ...policy, version });

type Diff = OutputOf<"policy.diff">;

function drawing({ against, changes: { rules, protocols, overrides, tokens } }: Diff): string {
  const lines = [
    ...rules.added.map((id) => `+ rule ${id}`),
    ...rules.removed.map((id) => `- rule ${id}`),
    ...rules.changed.map((id) => `~ rule ${id}`),
    ...(rules.reordered ? ["~ rules come in another order"] : []),
    ...protocols.map(({ category, key, from, to }) => `~ ${category} ${key}: ${from} → ${to}`),
    ...overrides.removed.map((override) => `- override ${override}`),
    ...overrides.added.map((override) => `+ override ${override}`),
    ...tokens.map(({ key, from, to }) => `~ tokens ${key}: ${from} → ${to}`),
  ];
  const before = against === null ? "the default policy" : `version ${against}`;
  return lines.length === 0 ? `It says the same as ${before}.` : [`Compared with ${before}:`, ...lines].join("\n");
}
