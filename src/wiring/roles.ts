import { isOursAside, soundsDead } from "./names.ts";
import type { DeadLettering, WiredQueue, Wiring } from "./wiring.ts";

/**
 * What a queue is for. "letters": dead letters are kept there. "waiting": messages pass through it after a while, as in a
 * retry queue. "aside": nothing to check. "work": all others.
 */
export type Role = "work" | "letters" | "waiting" | "aside";

/** By the wiring first, and by the name where that says nothing. */
export function rolesOf({ queues }: Wiring): ReadonlyMap<string, Role> {
  const given = queues.filter((queue) => !isWaiting(queue)).flatMap((queue) => wiringOf(queue)?.targets ?? []);
  const targets = new Set(given);
  return new Map(queues.map((queue) => [queue.name, roleOf(queue, targets)]));
}

function roleOf(queue: WiredQueue, targets: ReadonlySet<string>): Role {
  if (queue.isTemporary || isServersOwn(queue.name)) return "aside";
  if (isWaiting(queue)) return "waiting";
  if (queue.holdsLetters === true || soundsDead(queue.name)) return "letters";
  if (isOursAside(queue.name)) return "aside";
  return targets.has(queue.name) && !isOnward(queue) ? "letters" : "work";
}

/** Messages leave it by themselves for a place where they are worked on; a queue to work on may have a limit of age too. */
function isWaiting(queue: WiredQueue): boolean {
  const edge = wiringOf(queue);
  return edge?.afterMs != null && edge.targets.some((target) => !soundsDead(target));
}

/** A queue with dead letters of its own is worked on, whoever else sends there. */
function isOnward(queue: WiredQueue): boolean {
  return wiringOf(queue) !== null;
}

/** Topics and queues that brokers keep for themselves. */
function isServersOwn(name: string): boolean {
  return /^(__|amq\.|\$)/.test(name);
}

export function wiringOf({ deadLettering }: WiredQueue): DeadLettering | null {
  return deadLettering === "unseen" ? null : deadLettering;
}
