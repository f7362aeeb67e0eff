import { showCount } from "../../domain/show-count.ts";
import type { OutputOf } from "../../http/client.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { numberFlag } from "../flags.ts";
import { ledgerFlags, withOffice } from "../ledger/ledger-flags.ts";

export const triageSuggestCommand = command({
  name: "triage suggest",
  summary: "rules for letters that nobody knows what they are, with what each would catch",
  examples: [
    { line: "dlo triage suggest", about: "as YAML, to be put into a policy once you have said what each is" },
    { line: "dlo triage suggest --least 10 --json", about: "only for ten letters or more, for a program" },
  ],
  details: [
    "Unknown letters that failed alike are clusters; a rule is proposed for each that is worth one, the largest first. Its pattern " +
      "has the words they share and a gap wherever they differ, and is linear in time. Never proposed is a rule that would also take " +
      "a letter that is known to be something else.",
    "The category is what the evidence leans to, or `unknown` where it does not: you decide. Then `dlo policy test FILE` says what " +
      "would move.",
  ],
  flags: {
    ...ledgerFlags,
    least: numberFlag({
      about: "letters that make a cluster worth a rule",
      default: 3,
      min: 2,
      max: 1_000,
      integer: true,
    }),
    limit: numberFlag({ about: "how many rules at most", default: 20, min: 1, max: 100, integer: true }),
  },

  async run({ least, limit, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const found = await work.ask("triage.suggest", { least, most: limit });
      const { letters, unknown, suggestions } = found;
      if (json) context.print(JSON.stringify(found));
      else if (suggestions.length > 0) context.print(["rules:", ...suggestions.flatMap(ruleLines)].join("\n"));
      const looked = `${showCount(letters, "letter")} looked at, ${unknown} of them unknown`;
      context.note(suggestions.length === 0 ? `${looked}: no cluster is worth a rule.` : `${looked}.`);
      return exit.done;
    });
  },
});

type Suggestion = OutputOf<"triage.suggest">["suggestions"][number];

/** In the syntax of a policy file. JSON's strings are YAML's, whatever is in them. */
function ruleLines({ id, pattern, leaning, takes, examples }: Suggestion): string[] {
  const patterns = Object.entries(pattern).map(([of, text]) => `      ${of}: ${JSON.stringify(text)}`);
  const leans = leaning === null ? "the evidence leans nowhere" : `the evidence leans to ${leaning}`;
  return [
    `  # takes ${showCount(takes, "unknown letter")} (${examples.join(", ")}); ${leans}: say what it is`,
    `  - id: ${id}`,
    "    pattern:",
    ...patterns,
    `    category: ${leaning ?? "unknown"}`,
  ];
}
