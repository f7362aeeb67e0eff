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

/** As numbers are sorted: those that came last, came first, failed first and failed last. */
export const letterSorts = ["-arrived", "arrived", "-age", "age"] as const;

export type LetterSort = (typeof letterSorts)[number];

/** Those of a list in a text with commas between that there are, in their order, and the error; none: the usual ones. */
export function columnsIn(text: string): readonly LetterColumn[] {
  const named = new Set(text.split(",").map((each) => each.trim()));
  if (!letterColumns.some((column) => named.has(column))) return usualColumns;
  // The error leads to the letter: without it no letter of the list could be opened.
  return letterColumns.filter((column) => column === "error" || named.has(column));
}
