import type { Clock } from "../domain/clock.ts";
import { systemClock } from "../system/host.ts";
import type { SharedState } from "./shared-state.ts";

/** Shared state of one process: for tests, and for several breakers of the same name in one program. */
export function memorySharedState({ clock = systemClock }: { readonly clock?: Clock } = {}): SharedState {
  // Kept as text, so that nobody holds a reference into the store, as with one across a network.
  const documents = new Map<string, { readonly text: string; readonly version: number }>();
  return {
    async read(name) {
      const found = documents.get(name);
      const now = clock.now();
      if (found === undefined) return { value: undefined, version: null, now };
      return { value: JSON.parse(found.text) as unknown, version: found.version, now };
    },
    async replace(name, version, value) {
      const current = documents.get(name)?.version ?? null;
      if (current !== version) return false;
      documents.set(name, { text: JSON.stringify(value), version: (version ?? 0) + 1 });
      return true;
    },
  };
}
