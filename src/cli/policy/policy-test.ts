import { type PolicyPreview, type PreviewedLetter, previewPolicy } from "../../policy-file/preview-policy.ts";
import { readLabelledFailure } from "../../triage/labelled-failure.ts";
import { factsOf } from "../../triage/rules/rule.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { textFlag } from "../flags.ts";
import { jsonDocuments } from "../json-documents.ts";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readPolicy } from "./read-policy.ts";

export const policyTestCommand = command({
  name: "policy test",
  summary: "what a policy's rules would make of failures in a file, changing nothing",
  examples: [
    {
      line: "dlo policy test dlo.policy.yaml --letters failures.jsonl",
      about: "which letters would move, and by which rule",
    },
  ],
  details: [
    "The failures are as for `dlo classify test FILE`. Moves say from which category to which, compared with what each would be " +
      "without the policy. A rule that decides nothing may be misspelt, or come after one that takes its letters.",
  ],
  operand: { placeholder: "FILE|-", about: "the policy; - is stdin", required: true },
  flags: { letters: textFlag({ placeholder: "FILE", about: "failures, one JSON object a line" }) },

  async run({ operand, letters, json }, { print, input, clock, terminal }) {
    if (letters === "")
      throw new UsageError("missing_value", "`--letters` is missing: which failures shall it be tried on?");
    const policy = await readPolicy(operand ?? "-", input);
    const read = await readLetters(letters, input);
    // The first letter makes the tables; they are not what is timed.
    previewPolicy(policy, read.slice(0, 1));
    const startedAt = clock.now();
    const preview = previewPolicy(policy, read);
    const perSecond = Math.round((read.length * 1_000) / Math.max(1, clock.now() - startedAt));
    print(
      json
        ? JSON.stringify({ ...preview, perSecond })
        : `${drawPreview(preview, terminal)}\n\n${perSecond} letters a second`,
    );
    return exit.done;
  },
});

async function readLetters(file: string, input: Context["input"]): Promise<PreviewedLetter[]> {
  const letters: PreviewedLetter[] = [];
  for await (const { text, line } of jsonDocuments(input(file))) {
    const { id, evidence } = readLabelledFailure(text, line);
    letters.push({ id, evidence, facts: factsOf(evidence), category: null });
  }
  return letters;
}

function drawPreview({ letters, moves, rules }: PolicyPreview, terminal: Terminal): string {
  const moved = moves.map(
    ({ from, to, n, examples }) => `would move ${n} from ${from} to ${to} (${examples.join(", ")})`,
  );
  const head = [`${letters} letters`, ...(moved.length === 0 ? ["none would move"] : moved)];
  const rows = rules.map(({ id, n }) => [id, String(n)]);
  const drawn = table(
    [
      { title: "RULE", align: "left" },
      { title: "DECIDES", align: "right" },
    ],
    rows,
    terminal,
  );
  return rules.length === 0 ? head.join("\n") : `${head.join("\n")}\n\n${drawn}`;
}
