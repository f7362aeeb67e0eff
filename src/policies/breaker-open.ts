/** A breaker did not let the call through; nothing was called. Taken for transient wherever failures are told apart. */
export class BreakerOpen extends Error {
  override readonly name = "BreakerOpen";
  readonly code = "BREAKER_OPEN";
  readonly breaker: string;
  /** When it is worth another try, in milliseconds from when it was thrown. */
  readonly retryAfterMs: number;

  constructor(breaker: string, retryAfterMs: number) {
    super(`The breaker "${breaker}" is open; the next try is due in ${Math.ceil(retryAfterMs / 1_000)} s.`);
    this.breaker = breaker;
    this.retryAfterMs = retryAfterMs;
  }
}

/** By name, so that a second copy of the package is understood too. */
export function isBreakerOpen(error: unknown): error is BreakerOpen {
  return error instanceof Error && error.name === "BreakerOpen";
}
