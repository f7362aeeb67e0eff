/** What a process of an office can do; together they are the whole of it. */
export const duties = ["http", "intake", "replay"] as const;
export type Duty = (typeof duties)[number];
