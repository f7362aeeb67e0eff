import { useSyncExternalStore } from "react";
import { isTyping } from "./is-typing.ts";
import { type KeyMap, meaningOf, readKeyMap } from "./key-map.ts";

const name = "dlo-keys";
const changed = "dlo-keys-changed";

/** Read once for as long as it stays the same: whoever shows it would be drawn anew for ever otherwise. */
let known: { readonly kept: string | null; readonly map: KeyMap } | null = null;

function currentMap(): KeyMap {
  const kept = localStorage.getItem(name);
  if (known === null || known.kept !== kept) known = { kept, map: readKeyMap(kept) };
  return known.map;
}

/** This browser remembers it, for every tab. */
export function keepKeyMap(map: KeyMap): void {
  localStorage.setItem(name, JSON.stringify(map));
  dispatchEvent(new Event(changed));
}

export function useKeyMap(): KeyMap {
  return useSyncExternalStore(listen, currentMap);
}

/** What a single key that was pressed stands for, by the one it has by itself; null: nothing, or it is typed into a field. */
export function keyMeant(event: KeyboardEvent): ReturnType<typeof meaningOf> {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return null;
  return meaningOf(currentMap(), event.key);
}

function listen(onChange: () => void): () => void {
  for (const event of [changed, "storage"]) addEventListener(event, onChange);
  return () => {
    for (const event of [changed, "storage"]) removeEventListener(event, onChange);
  };
}
