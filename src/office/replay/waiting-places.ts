import type { WaitingItem } from "../../ledger/replay-moves.ts";
import type { SentTo } from "./replay-parts.ts";

interface Place extends SentTo {
  readonly numbers: readonly number[];
}

/** Where sent letters wait for their outcome, by name. */
export function placesOf(waiting: readonly WaitingItem[]): ReadonlyMap<string, Place> {
  const places = new Map<string, WaitingItem[]>();
  for (const item of waiting) {
    const name = JSON.stringify([item.source, item.queue]);
    const known = places.get(name);
    if (known === undefined) places.set(name, [item]);
    else known.push(item);
  }
  return new Map([...places].map(([name, items]) => [name, placeOf(items)]));
}

function placeOf(items: readonly WaitingItem[]): Place {
  const { source = "", queue = "" } = items[0] ?? {};
  const deadLetters = [...new Set(items.map((item) => item.deadLetters))];
  return { source, queue, deadLetters, numbers: items.map(({ n }) => n) };
}
