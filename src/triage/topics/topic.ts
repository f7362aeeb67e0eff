/**
 * Something a failure may be about, and the words by which it is recognised wherever they stand: in a message, in the
 * name of a class, in a code. Topics are what carries triage to systems no table knows.
 */
export interface Topic {
  readonly id: string;
  /** 0 to 1: how far the words alone decide the category. */
  readonly confidence: number;
  /** What it means, as the end of "The message says …: " for the person who was paged. */
  readonly means: string;
  /**
   * Set apart by `|`. Letters' case, punctuation and line breaks do not count; words match whole, `*` at the end lets a
   * word go on, ` + ` joins pieces that must all be there.
   */
  readonly phrases: string;
  /**
   * Whether an earlier attempt may have had an effect: `always` when the words say so themselves, `if writing` when it
   * depends on what was under way. Left out: it had none.
   */
  readonly effect?: "always" | "if writing";
}
