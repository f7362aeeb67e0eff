import { useEffect } from "react";
import type { SingleKey } from "./key-map.ts";

/** What is selected by `*` and one of these: all of the page, all that match, none. */
const selecting = ["a", "m", "n"] as const;

/** A single key, or two of which the second means something by the first. */
export type PageKey = SingleKey | `* ${(typeof selecting)[number]}`;

/** Of the key after `*`; null where it means nothing. */
export function selectingBy(pressed: string): PageKey | null {
  const key = selecting.find((each) => each === pressed);
  return key === undefined ? null : `* ${key}`;
}

type PressKey = (key: PageKey, event: KeyboardEvent) => void;

const listeners = new Set<PressKey>();

/** What single keys do on the page at hand, besides what they do on every page. */
export function usePageKeys(press: PressKey): void {
  useEffect(() => {
    listeners.add(press);
    return () => {
      listeners.delete(press);
    };
  });
}

/** A key that leads to no other page: the page at hand may do something by it. Within a dialog, keys are the dialog's. */
export function pressOnPage(key: PageKey, event: KeyboardEvent): void {
  if (document.querySelector("dialog[open]") !== null) return;
  for (const press of listeners) press(key, event);
}
