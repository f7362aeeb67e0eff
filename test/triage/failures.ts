import { readFileSync } from "node:fs";
import { type LabelledFailure, readLabelledFailure } from "../../src/triage/labelled-failure.ts";

/**
 * Labelled failures. `public`: from public threads. `made`: written for many ecosystems, looked at while the classifier
 * was. `held-out`: of the same kind, measured but not worked on.
 */
export function labelledFailures(name: "public" | "made" | "held-out"): LabelledFailure[] {
  const text = readFileSync(new URL(`./failures/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line, index) => readLabelledFailure(line, index + 1));
}
