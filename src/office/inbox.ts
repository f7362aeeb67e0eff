import { urgency } from "../ledger/search/group-urgency.ts";
import type { SteppedGroup } from "./gates/find-steps.ts";
import { isGrowing } from "./is-growing.ts";

/** Why a group is where it is in the inbox, in the order in which to look at them. */
export const inboxReasons = ["returned", "growing", "unblocked", "new", "aging", "active"] as const;

export type InboxReason = (typeof inboxReasons)[number];

export type InboxItem = SteppedGroup & { readonly why: InboxReason };

/** Open groups in the order in which to look at them, those with most letters first where they are alike. */
export function inboxOf(groups: readonly SteppedGroup[], now: number): readonly InboxItem[] {
  const items = groups.filter(({ open }) => open > 0).map((group) => ({ ...group, why: reasonOf(group, now) }));
  return items.sort((a, b) => inboxReasons.indexOf(a.why) - inboxReasons.indexOf(b.why) || b.open - a.open);
}

/** Why it would be where it is, if nobody had said anything about it. */
function reasonOf(group: SteppedGroup, now: number): InboxReason {
  const { returnedMs, newMs, agingMs } = urgency;
  const { returnedAt, firstFailedAt, oldestOpenAt } = group;
  if (returnedAt !== null && now - returnedAt < returnedMs) return "returned";
  if (isGrowing(group)) return "growing";
  if (group.isUnblocked) return "unblocked";
  if (firstFailedAt !== null && now - Date.parse(firstFailedAt) < newMs) return "new";
  return oldestOpenAt !== null && now - Date.parse(oldestOpenAt) > agingMs ? "aging" : "active";
}
