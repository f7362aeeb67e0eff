import type { Dialect, Facts } from "../dialect.ts";
import { countOf } from "../json.ts";
import { has, type LetterView, lastText, namesLike } from "../letter-view.ts";
import { decimalAt, toPartition } from "../numbers.ts";

/** Karafka Pro: where it was, and how often it was tried; nothing of the error. The free edition sends the payload alone. */
export const karafka: Dialect = { id: "karafka", read };

function read(view: LetterView): Facts | null {
  const prefix = ["source_", "original_", "original-"].find((name) => isComplete(view, name));
  if (view.letter.broker !== "kafka" || prefix === undefined) return null;
  const topic = lastText(view, `${prefix}topic`);
  return {
    source: topic,
    partition: toPartition(decimalAt(view, `${prefix}partition`)),
    offset: decimalAt(view, `${prefix}offset`),
    attempts: countOf(lastText(view, `${prefix}attempts`)),
    lastFailedAt: view.letter.timestamp,
    consumer: lastText(view, `${prefix}consumer_group`),
    destination: topic,
    strip: namesLike(view, new RegExp(`^${prefix}(topic|partition|offset|consumer_group|attempts|trace_id|key)$`)),
  };
}

/** The names are anybody's: only all three together, with text for numbers, are Karafka's. */
function isComplete(view: LetterView, prefix: string): boolean {
  const numbers = ["partition", "offset"].every((name) => decimalAt(view, prefix + name) !== undefined);
  return numbers && has(view, `${prefix}topic`) && (prefix !== "original-" || !hasError(view));
}

/** With dashes it is how people name their own headers, and those say what failed. */
function hasError(view: LetterView): boolean {
  return namesLike(view, /error|exception|reason|fail/i).length > 0;
}
