import { useEffect, useState } from "react";
import { ask, type Refused } from "../app/office.ts";
import { refusedBy } from "../app/refused-by.ts";
import type { Changes, EditChange } from "./edit-change.ts";

export type Preview =
  | { readonly kind: "nothing" }
  | { readonly kind: "looking" }
  | { readonly kind: "changes"; readonly changes: Changes }
  | { readonly kind: "refused"; readonly refused: Refused };

/** Nobody is asked while somebody types. */
const calmMs = 350;

/** What the office says of a change before it is kept: it alone knows what is behind the masks. */
export function usePreview(id: string, from: number, change: EditChange | null): Preview {
  const question = change === null ? null : JSON.stringify({ id, from, ...change });
  const [known, setKnown] = useState<{ readonly question: string; readonly preview: Preview } | null>(null);
  useEffect(() => {
    if (question === null) return;
    const stop = new AbortController();
    const timer = setTimeout(() => void look(question, stop.signal).then(setKnown, () => {}), calmMs);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [question]);
  if (question === null) return { kind: "nothing" };
  return known?.question === question ? known.preview : { kind: "looking" };
}

async function look(question: string, signal: AbortSignal) {
  const input = JSON.parse(question) as { readonly id: string; readonly from: number };
  try {
    const changes = await ask("edits.preview", input, { signal });
    return { question, preview: { kind: "changes", changes } as const };
  } catch (error) {
    signal.throwIfAborted();
    return { question, preview: { kind: "refused", refused: refusedBy(error) } as const };
  }
}
