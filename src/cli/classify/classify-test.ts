import type { Classification } from "../../domain/classification.ts";
import { type Accuracy, accuracyOf, type Judged } from "../../triage/accuracy.ts";
import { classify } from "../../triage/classify.ts";
import { fingerprint } from "../../triage/fingerprint/fingerprint.ts";
import { type LabelledFailure, readLabelledFailure } from "../../triage/labelled-failure.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { switchFlag } from "../flags.ts";
import { jsonDocuments } from "../json-documents.ts";
import { accuracyReport } from "./accuracy-report.ts";

export const classifyTestCommand = command({
  name: "classify test",
  inLines: true,
  summary: "which category failures are, how sure that is, and why",
  examples: [
    { line: "dlo classify test failures.jsonl", about: "a line of JSON for each failure, in order" },
    { line: "dlo classify test failures.jsonl --report", about: "compared with the labels that the failures carry" },
  ],
  details: [
    "Failures are JSON objects, one a line or in one list, with `id`, `errorClass`, `message`, `code`, `httpStatus`, " +
      "`stack`, `attempts`, `sameErrorEachAttempt`, `payloadExcerpt`, `headers`, `ecosystem`, `language` and `ownWord`, as far " +
      "as they are known; for `--report` also `label` and `sideEffect`.",
    "Each line has `id`, `category`, `confidence`, `rule` (what decided), `why`, `sideEffect`, `fingerprint` (failures " +
      "with the same one are a group) and `runnerUp`.",
    "Dangerous is a failure that is not transient but was called so: a bulk replay would do damage with it. Abstained is " +
      "one that was called unknown though it could have been known.",
  ],
  operand: { placeholder: "FILE|-", about: "where the failures are; - is stdin", required: true },
  flags: { report: switchFlag("how well the categories agree with the labels, in place of the lines") },

  async run({ operand, report, json }, { print, note, input, terminal }) {
    const judged: Judged[] = [];
    let read = 0;
    for await (const { text, line } of jsonDocuments(input(operand ?? "-"))) {
      const failure = readLabelledFailure(text, line);
      read += 1;
      const classification = classify(failure.evidence);
      if (report) judged.push({ failure, classification });
      else print(lineOf(failure, classification));
    }
    if (report) print(reportOf(accuracyOf(judged), json, (accuracy) => accuracyReport(accuracy, terminal)));
    else if (read === 0) note("There are no failures in it.");
    return exit.done;
  },
});

function lineOf({ id, evidence }: LabelledFailure, classification: Classification): string {
  const { category, confidence, rule, why, sideEffect, runnerUp } = classification;
  return JSON.stringify({
    id,
    category,
    confidence,
    rule,
    why,
    sideEffect,
    fingerprint: fingerprint(evidence).id,
    runnerUp,
  });
}

function reportOf(accuracy: Accuracy, json: boolean, draw: (accuracy: Accuracy) => string): string {
  return json ? JSON.stringify(accuracy) : draw(accuracy);
}
