/** What a list of letters can show of each, in the order in which it does. */
export const letterColumns = [
  "state",
  "error",
  "queue",
  "source",
  "type",
  "key",
  "tenant",
  "consumer",
  "was",
  "attempts",
  "replays",
  "size",
  "arrived",
  "age",
] as const;

export type LetterColumn = (typeof letterColumns)[number];

/** What it shows unless somebody chose. */
export const usualColumns: readonly LetterColumn[] = ["state", "error", "queue", "key", "attempts", "age"];

export const letterSorts = ["-arrived", "arrived"] as const;

export type LetterSort = (typeof letterSorts)[number];

/** Those of a list in a text with commas between that there are, in their order; none: the usual ones. */
export function columnsIn(text: string): readonly LetterColumn[] {
  const named = new Set(text.split(",").map((each) => each.trim()));
  const found = letterColumns.filter((column) => named.has(column));
  return found.length === 0 ? usualColumns : found;
}
