/** The rows of the list at hand, each with what it is about. */
const rows = "tr[data-id]";

/** Of the row that has the focus, or something in it; null where none has. */
export function rowAtHand(): string | null {
  return document.activeElement?.closest<HTMLElement>(rows)?.dataset.id ?? null;
}

export function rowOf(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`tr[data-id="${CSS.escape(id)}"]`);
}

/** Whoever did something with a row goes on from there. */
export function focusRow(id: string): void {
  rowOf(id)?.querySelector<HTMLElement>("a[data-row]")?.focus();
}
