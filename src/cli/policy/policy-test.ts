import { showCount } from "../../domain/show-count.ts";
import { type PreviewedLetter, previewPolicy } from "../../policy-file/preview-policy.ts";
import { readLabelledFailure } from "../../triage/labelled-failure.ts";
import { factsOf } from "../../triage/rules/rule.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { textFlag } from "../flags.ts";
import { jsonDocuments } from "../json-documents.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";
import { drawEffect } from "./draw-effect.ts";
import { readPolicy, readPolicyText } from "./read-policy.ts";

export const policyTestCommand = command({
  name: "policy test",
  summary: "what a policy would do to the ledger's letters, or to failures in a file, changing nothing",
  examples: [
    {
      line: "dlo policy test dlo.policy.yaml",
      about: "which open letters would move, and which might go back otherwise",
    },
    {
      line: "dlo policy test dlo.policy.yaml --letters failures.jsonl",
      about: "which failures of a file would be something else, and by which rule",
    },
  ],
  details: [
    "On the ledger it is compared with the policy in force. Only letters that nobody has acted on or named are moved by rules, " +
      "and only where a rule has or had a say. How letters might go back is judged in a plan of all of their group.",
    "The failures of a file are as for `dlo classify test FILE`. Moves say from which category to which, compared with what each " +
      "would be without the policy. A rule that decides nothing may be misspelt, or come after one that takes its letters.",
  ],
  operand: { placeholder: "FILE|-", about: "the policy; - is stdin", required: true },
  flags: {
    ...ledgerFlags,
    letters: textFlag({
      placeholder: "FILE",
      about: "failures, one JSON object a line; else the ledger's open letters",
    }),
  },

  async run({ operand, letters, json, ...values }, context) {
    return letters === ""
      ? withOffice(values, context, async ({ ask }) => {
          const effect = await ask("policy.preview", await readPolicyText(operand ?? "-", context.input));
          context.print(json ? JSON.stringify(effect) : drawEffect(effect, context.terminal));
          return exit.done;
        })
      : testOnFile(operand ?? "-", letters, json, context);
  },
});

async function testOnFile(file: string, letters: string, json: boolean, context: Context): Promise<number> {
  const { print, input, clock, terminal } = context;
  const policy = await readPolicy(file, input);
  const read = await readLetters(letters, input);
  // The first letter makes the tables; they are not what is timed.
  previewPolicy(policy, read.slice(0, 1));
  const startedAt = clock.now();
  const preview = previewPolicy(policy, read);
  const perSecond = Math.round((read.length * 1_000) / Math.max(1, clock.now() - startedAt));
  const drawn = json
    ? JSON.stringify({ ...preview, perSecond })
    : `${drawEffect(preview, terminal)}\n\n${showCount(perSecond, "letter")} a second`;
  print(drawn);
  return exit.done;
}

async function readLetters(file: string, input: Context["input"]): Promise<PreviewedLetter[]> {
  const letters: PreviewedLetter[] = [];
  for await (const { text, line } of jsonDocuments(input(file))) {
    const { id, evidence } = readLabelledFailure(text, line);
    letters.push({ id, group: null, evidence, facts: factsOf(evidence), current: null });
  }
  return letters;
}
