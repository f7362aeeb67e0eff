import type { Category } from "../domain/classification.ts";

/** What a category means, as the end of a sentence about a piece of evidence. */
export const meaningOf: Readonly<Record<Category, string>> = {
  transient: "a trouble that passes by itself",
  schema_mismatch: "the value does not fit what it is handed to",
  business_rule: "a rule or the state of the data says no",
  poison: "a bug that this input meets every time",
  lost_context: "what it refers to does not exist",
  unknown: "somebody must look at configuration, rights or the deployment, or the cause is hidden",
};

/** Words of others as we show them: on one line, not too long. */
export function quote(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
