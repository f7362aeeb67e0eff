import { OfficeError } from "../domain/errors.ts";

/**
 * A broker, or a proxy before it, answered in a shape that we can't read. Taken for "nothing there", it would leave messages
 * where no handler sees them, and no one would hear of it.
 */
export function unknownAnswer(broker: string, question: string, answer: unknown): OfficeError {
  const shape = shapeOf(answer);
  const sentence =
    `${broker} answered ${question} in a shape that this version doesn't know (${shape}), and nothing of the answer was used. ` +
    "See what is between this process and the broker (a proxy), and the versions of the broker and of its client library.";
  return new OfficeError("UNKNOWN_ANSWER", sentence, { details: { question, shape } });
}

const shownLevels = 3;
const shownParts = 3;

/** What it is made of, without what is in it: it may be anybody's data. */
function shapeOf(value: unknown, levels = shownLevels): string {
  if (value === null || value === undefined) return "nothing";
  if (value instanceof Uint8Array || typeof value === "string") return "text";
  if (!Array.isArray(value)) return typeof value === "object" ? "object" : typeof value;
  if (levels === 0) return "list";
  const parts = value.slice(0, shownParts).map((part) => shapeOf(part, levels - 1));
  return `[${parts.join(", ")}${value.length > shownParts ? ", …" : ""}]`;
}
