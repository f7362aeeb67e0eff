/** How each state of a breaker is coloured, wherever it is shown. */
export const breakerTones = { open: "bad", "half-open": "warn", closed: "good" } as const;
