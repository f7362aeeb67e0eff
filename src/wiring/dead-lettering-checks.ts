import { queueNames } from "../domain/wire.ts";
import { findCycles } from "./cycles.ts";
import type { Check, Found } from "./finding.ts";
import { soundsDead, sourceOf } from "./names.ts";
import { type Role, rolesOf, wiringOf } from "./roles.ts";
import type { DeadLettering, WiredQueue, Wiring } from "./wiring.ts";

/** How messages get from a queue to where dead letters are kept. */
export const deadLetteringChecks: readonly Check[] = [
  {
    code: "dead_letters.target_missing",
    severity: "error",
    about: "dead letters are sent to something that does not exist, or that nothing is bound to: the broker drops them",
    remedy: "Make what is missing, or point dead-lettering elsewhere.",
    find: (wiring) =>
      edgesOf(wiring).flatMap(({ queue, edge }) =>
        edge.leaks.map((leak) => found(queue, `loses its dead letters (${edge.via}): ${leak}.`)),
      ),
  },
  {
    code: "destination.next_death_lost",
    severity: "error",
    about: "a message that is sent back straight to its queue and dies again gets nowhere: its key has changed",
    remedy: "Fix the key that dead letters get, or bind the dead-letter queue to the queue's own name as well.",
    find: (wiring) =>
      edgesOf(wiring)
        .filter(({ edge }) => edge.targets.length > 0 && edge.targetsAfterReplay?.length === 0)
        .map(({ queue, edge }) =>
          found(
            queue,
            `would lose a replayed message that dies again: ${edge.via}, and nothing there takes the key \`${queue.name}\`.`,
          ),
        ),
  },
  {
    code: "dead_letters.cycle",
    severity: "error",
    about: "dead letters go round in a circle by themselves: the broker drops them when it notices",
    remedy: "Let one of them dead-letter to a queue where letters stay.",
    find: (wiring) => cyclesOf(wiring).flatMap((cycle) => (cycle.every(leavesByItself) ? [circle(cycle)] : [])),
  },
  {
    code: "dead_letters.retry_loop",
    severity: "warning",
    about: "what a consumer rejects comes back to it for ever, unless it counts; some versions drop it instead",
    remedy: "Bound the attempts in the consumer, and let it put what is hopeless into a dead-letter queue.",
    find: (wiring) => cyclesOf(wiring).flatMap((cycle) => (cycle.every(leavesByItself) ? [] : [loop(cycle)])),
  },
  {
    code: "dead_letters.unsure",
    severity: "warning",
    about: "dead letters are handed over without waiting for their queue to have them: a crash in between loses them",
    remedy: "Use a queue type that hands dead letters over at least once.",
    find: (wiring) =>
      edgesOf(wiring)
        .filter(({ edge }) => edge.unsure !== null && edge.targets.length > 0)
        .map(({ queue, edge }) => found(queue, `hands over dead letters at most once: ${edge.unsure}.`)),
  },
  {
    code: "delivery_limit.drops",
    severity: "error",
    about: "the broker gives up a message after so many deliveries, and there is no dead-letter queue: it is deleted",
    remedy: "Give the queue a dead-letter queue, or lift the limit.",
    find: (wiring) =>
      queuesAs(wiring, "work", "letters", "aside")
        .filter((queue) => queue.deadLettering === null)
        .flatMap((queue) => limitDrops(queue)),
  },
  {
    code: "delivery_limit.default",
    severity: "note",
    about:
      "the broker dead-letters what came back so often, though nobody asked for a limit: restarts of consumers count too",
    remedy: "Say how often, or lift the limit.",
    find: (wiring) =>
      queuesAs(wiring, "work")
        .filter((queue) => queue.deadLettering !== null && queue.deliveryLimit?.isDefault)
        .map((queue) =>
          found(
            queue,
            `gives a message up after ${queue.deliveryLimit?.deliveries} deliveries, which is only the default.`,
          ),
        ),
  },
  {
    code: "queue.no_dead_letters",
    severity: "warning",
    about: "a queue without a dead-letter queue: what is rejected or expires is deleted",
    remedy: "Give it a dead-letter queue.",
    find: (wiring) => withoutDeadLetters(wiring),
  },
  {
    code: "naming.unlike",
    severity: "note",
    about: "the name of a dead-letter queue does not say whose it is, so nobody finds it by its name",
    remedy: `The rule is ${queueNames.deadLetters("<queue>")}, or one for all that is called so.`,
    find: (wiring) => unlikeNames(wiring),
  },
];

interface Edge {
  readonly queue: WiredQueue;
  readonly edge: DeadLettering;
}

function edgesOf({ queues }: Wiring): Edge[] {
  return queues.flatMap((queue) => {
    const edge = wiringOf(queue);
    return edge === null || queue.isTemporary ? [] : [{ queue, edge }];
  });
}

function queuesAs(wiring: Wiring, ...wanted: readonly Role[]): WiredQueue[] {
  const roles = rolesOf(wiring);
  return wiring.queues.filter(({ name, isTemporary }) => !isTemporary && wanted.includes(roles.get(name) ?? "aside"));
}

function found(queue: WiredQueue, claim: string): Found {
  return { queue, sentence: `\`${queue.name}\` ${claim}` };
}

function cyclesOf({ queues }: Wiring): WiredQueue[][] {
  const byName = new Map(queues.map((queue) => [queue.name, queue]));
  const graph = new Map(queues.map((queue) => [queue.name, wiringOf(queue)?.targets ?? []]));
  return findCycles(graph).map((names) => names.flatMap((name) => byName.get(name) ?? []));
}

function leavesByItself(queue: WiredQueue): boolean {
  return wiringOf(queue)?.afterMs != null;
}

function circle(cycle: readonly WiredQueue[]): Found {
  return { queue: cycle[0] ?? null, sentence: `Messages go round from ${round(cycle)} without anybody taking part.` };
}

function loop(cycle: readonly WiredQueue[]): Found {
  const worked = cycle.find((queue) => !leavesByItself(queue)) ?? cycle[0];
  return {
    queue: worked ?? null,
    sentence: `What is rejected goes round from ${round(cycle)} as long as it is rejected.`,
  };
}

const mostShown = 5;

function round(cycle: readonly WiredQueue[]): string {
  const names = cycle.map(({ name }) => `\`${name}\``);
  const shown = names.length > mostShown ? [...names.slice(0, mostShown), `${names.length - mostShown} more`] : names;
  return [...shown, names[0]].join(" to ");
}

function limitDrops(queue: WiredQueue): Found[] {
  if (queue.deliveryLimit === null) return [];
  const { deliveries, isDefault } = queue.deliveryLimit;
  const whose = isDefault ? " (the default)" : "";
  return [found(queue, `deletes a message after ${deliveries} deliveries${whose}: it has no dead-letter queue.`)];
}

/** What a limit deletes is the graver finding, and says it all. */
function withoutDeadLetters(wiring: Wiring): Found[] {
  const names = new Set(wiring.queues.map(({ name }) => name));
  return queuesAs(wiring, "work")
    .filter((queue) => queue.deadLettering === null && queue.deliveryLimit === null)
    .map((queue) => {
      const letters = queueNames.deadLetters(queue.name);
      return names.has(letters)
        ? found(queue, `hands nothing to \`${letters}\`: only what a consumer puts there itself gets there.`)
        : found(queue, "has no dead-letter queue: what is rejected or expires is deleted.");
    });
}

function unlikeNames(wiring: Wiring): Found[] {
  const names = new Set(wiring.queues.map(({ name }) => name));
  return queuesAs(wiring, "work").flatMap((queue) => {
    const [target, ...others] = wiringOf(queue)?.targets ?? [];
    if (target === undefined || others.length > 0 || !names.has(target) || target === queue.name) return [];
    const owner = sourceOf(target);
    if (owner !== null && owner !== queue.name && names.has(owner))
      return [found(queue, `dead-letters to \`${target}\`, which by its name belongs to \`${owner}\`.`)];
    return soundsDead(target) ? [] : [found(queue, `dead-letters to \`${target}\`, and nothing in that name says so.`)];
  });
}
