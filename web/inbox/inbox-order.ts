const name = "dlo-inbox-order";

/** The groups as the inbox had them, for whoever goes from one to the next; each tab has its own. */
export function keepInboxOrder(ids: readonly string[]): void {
  sessionStorage.setItem(name, ids.join(","));
}

export interface PlaceInInbox {
  /** Counts from 1. */
  readonly at: number;
  readonly of: number;
  /** Null where it is the first. */
  readonly before: string | null;
  /** Null where it is the last. */
  readonly after: string | null;
}

/** Where a group stands there; null for one that this tab did not see in its inbox. */
export function placeInInbox(id: string): PlaceInInbox | null {
  const ids = (sessionStorage.getItem(name) ?? "").split(",");
  const at = ids.indexOf(id);
  if (at === -1) return null;
  return { at: at + 1, of: ids.length, before: ids[at - 1] ?? null, after: ids[at + 1] ?? null };
}
