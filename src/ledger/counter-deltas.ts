import type { Category } from "../domain/classification.ts";
import { uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import type { PlacedLetter } from "./place-letters.ts";

/** So many more, or fewer, letters of a group that are of a category and in a state. */
export interface CounterChange {
  readonly groupId: Uint8Array;
  readonly source: string;
  readonly queue: string;
  readonly category: Category;
  readonly state: LetterState;
  readonly n: number;
  /** How many of them came to the group just now. */
  readonly arrived: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function arrivalsOf(placed: readonly PlacedLetter[]): readonly CounterChange[] {
  return placed.map(({ letter: { source, queue, classification, times }, groupId }) => ({
    ...{ groupId, source, queue, category: classification.category, state: "open" },
    ...{ n: 1, arrived: 1, at: times.arrivedAt },
  }));
}

const hourMs = 3_600_000;

/** One row for each group, category, state and hour among these changes, as the columns of an `unnest`. */
export function deltaValues(changes: readonly CounterChange[]): readonly (readonly unknown[])[] {
  const deltas = new Map<string, { readonly change: CounterChange; n: number; arrived: number }>();
  for (const change of changes) {
    const hour = Math.floor(change.at / hourMs);
    const name = `${Buffer.from(change.groupId).toString("latin1")} ${change.category} ${change.state} ${hour}`;
    const known = deltas.get(name);
    if (known === undefined) deltas.set(name, { change, n: change.n, arrived: change.arrived });
    else {
      known.n += change.n;
      known.arrived += change.arrived;
    }
  }
  const all = [...deltas.values()].filter(({ n, arrived }) => n !== 0 || arrived !== 0);
  return [
    all.map(({ change }) => uuidOf(change.groupId)),
    all.map(({ change }) => change.source),
    all.map(({ change }) => change.queue),
    all.map(({ change }) => change.category),
    all.map(({ change }) => change.state),
    all.map(({ n }) => n),
    all.map(({ arrived }) => arrived),
    all.map(({ change }) => new Date(change.at).toISOString()),
  ];
}
