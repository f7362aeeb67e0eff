import { OfficeError } from "../errors.ts";

export interface QueryProblem {
  /** The whole search. */
  readonly text: string;
  /** Where it goes wrong: a character, counted from 0, and how many. */
  readonly at: number;
  readonly length: number;
  readonly message: string;
  readonly hint: string;
}

/** Says what is wrong with a search, at which character, and what may have been meant. */
export function queryProblem({ text, at, length, message, hint }: QueryProblem): OfficeError {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const column = at - (before.lastIndexOf("\n") + 1) + 1;
  const shown = text.split("\n")[line - 1] ?? "";
  const marker = " ".repeat(column - 1) + "^".repeat(Math.max(1, Math.min(length, shown.length - column + 1)));
  return new OfficeError("INVALID_QUERY", `${message}\n  ${shown}\n  ${marker}`, {
    details: { at, length, line, column, hint },
  });
}
