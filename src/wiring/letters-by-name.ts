import { soundsDead, sourceOf } from "./names.ts";
import type { DeadLettering } from "./wiring.ts";

/**
 * Whose dead letters lie where, on a log that itself knows of none: `orders.billing.dlq` belongs to `orders.billing` if there
 * is such a log, and else to `orders`, read by a group.
 */
export function lettersByName(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const all = new Set(names);
  const letters = new Map<string, string[]>();
  for (const name of names) {
    const owner = soundsDead(name) ? ownerOf(sourceOf(name) ?? "", all) : undefined;
    if (owner !== undefined) letters.set(owner, [...(letters.get(owner) ?? []), name]);
  }
  return letters;
}

function ownerOf(source: string, names: ReadonlySet<string>): string | undefined {
  for (let name = source; name !== ""; name = name.slice(0, Math.max(0, name.lastIndexOf(".")))) {
    if (names.has(name)) return name;
  }
  return undefined;
}

/** How they get there: the consumers see to it, as far as names tell. "unseen": no name tells. */
export function deadLetteringByName(name: string, letters: readonly string[]): DeadLettering | "unseen" | null {
  if (soundsDead(name)) return null;
  if (letters.length === 0) return "unseen";
  return {
    via: "the consumers",
    targets: letters,
    leaks: [],
    targetsAfterReplay: letters,
    unsure: null,
    afterMs: null,
    byBroker: false,
  };
}
