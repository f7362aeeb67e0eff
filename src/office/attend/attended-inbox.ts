import { isBlocked } from "../gates/group-step.ts";
import type { InboxItem, InboxReason } from "../inbox.ts";
import type { Attention } from "./attention.ts";

/** What a group of the inbox asks of people: a decision, one that a gate kept back until now, to wait, or nothing, since somebody has seen it. */
export const inboxLanes = ["decide", "unblocked", "blocked", "acknowledged"] as const;

export type InboxLane = (typeof inboxLanes)[number];

/** A group of the inbox, with what people said about it. */
export interface AttendedItem extends Omit<InboxItem, "why"> {
  readonly why: InboxReason | (Attention["status"] & string);
  readonly lane: InboxLane;
  readonly attention: Attention;
}

export interface AttendedInbox {
  readonly items: readonly AttendedItem[];
  /** How many of them are in each lane. */
  readonly lanes: Readonly<Record<InboxLane, number>>;
  /** How many are kept out of it for now. */
  readonly snoozed: number;
}

/** What still asks for attention first, then what was seen; what may wait not at all, or last. */
export function attendedInbox(
  items: readonly InboxItem[],
  attentions: readonly Attention[],
  { withSnoozed }: { readonly withSnoozed: boolean },
): AttendedInbox {
  const attended = items.flatMap((item, at): AttendedItem[] => {
    const attention = attentions[at];
    if (attention === undefined) return [];
    return [{ ...item, why: attention.status ?? item.why, lane: laneOf(item, attention), attention }];
  });
  const inState = (status: Attention["status"]) => attended.filter(({ attention }) => attention.status === status);
  const snoozed = inState("snoozed");
  const shown = [...inState(null), ...inState("acknowledged"), ...(withSnoozed ? snoozed : [])];
  return { items: shown, lanes: countLanes(shown), snoozed: snoozed.length };
}

/** Each is in one of them. What was seen or may wait is so until it gets worse, whatever its gates do. */
function laneOf({ nextStep, isUnblocked }: InboxItem, { status }: Attention): InboxLane {
  if (status !== null) return "acknowledged";
  if (isBlocked(nextStep)) return "blocked";
  return isUnblocked ? "unblocked" : "decide";
}

function countLanes(items: readonly AttendedItem[]): Readonly<Record<InboxLane, number>> {
  const counts = { decide: 0, unblocked: 0, blocked: 0, acknowledged: 0 };
  for (const { lane } of items) counts[lane] += 1;
  return counts;
}
