const hourMs = 3_600_000;

/** From sign-in, in milliseconds. */
export const sessionLastsMs = 12 * hourMs;
/** Without a request, in milliseconds. */
export const idleMs = 2 * hourMs;
