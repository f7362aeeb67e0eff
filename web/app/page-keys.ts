import { useEffect } from "react";
import type { SingleKey } from "./key-map.ts";

type PressKey = (key: SingleKey, event: KeyboardEvent) => void;

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
export function pressOnPage(key: SingleKey, event: KeyboardEvent): void {
  if (document.querySelector("dialog[open]") !== null) return;
  for (const press of listeners) press(key, event);
}
