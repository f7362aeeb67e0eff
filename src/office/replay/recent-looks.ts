import type { ReplayParts } from "./replay-parts.ts";

type Look = ReplayParts["look"];

/** Looks at a place again only when the last look is older than that: windows may follow each other more quickly than things change. */
export function recentLooks({ look, host }: Pick<ReplayParts, "look" | "host">, forMs: number): Look {
  const recent = new Map<string, { readonly at: number; readonly found: ReturnType<Look> }>();
  return (...place) => {
    const name = JSON.stringify(place);
    const now = host.clock.now();
    const last = recent.get(name);
    if (last !== undefined && now - last.at < forMs) return last.found;
    const found = look(...place);
    recent.set(name, { at: now, found });
    // Whoever asks next looks for himself.
    found.catch(() => recent.delete(name));
    return found;
  };
}
