import type { OutputOf } from "../../src/office/operations/operations.ts";
import { showCount } from "../ui/counts.ts";
import type { BarPart } from "../ui/parts-bar.tsx";

export type Replay = OutputOf<"replays.get">;
export type ReplaySummary = OutputOf<"replays.list">["items"][number];

/** How it stands, in the colour of a chip. */
export function toneOf({
  state,
  verdict,
}: Pick<Replay, "state" | "verdict">): "good" | "warn" | "bad" | "now" | "idle" {
  if (state === "halted" || verdict === "with returns") return "bad";
  if (verdict === "inconclusive" || verdict === "nothing sent" || state === "paused" || state === "awaiting_approval")
    return "warn";
  if (state === "running" || state === "settling") return "now";
  return state === "finished" || state === "approved" ? "good" : "idle";
}

export function isUnderWay({ state }: Pick<Replay, "state">): boolean {
  return state === "running" || state === "settling";
}

/** Nothing was let run yet: what counts is what the plan says. */
export function isPlan({ state }: Pick<Replay, "state">): boolean {
  return state === "planned" || state === "awaiting_approval" || state === "approved" || state === "rejected";
}

/** What was decided of each letter; sums to those selected. */
export function decisionParts({ counts }: Pick<Replay, "counts">): readonly BarPart[] {
  return [
    { name: "will be sent", n: counts.toSend, tone: "good" },
    { name: "need somebody's word", n: counts.ackRequired, tone: "doubt" },
    { name: "will not be sent", n: counts.skipped, tone: "out" },
    { name: "left out", n: counts.excluded, tone: "rest" },
    { name: "dropped out since", n: counts.drifted, tone: "bad" },
  ];
}

/** Where each letter stands once it runs; sums to those selected as well. */
export function outcomeParts({ counts }: Pick<Replay, "counts">): readonly BarPart[] {
  const left = counts.ackRequired + counts.skipped + counts.excluded + counts.drifted;
  return [
    { name: "confirmed", n: counts.confirmed, tone: "good" },
    { name: "presumed", n: counts.presumed, tone: "likely" },
    { name: "suppressed as duplicates", n: counts.suppressed, tone: "likely" },
    { name: "waiting for an outcome", n: counts.waiting, tone: "waiting" },
    { name: "returned", n: counts.returned, tone: "bad" },
    { name: "unknown", n: counts.unknown, tone: "doubt" },
    { name: "in doubt", n: counts.inDoubt, tone: "doubt" },
    { name: "not yet sent", n: counts.notYetSent, tone: "rest" },
    { name: "let go unsent", n: counts.released, tone: "out" },
    { name: "left out of the plan", n: left, tone: "out" },
  ];
}

const placesNamed = 3;

/** Where letters go, in words: `shop/orders`, or how many to each of several. */
export function whereTo({ destinations }: Pick<Replay, "destinations">): string {
  const [only, ...others] = destinations;
  if (only === undefined) return "nowhere";
  if (others.length === 0) return placeOf(only);
  const named = destinations.slice(0, placesNamed).map((each) => `${showCount(each.n)} to ${placeOf(each)}`);
  const more = destinations.length - named.length;
  return [...named, ...(more > 0 ? [`${showCount(more)} more queues`] : [])].join(", ");
}

function placeOf({ source, queue }: Replay["destinations"][number]): string {
  return queue === "" ? source : `${source}/${queue}`;
}
