import { useEffect, useRef, useState } from "react";
import { usePageKeys } from "../app/page-keys.ts";
import { rowAtHand, stepRow } from "../ui/rows-at-hand.ts";

/** Letters by name, or all that a search finds: two different things, and the bar says which. */
export interface LetterSelection {
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
  readonly toggle: (id: string) => void;
  /** All that are shown from another one to this. `from`: by itself the one that was selected last. */
  readonly extend: (id: string, shown: readonly string[], from?: string) => void;
  readonly choose: (ids: readonly string[]) => void;
  readonly chooseAll: () => void;
  readonly clear: () => void;
}

/** It survives page turns and another order; another search begins anew, since "all matching" would mean others. Esc clears it. */
export function useSelection(q: string): LetterSelection {
  const [{ ids, isAll }, setChosen] = useState<{ readonly ids: ReadonlySet<string>; readonly isAll: boolean }>(none);
  const last = useRef<string | null>(null);
  const clear = () => {
    last.current = null;
    setChosen(none);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search is another selection
  useEffect(clear, [q]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // First it closes what is over the list.
      const isOver = event.defaultPrevented || document.querySelector("dialog[open], .drawer") !== null;
      if (event.key === "Escape" && !isOver) clear();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  const choose = (more: readonly string[]) => setChosen({ ids: new Set([...ids, ...more]), isAll: false });
  return {
    ...{ ids, isAll, choose, clear },
    toggle(id) {
      last.current = id;
      setChosen({ ids: toggled(ids, id), isAll: false });
    },
    extend(id, shown, from = last.current ?? id) {
      const ends = [shown.indexOf(from), shown.indexOf(id)].filter((at) => at !== -1);
      last.current = id;
      choose(shown.slice(Math.min(...ends), Math.max(...ends) + 1));
    },
    chooseAll() {
      // A plan of all there ever was is nobody's wish.
      if (q.trim() !== "") setChosen({ ids, isAll: true });
    },
  };
}

const none = { ids: new Set<string>(), isAll: false };

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set(ids.has(id) ? [...ids].filter((each) => each !== id) : [...ids, id]);
}

/** Selects by keys in the list at hand, as it is shown. */
export function useSelectionKeys(shown: readonly string[], selection: LetterSelection | undefined): void {
  usePageKeys((key) => {
    if (selection === undefined) return;
    if (key === "* a") selection.choose(shown);
    if (key === "* m") selection.chooseAll();
    if (key === "* n") selection.clear();
    if (key !== "X" && key !== "J" && key !== "K") return;
    const before = rowAtHand();
    if (key !== "X") stepRow(key === "J" ? 1 : -1);
    const after = rowAtHand();
    if (after === null) return;
    // The first step selects where it began, too.
    if (selection.ids.size === 0) selection.extend(after, shown, before ?? after);
    else selection.extend(after, shown);
  });
}
