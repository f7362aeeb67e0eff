import type { ReplayVia } from "../../domain/dead-letter.ts";
import type { ItemToSend } from "../../ledger/replay-items.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import { describeReason, type Judgement } from "./reasons.ts";

/** What speaks against sending an item now, though it was planned; null when nothing does. */
export function objectionTo(item: ItemToSend, letter: ExaminedLetter | undefined): Judgement | null {
  if (letter === undefined) return describeReason({ code: "source.gone", source: item.source });
  const { judgement, payloadSha256, destination, via, revision: latest } = letter;
  if (judgement.decision !== "replay") return judgement;
  if (destination !== item.destination || !isSameRoute(via, item.via)) {
    const candidates = [item.destination, destination].filter((each) => each !== null);
    return describeReason({ code: "destination.ambiguous", candidates });
  }
  const isSame =
    payloadSha256 !== null && item.payloadSha256 !== null && Buffer.compare(payloadSha256, item.payloadSha256) === 0;
  return isSame ? null : describeReason({ code: "edit.superseded", revision: item.revision, latest });
}

function isSameRoute(one: ReplayVia | null, other: ReplayVia | null): boolean {
  return one?.exchange === other?.exchange && one?.routingKey === other?.routingKey;
}
