import { showCount } from "../../domain/show-count.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { textFlag } from "../flags.ts";
import { jsonDocuments } from "../json-documents.ts";
import { showNumber } from "../terminal/units.ts";
import { importedFile } from "./imported-file.ts";
import { ledgerFlags, withOffice } from "./ledger-flags.ts";
import { rateLine } from "./rate-line.ts";

const shownProblems = 10;

export const importCommand = command({
  name: "letters import",
  alias: "import",
  summary: "takes the letters of a file into the ledger",
  examples: [
    {
      line: "dlo letters import letters.ndjson",
      about: "an export of `dlo letters export`, or letters in the notation of `dlo dialect read`",
    },
    { line: "dlo letters import - --source old-kafka", about: "what is piped in, as if it came by that source" },
  ],
  details: [
    "One letter a line, or one list. What the ledger has already is known again: importing a file twice holds it once. A " +
      "line that is no letter is reported with its number, and the others go on; the exit code is then 1.",
  ],
  operand: { placeholder: "FILE|-", about: "where the letters are; - is stdin", required: true },
  flags: {
    ...ledgerFlags,
    source: textFlag({
      placeholder: "NAME",
      about: "the source they are said to come by, where they do not say; else `import`",
    }),
  },

  async run({ operand, json, source, ...values }, context) {
    return withOffice(values, context, async ({ ask }) => {
      const say = rateLine(context, "letters");
      const sum = { held: 0, known: 0, problems: [] as Problem[] };
      const file = importedFile();
      for await (const documents of file.parts(jsonDocuments(context.input(operand ?? "-")))) {
        const { held, known, problems } = await ask("letters.import", { source: source || "import", documents });
        sum.held += held;
        sum.known += known;
        sum.problems.push(...problems);
        say(sum.held + sum.known);
      }
      return report({ ...sum, isCut: file.isCut() }, json, context);
    });
  },
});

interface Problem {
  readonly line: number;
  readonly message: string;
}

interface Imported {
  readonly held: number;
  readonly known: number;
  readonly problems: readonly Problem[];
  readonly isCut: boolean;
}

function report({ held, known, problems, isCut }: Imported, json: boolean, { print, note }: Context): number {
  const again = known === 0 ? "" : `, ${showNumber(known)} it had already`;
  if (json) print(JSON.stringify({ held, known, problems, isCut }));
  else print(`${showCount(held, "letter")} taken into the ledger${again}.`);
  for (const { line, message } of problems.slice(0, shownProblems)) note(`line ${line}: ${message}`);
  if (problems.length > 0) note(`${showCount(problems.length, "line is no letter", "lines are no letters")}.`);
  if (isCut) note("The file was cut: an export ends with a line that says how many letters it has.");
  return problems.length > 0 || isCut ? exit.failed : exit.done;
}
