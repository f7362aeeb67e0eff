import { sourceOf } from "./names.ts";
import { rolesOf, wiringOf } from "./roles.ts";
import type { WiredQueue, Wiring } from "./wiring.ts";

/** A queue as somebody looks for it who wants to know where dead letters are. */
export interface FoundQueue {
  readonly queue: string;
  /** Whose dead letters it holds; null: it holds none. */
  readonly from: readonly string[] | null;
  /** Only its name says so. */
  readonly byName: boolean;
  readonly deadLettersTo: readonly string[];
  readonly depth: number | null;
  readonly oldestSeconds: number | null;
}

/** Where dead letters are kept. */
export function letterQueues(wiring: Wiring): WiredQueue[] {
  const roles = rolesOf(wiring);
  return wiring.queues.filter(({ name }) => roles.get(name) === "letters");
}

export function lettersIn(queues: readonly WiredQueue[]): number {
  return queues.reduce((sum, { depth }) => sum + (depth ?? 0), 0);
}

/** Those that hold dead letters, or all that stay; the fullest first. */
export function foundQueues(wiring: Wiring, all: boolean): FoundQueue[] {
  const letters = new Set(letterQueues(wiring).map(({ name }) => name));
  const origins = originsOf(wiring);
  return wiring.queues
    .filter((queue) => letters.has(queue.name) || (all && !queue.isTemporary))
    .map((queue) => foundQueue(queue, letters.has(queue.name), origins.get(queue.name) ?? []))
    .sort((a, b) => (b.depth ?? 0) - (a.depth ?? 0));
}

function foundQueue(queue: WiredQueue, holdsLetters: boolean, wired: readonly string[]): FoundQueue {
  const named = [sourceOf(queue.name) ?? []].flat();
  return {
    queue: queue.name,
    from: holdsLetters ? (wired.length > 0 ? wired : named) : null,
    byName: holdsLetters && wired.length === 0,
    deadLettersTo: wiringOf(queue)?.targets ?? [],
    depth: queue.depth,
    oldestSeconds: queue.oldestAgeMs === null ? null : Math.round(queue.oldestAgeMs / 1_000),
  };
}

function originsOf({ queues }: Wiring): ReadonlyMap<string, readonly string[]> {
  const origins = new Map<string, string[]>();
  for (const queue of queues) {
    if (queue.holdsLetters === true) origins.set(queue.name, [queue.name]);
    for (const target of wiringOf(queue)?.targets ?? [])
      origins.set(target, [...(origins.get(target) ?? []), queue.name]);
  }
  return origins;
}
