import { failureEvidence } from "../../dialects/failure-evidence.ts";
import { jsonText, parseJsonOrThrow } from "../../dialects/json.ts";
import { readNotation } from "../../dialects/notation/read-notation.ts";
import { readDeadLetter } from "../../dialects/read-dead-letter.ts";
import { classify } from "../../triage/classify.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { type JsonDocument, jsonDocuments } from "../json-documents.ts";
import { readingLine } from "./reading-line.ts";

export const dialectReadCommand = command({
  name: "dialect read",
  inLines: true,
  summary: "what dead letters of other people's libraries say",
  examples: [
    { line: "dlo dialect read letters.jsonl", about: "a line of JSON for each letter, in order" },
    {
      line: "dlo dialect read - | jq -r '[.source, .errorClass] | @tsv'",
      about: "what is piped in, and of it only where it failed and of what",
    },
  ],
  details: [
    "Letters are JSON, one a line or in one list; docs/reference/dialects.md has how headers and bytes are written down. " +
      "Nothing is looked up and nothing is guessed: what a letter does not say is null.",
    "Each line has `id` (as given), `dialects`, `source`, `partition`, `offset`, `errorClass`, `errorMessage`, `stack`, " +
      "`attempts`, `firstFailedAt`, `lastFailedAt`, `expiresAt`, `replay` (`destination`, `alternatives`, `via`, `strip`), `category` and `why`. " +
      "What is no letter is a line with `line` and `error`; the exit code is then 1.",
  ],
  operand: { placeholder: "FILE|-", about: "where the letters are; - is stdin", required: true },
  flags: {},

  async run({ operand }, { print, note, input }) {
    let read = 0;
    const problems: Problem[] = [];
    for await (const document of jsonDocuments(input(operand ?? "-"))) {
      const outcome = readDocument(document);
      if ("problem" in outcome) problems.push(outcome);
      else read++;
      print("problem" in outcome ? problemLine(outcome) : outcome.line);
    }
    for (const { line, problem } of problems.slice(0, shownProblems)) note(`line ${line}: ${problem}`);
    if (problems.length > 0) note(`${problems.length} of ${read + problems.length} could not be read.`);
    return problems.length > 0 ? exit.failed : exit.done;
  },
});

/** On stderr; stdout has them all. */
const shownProblems = 10;

interface Problem {
  readonly line: number;
  readonly problem: string;
}

/** Whatever is wrong with one letter is said in its place, and the others go on. */
function readDocument({ text, line }: JsonDocument): Problem | { readonly line: string } {
  try {
    const { id, letter } = readNotation(parseJsonOrThrow(text));
    const reading = readDeadLetter(letter);
    return { line: jsonText(readingLine(id, reading, classify(failureEvidence(letter, reading)))) };
  } catch (error) {
    return { line, problem: error instanceof Error ? error.message : String(error) };
  }
}

function problemLine({ line, problem }: Problem): string {
  return JSON.stringify({ line, id: null, error: problem });
}
