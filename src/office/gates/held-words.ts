import type { HoldingReplay } from "../../ledger/holding-replays.ts";
import type { ReplayState } from "../../ledger/replay-record.ts";

/** Where letters of a group are, as a sentence: "412 of them are in a replay by ops-1, which is running". */
export function heldInWords({ letters, isMore, by, state, replay }: HoldingReplay) {
  const n = `${isMore ? "At least " : ""}${letters.toLocaleString("en-US")}`;
  const sentence = `${n} of them ${letters === 1 ? "is" : "are"} in a replay by ${by}, which ${doing[state]}`;
  return { replay, by, state, sentence };
}

const doing: Readonly<Record<ReplayState, string>> = {
  ...{ planned: "is planned", awaiting_approval: "waits for approval", approved: "is approved", running: "is running" },
  ...{ paused: "is paused", settling: "waits for outcomes", finished: "is finished", halted: "has halted" },
  ...{ cancelled: "is cancelled", rejected: "was rejected", expired: "has expired" },
};
