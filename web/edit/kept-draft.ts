import type { HeaderEdit } from "./headers-editor.tsx";

/**
 * What somebody wrote and has not kept yet, for this tab alone: a reload, a conflict or a lost office takes nothing away, and
 * what a letter holds is on no disk when the tab is closed.
 */
export interface KeptDraft {
  /** The revision it began from. */
  readonly from: number;
  readonly text: string;
  readonly headers?: readonly HeaderEdit[];
}

const nameOf = (letter: string) => `dlo-draft ${letter}`;

export function readDraft(letter: string): KeptDraft | null {
  const kept = sessionStorage.getItem(nameOf(letter));
  return kept === null ? null : (JSON.parse(kept) as KeptDraft);
}

/** Null forgets it. */
export function keepDraft(letter: string, draft: KeptDraft | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(nameOf(letter));
    else sessionStorage.setItem(nameOf(letter), JSON.stringify(draft));
  } catch {
    // A body larger than browsers keep: it is in the page until the page is left.
  }
}
