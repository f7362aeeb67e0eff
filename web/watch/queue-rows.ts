import type { OutputOf } from "../../src/office/operations/operations.ts";

type Answered = OutputOf<"queues.list">;

export interface QueueRow {
  readonly source: string;
  readonly queue: string;
  readonly open: number;
  readonly total: number;
  /** All that came from it, by category and state. */
  readonly counts: Answered["counts"];
  /** Open ones by category, those with most first. */
  readonly categories: readonly (readonly [string, number])[];
  /** When the open letter failed that failed first. */
  readonly oldestAt: string | null;
  /** How many failed in each of the last 24. */
  readonly hours: readonly number[];
  /** When the office took one in last. */
  readonly lastArrivedAt: string | null;
}

/** Those of letters that wait for somebody. */
export const openStates = ["open", "returned"];

/** Those with most open letters first. */
export function queueRows({ counts, oldest, failures, arrived }: Answered): readonly QueueRow[] {
  const names = [...new Set(counts.map(({ source, queue }) => JSON.stringify([source, queue])))];
  const rows = names.map((name): QueueRow => {
    const [source, queue] = JSON.parse(name) as [string, string];
    const isHere = (each: { readonly source: string; readonly queue: string }) =>
      each.source === source && each.queue === queue;
    const own = counts.filter(isHere);
    const open = own.filter(({ state }) => openStates.includes(state));
    return {
      ...{ source, queue, open: sum(open), total: sum(own), counts: own, categories: byCategory(open) },
      oldestAt: oldest.find(isHere)?.failedAt ?? null,
      hours: failures.find(isHere)?.hours ?? [],
      lastArrivedAt: arrived.find(isHere)?.lastAt ?? null,
    };
  });
  return rows.sort((one, other) => other.open - one.open || one.queue.localeCompare(other.queue));
}

function byCategory(open: Answered["counts"]): readonly (readonly [string, number])[] {
  const names = [...new Set(open.map(({ category }) => category))];
  return names
    .map((name) => [name, sum(open.filter(({ category }) => category === name))] as const)
    .sort(([, one], [, other]) => other - one);
}

function sum(counts: readonly { readonly n: number }[]): number {
  return counts.reduce((total, { n }) => total + n, 0);
}
