/** A delivery handed over has at least this share of its lease left: time enough for the first extension. */
export const freshShare = 1 / 2;

export interface TakenWhen {
  readonly askedAt: number;
  readonly now: number;
}

/**
 * When a lease ends that began at some moment between question and answer. However slow the broker was, what has just come counts
 * as fresh: given back, it would only come as late again.
 */
export function leaseEnd({ askedAt, now }: TakenWhen, leaseMs: number): number {
  return Math.max(askedAt + leaseMs, now + leaseMs * freshShare);
}
