import { hexOf } from "../../domain/ids.ts";
import type { HaltCause, ReplayRecord } from "../../ledger/replay-record.ts";
import { notAsked } from "../../sources/ask-broker.ts";
import type { ReasonCode } from "./reasons.ts";
import type { ReplayCounts } from "./replay-counts.ts";
import type { MeantWindow } from "./send-step.ts";

const guards: Readonly<Record<string, HaltCause["guard"]>> = {
  ...{ "breaker.open": "breaker", "lag.high": "lag", "health.red": "health", "approval.missing": "approval" },
};

/**
 * The guards that watch where letters go, and whether those who said yes still may. That is no letter's fault, so none is left
 * out for it: all of them wait. Throws where a broker does not show how things are.
 */
export function circumstancesAgainst({ items, examined }: MeantWindow): HaltCause | null {
  for (const { judgement } of examined) {
    const guard = guards[judgement.code];
    if (guard !== undefined) return { guard, sentence: judgement.sentence };
  }
  requireSight({ items, examined });
  return null;
}

/** What speaks against a letter only because nobody could look. One planned so has somebody's word for it. */
const blind: readonly ReasonCode[] = ["destination.next_death_lost", "destination.unknown"];

/**
 * Throws where a broker does not show what the plan was based on. It has not been wired anew: what was planned by what it showed
 * waits until it answers.
 */
function requireSight({ items, examined }: MeantWindow): void {
  const unseen = new Map(
    examined.flatMap((each) => (each.isUnseen ? [[hexOf(each.candidate.id), each] as const] : [])),
  );
  const lost = items.find(({ letterId, via }) => {
    const letter = unseen.get(hexOf(letterId));
    return letter !== undefined && (via !== null || blind.includes(letter.judgement.code));
  });
  if (lost === undefined) return;
  const why =
    unseen.get(hexOf(lost.letterId))?.notAsked ?? `${lost.source} does not show how things are at ${lost.destination}`;
  throw notAsked({ source: lost.source, why });
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
