import type { ItemProgress } from "../../ledger/replay-items.ts";
import type { DecisionKind } from "./reason-meaning.ts";

/** What is counted of one item: how it was planned, what has happened to that since, and where it stands. */
export interface ItemStanding {
  readonly decision: DecisionKind;
  /** Taken out after planning: by a person, or because it became less allowed. */
  readonly mark: "excluded" | "drifted" | null;
  readonly isAcknowledged: boolean;
  readonly progress: ItemProgress;
}

/**
 * The counts of a replay. At every moment
 * `selected = toSend + ackRequired + skipped + excluded + drifted`,
 * `toSend = notYetSent + sent + inDoubt + released`,
 * `sent = confirmed + presumed + suppressed + returned + unknown + waiting`.
 */
export interface ReplayCounts {
  readonly selected: number;
  readonly toSend: number;
  readonly ackRequired: number;
  readonly skipped: number;
  readonly excluded: number;
  readonly drifted: number;
  readonly notYetSent: number;
  readonly sent: number;
  readonly inDoubt: number;
  readonly released: number;
  readonly confirmed: number;
  readonly presumed: number;
  readonly suppressed: number;
  readonly returned: number;
  readonly unknown: number;
  readonly waiting: number;
}

type CountName = keyof ReplayCounts;

const noCounts: ReplayCounts = {
  ...{ selected: 0, toSend: 0, ackRequired: 0, skipped: 0, excluded: 0, drifted: 0 },
  ...{ notYetSent: 0, sent: 0, inDoubt: 0, released: 0 },
  ...{ confirmed: 0, presumed: 0, suppressed: 0, returned: 0, unknown: 0, waiting: 0 },
};

/** Which counts an item that goes out adds to, beside `selected` and `toSend`. */
const progressCounts: Readonly<Record<ItemProgress, readonly CountName[]>> = {
  not_yet_sent: ["notYetSent"],
  sending: ["notYetSent"],
  in_doubt: ["inDoubt"],
  released: ["released"],
  confirmed: ["sent", "confirmed"],
  presumed: ["sent", "presumed"],
  suppressed: ["sent", "suppressed"],
  returned: ["sent", "returned"],
  unknown: ["sent", "unknown"],
  waiting: ["sent", "waiting"],
};

/** `n` items of each standing: as many rows as there are ways to stand, not as many as there are letters. */
export function countItems(standings: Iterable<ItemStanding & { readonly n: number }>): ReplayCounts {
  const counts: { -readonly [Name in CountName]: number } = { ...noCounts };
  for (const standing of standings) for (const name of countsOf(standing)) counts[name] += standing.n;
  return counts;
}

function countsOf({ decision, mark, isAcknowledged, progress }: ItemStanding): readonly CountName[] {
  // What is under way or over was sent, whatever was marked since: a mark only shrinks what has not gone yet.
  if (progress !== "not_yet_sent") return ["selected", "toSend", ...progressCounts[progress]];
  if (decision === "skip") return ["selected", "skipped"];
  if (mark !== null) return ["selected", mark];
  if (decision === "ack_required" && !isAcknowledged) return ["selected", "ackRequired"];
  return ["selected", "toSend", "notYetSent"];
}

/** What a finished replay can come to, the worst first. */
export const replayVerdicts = ["with returns", "inconclusive", "nothing sent", "presumed clean", "clean"] as const;

export type ReplayVerdict = (typeof replayVerdicts)[number];

/** What a finished replay came to: the worst that holds. */
export function verdictOf({ returned, unknown, inDoubt, presumed, sent }: ReplayCounts): ReplayVerdict {
  if (returned > 0) return "with returns";
  if (unknown > 0 || inDoubt > 0) return "inconclusive";
  if (sent === 0) return "nothing sent";
  return presumed > 0 ? "presumed clean" : "clean";
}

/** Where each step of a ramp ends, counted in items sent: `[5, 50]` of 1,117 are 5, 55 and 1,117. */
export function rampEnds(ramp: readonly number[], total: number): readonly number[] {
  const ends: number[] = [];
  let end = 0;
  for (const size of ramp) {
    end += size;
    if (end >= total) break;
    ends.push(end);
  }
  return total > 0 ? [...ends, total] : [];
}
