import { moved, placeNow } from "./routes.ts";

/** What one looks at beside the list; it is in the address, so that a link shows the same. */
export function peekedAt(): string | null {
  return placeNow().query.get("peek");
}

/** Opens it so that going back closes it; from one to the next, going back closes it as well. */
export function peek(id: string): void {
  const isOpen = peekedAt() !== null;
  const how = isOpen ? "replaceState" : "pushState";
  // What was opened by a link has nothing to go back to.
  const state: unknown = isOpen ? history.state : { isPeek: true };
  const url = new URL(location.href);
  url.searchParams.set("peek", id);
  history[how](state, "", url);
  dispatchEvent(new Event(moved));
}

export function endPeek(): void {
  const { isPeek } = (history.state ?? {}) as { readonly isPeek?: boolean };
  if (isPeek === true) {
    history.back();
    return;
  }
  const url = new URL(location.href);
  url.searchParams.delete("peek");
  history.replaceState(null, "", url);
  dispatchEvent(new Event(moved));
}
