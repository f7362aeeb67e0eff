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
  /** When, in milliseconds since 1970. */
  readonly at: number;
  /** When they failed last. */
  readonly failedAt: number;
}

export function arrivalsOf(placed: readonly PlacedLetter[]): readonly CounterChange[] {
  return placed.map(({ letter: { source, queue, classification, times }, groupId }) => ({
    ...{ groupId, source, queue, category: classification.category, state: "open" },
    ...{ n: 1, arrived: 1, at: times.arrivedAt, failedAt: times.failedAt },
  }));
}

const hourMs = 3_600_000;

interface Delta {
  readonly change: CounterChange;
  n: number;
  arrived: number;
  /** Of those that there are more of; none where there are only fewer. */
  firstFailedAt: number;
  lastFailedAt: number;
}

/**
 * One row for each group, category, state and hour in which letters failed among these changes, as the columns of an `unnest`. Also where
 * nothing is left to add: what came back to where it was may have been the oldest, and is that no more.
 */
export function deltaValues(changes: readonly CounterChange[]): readonly (readonly unknown[])[] {
  const deltas = new Map<string, Delta>();
  for (const change of changes) {
    const hour = Math.floor(change.failedAt / hourMs);
    const name = `${Buffer.from(change.groupId).toString("latin1")} ${change.category} ${change.state} ${hour}`;
    const delta = deltas.get(name) ?? { change, ...nothing };
    delta.n += change.n;
    delta.arrived += change.arrived;
    if (change.n > 0) {
      delta.firstFailedAt = Math.min(delta.firstFailedAt, change.failedAt);
      delta.lastFailedAt = Math.max(delta.lastFailedAt, change.failedAt);
    }
    deltas.set(name, delta);
  }
  const all = [...deltas.values()];
  return [
    all.map(({ change }) => uuidOf(change.groupId)),
    all.map(({ change }) => change.source),
    all.map(({ change }) => change.queue),
    all.map(({ change }) => change.category),
    all.map(({ change }) => change.state),
    all.map(({ n }) => n),
    all.map(({ arrived }) => arrived),
    all.map(({ change }) => new Date(change.at).toISOString()),
    all.map(({ change }) => new Date(Math.floor(change.failedAt / hourMs) * hourMs).toISOString()),
    all.map(({ firstFailedAt }) => timeOf(firstFailedAt)),
    all.map(({ lastFailedAt }) => timeOf(lastFailedAt)),
  ];
}

const nothing = {
  ...{ n: 0, arrived: 0 },
  ...{ firstFailedAt: Number.POSITIVE_INFINITY, lastFailedAt: Number.NEGATIVE_INFINITY },
};

function timeOf(ms: number): string | null {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : null;
}
