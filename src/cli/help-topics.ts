import { type QueryField, queryFields } from "../domain/query/query-fields.ts";
import { exit, exitMeanings } from "./exit-codes.ts";
import type { HelpPage, Pair } from "./help-layout.ts";

const exitNames = Object.keys(exit) as (keyof typeof exit)[];

/** What help says besides commands, by its name. */
export const topics: ReadonlyMap<string, HelpPage> = new Map([
  [
    "exit-codes",
    {
      heading: "What dlo says to the shell that started it",
      sections: [
        { title: "Exit codes", pairs: exitNames.map((name): Pair => [String(exit[name]), exitMeanings[name]]) },
      ],
    },
  ],
  [
    "environment",
    {
      heading: "What dlo reads from its environment",
      sections: [
        {
          title: "Variables",
          pairs: [
            ["DLO_CONFIG", "the configuration, where --config does not name one"],
            ["DLO_SERVER, DLO_CONTEXT", "the office to ask, where no flag names one"],
            ["DLO_NO_INPUT, CI", "any value: nobody is asked, as with --no-input"],
            ["NO_COLOR", "any value: no colours"],
            ["FORCE_COLOR, CLICOLOR_FORCE", "any value but 0: colours, also into a pipe"],
            ["CLICOLOR", "0: no colours"],
            ["COLUMNS", "width of drawings where the terminal does not say"],
            ["LC_ALL, LC_CTYPE, LANG", "not UTF-8: drawings in plain ASCII"],
            ["TERM", "dumb: no colours, plain ASCII"],
          ],
        },
      ],
    },
  ],
  [
    "json",
    {
      heading: "What --json gives",
      sections: [
        {
          title: "JSON",
          paragraphs: [
            "With --json stdout carries exactly one JSON document, and nothing else. Commands that tell one thing after " +
              "the other (such as letters tail, or audit export) give one a line; their help says so.",
            "--json=id,queue has only these fields of each thing, dots between where one is in another: counts.sent. --output " +
              "makes of the same document a line for each item (jsonl), YAML, or only the names that other commands take (name).",
            "What else is to be picked out, jq picks out: `| jq EXPRESSION`.",
            'A failure is {"error":{"code","message","hint"}}: the code is for programs and does not change, the message ' +
              "is a sentence for people, the hint says what to try, or is null. The exit code is the same as without --json.",
          ],
        },
      ],
    },
  ],
  [
    "query",
    {
      heading: "How letters are searched for: -q, wherever a command takes it",
      sections: [
        {
          title: "Examples",
          examples: [
            { line: "-q 'category:transient queue:orders age:>1h error:\"timed out\"'", about: "all of it holds" },
            { line: "-q '(queue:orders OR queue:billing) -is:snoozed'", about: "either of them, and not that" },
            { line: "-q 'queue:orders* attempts:>=5 arrived:>now-2h'", about: "* stands for anything" },
            { line: "-q -", about: "for letters: reads the search from stdin, so that it is in no history" },
          ],
        },
        {
          title: "Written",
          pairs: [
            ["a b", "both; a OR b is either, -a is not, parentheses as usual"],
            ["field:a,b", "any of them"],
            ["field:>5, >=, <, <=, 1h..6h", "compared, or from the one to the other: numbers, sizes, times"],
            ['"two words"', "exactly, one after the other"],
            ["timeout", "a bare word: in the error, the type or a key"],
          ],
        },
        { title: "Fields", pairs: Object.entries<QueryField>(queryFields).map(fieldPair) },
      ],
    },
  ],
]);

function fieldPair([name, { about, of, hasPath }]: [string, QueryField]): Pair {
  return [`${name}${hasPath ? ".NAME" : ""}:`, of === undefined ? about : `${about}: ${of.join(", ")}`];
}
