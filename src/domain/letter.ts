/** Where a letter stands. One at a time; the check in migrations/ is the same list. */
export const letterStates = [
  "open",
  "in_replay",
  "sent",
  "resolved",
  "returned",
  "in_doubt",
  "dropped",
  "compensated",
  "escalated",
  "expired",
] as const;

export type LetterState = (typeof letterStates)[number];

/** States in which somebody has to decide: what people call open. */
export const openStates: readonly LetterState[] = ["open", "returned"];
