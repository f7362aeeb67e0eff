import type { WaitingPlace } from "../../ledger/replay-moves.ts";

/** Where sent letters wait for their outcome, by name. */
export function placesOf(waiting: readonly WaitingPlace[]): ReadonlyMap<string, WaitingPlace> {
  return new Map(waiting.map((place) => [JSON.stringify([place.source, place.queue]), place]));
}
