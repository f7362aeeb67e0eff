import { z } from "zod";

/** The largest number that a column of the database for whole numbers holds. */
const largest = 2_147_483_647;

/** A whole number of an operation's input. Without an upper bound a larger one would fail only in the database, as a failure of the server. */
export function wholeNumber(least = 0) {
  return z.int().min(least).max(largest);
}
