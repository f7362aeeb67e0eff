export interface ServiceOptions {
  /** Requests it can answer a second. */
  readonly capacity: number;
  /** While it is out it answers nothing; what arrives waits. */
  readonly outage: { readonly fromMs: number; readonly toMs: number };
  /** Refuses a request at once when this much work is ahead of it, in milliseconds; null: never. */
  readonly queueMs: number | null;
}

/**
 * A service with one first-in, first-out queue. It does not know that a caller has given up, so it works on requests
 * whose answer nobody waits for any more: that is what keeps a metastable failure alive.
 *
 * Takes the time a request arrives, calls being in order, and tells when it will be answered; null: refused.
 */
export function strugglingService({ capacity, outage, queueMs }: ServiceOptions): (now: number) => number | null {
  const serviceMs = 1_000 / capacity;
  const { fromMs, toMs } = outage;
  let freeAt = Number.NEGATIVE_INFINITY;

  const workAheadMs = (now: number) => {
    const outMs = Math.max(0, Math.min(freeAt, toMs) - Math.max(now, fromMs));
    return Math.max(0, freeAt - now - outMs);
  };
  return (now) => {
    if (queueMs !== null && workAheadMs(now) >= queueMs) return null;
    const begun = Math.max(now, freeAt);
    const start = begun >= fromMs && begun < toMs ? toMs : begun;
    // What is being worked on when the outage begins is finished after it.
    const pausedMs = start < fromMs && start + serviceMs > fromMs ? toMs - fromMs : 0;
    freeAt = start + serviceMs + pausedMs;
    return freeAt;
  };
}
