import type { InboxItem, InboxReason } from "../inbox.ts";
import type { Attention } from "./attention.ts";

/** A group of the inbox, with what people said about it. */
export interface AttendedItem extends Omit<InboxItem, "why"> {
  readonly why: InboxReason | (Attention["status"] & string);
  readonly attention: Attention;
}

export interface AttendedInbox {
  readonly items: readonly AttendedItem[];
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
    return attention === undefined ? [] : [{ ...item, why: attention.status ?? item.why, attention }];
  });
  const inState = (status: Attention["status"]) => attended.filter(({ attention }) => attention.status === status);
  const snoozed = inState("snoozed");
  return {
    items: [...inState(null), ...inState("acknowledged"), ...(withSnoozed ? snoozed : [])],
    snoozed: snoozed.length,
  };
}
