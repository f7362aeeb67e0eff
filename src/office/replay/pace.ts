import type { ReplayLimits } from "../../ledger/replay-record.ts";

/** How fast a replay goes, and how long it may still take. */
export interface Pace {
  readonly perSecond: number;
  /** At the most, if nothing halts it: steps whose outcomes are all known do not wait for their time to be over. */
  readonly remainingS: number;
}

export interface PaceFacts {
  /** Sent of late. */
  readonly recent: number;
  /** How long "of late" is, in seconds. */
  readonly overS: number;
  /** Until the running step is settled; null while it is being sent. */
  readonly settlesInS: number | null;
  readonly notYetSent: number;
  /** Steps of the ramp that have not begun. */
  readonly stepsLeft: number;
  readonly limits: Pick<ReplayLimits, "rate" | "settleS">;
}

export function paceOf({ recent, overS, settlesInS, notYetSent, stepsLeft, limits }: PaceFacts): Pace {
  const perSecond = overS > 0 ? recent / overS : 0;
  const settling = Math.max(0, settlesInS ?? limits.settleS) + stepsLeft * limits.settleS;
  return { perSecond, remainingS: notYetSent / limits.rate + settling };
}
