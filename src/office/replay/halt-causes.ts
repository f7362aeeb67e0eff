import type { HaltCause, ReplayRecord } from "../../ledger/replay-record.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import type { ReplayCounts } from "./replay-counts.ts";

const guards: Readonly<Record<string, HaltCause["guard"]>> = {
  ...{ "breaker.open": "breaker", "lag.high": "lag", "health.red": "health", "approval.missing": "approval" },
};

/**
 * The guards that watch where letters go, and whether those who said yes still may. That is no letter's fault, so none is left
 * out for it: all of them wait.
 */
export function circumstancesAgainst(examined: readonly ExaminedLetter[]): HaltCause | null {
  for (const { judgement } of examined) {
    const guard = guards[judgement.code];
    if (guard !== undefined) return { guard, sentence: judgement.sentence };
  }
  return null;
}

/** The guard that watches what comes back, beyond what a person has seen and gone on with. */
export function returnsAgainst(
  { limits: { haltReturns }, accepted }: ReplayRecord,
  counts: ReplayCounts,
): HaltCause | null {
  const returned = counts.returned - accepted.returned;
  const sent = Math.max(1, counts.sent - accepted.sent);
  if (returned <= 0 || returned / sent <= haltReturns) return null;
  const share = Math.round((returned / sent) * 1_000) / 10;
  return {
    guard: "returns",
    sentence: `${returned} of ${sent} sent came back (${share} %; it stops above ${haltReturns * 100} %).`,
  };
}
