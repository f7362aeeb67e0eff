import type { Context } from "../command.ts";
import { UsageError } from "../failure.ts";

/** The ids that somebody gave, one after the other; `-` stands for those that are piped in, with space or lines between. */
export async function idsOf(operand: string | null, input: Context["input"]): Promise<string[]> {
  if (operand !== "-") return wordsOf(operand ?? "");
  let text = "";
  for await (const part of input("-")) text += part;
  const ids = wordsOf(text);
  // Nothing named may mean everything: an empty pipe must not.
  if (ids.length === 0) throw new UsageError("missing_value", "No id was piped in.");
  return ids;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}
