import { peek, peekedAt } from "../app/peek.ts";

/** Of the row that has the focus, or that one looks at beside the list; null where there is none. */
export function rowAtHand(): string | null {
  return document.activeElement?.closest<HTMLElement>("tr[data-id]")?.dataset.id ?? peekedAt();
}

export function rowOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`);
}

/** Whoever did something with a row goes on from there. */
export function focusRow(id: string): void {
  linkIn(rowOf(id))?.focus();
}

/** Rows are walked by their links, so that Enter opens one as it does everywhere; beside the list, what is looked at goes on. */
export function stepRow(by: number): void {
  const links = [...document.querySelectorAll<HTMLElement>("a[data-row]")];
  const peeked = peekedAt();
  const at = links.indexOf((peeked === null ? document.activeElement : linkIn(rowOf(peeked))) as HTMLElement);
  const next = links[at === -1 ? 0 : Math.max(0, Math.min(links.length - 1, at + by))];
  const id = next?.closest<HTMLElement>("tr[data-id]")?.dataset.id;
  if (peeked === null) next?.focus();
  else if (id !== undefined) peek(id);
}

function linkIn(row: HTMLElement | null): HTMLElement | null {
  return row?.querySelector<HTMLElement>("a[data-row]") ?? null;
}
