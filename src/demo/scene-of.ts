import type { Chronicle } from "./chronicle.ts";
import type { ActNow, BreakerNow, Scene } from "./scene.ts";
import type { Line } from "./sentences.ts";
import { type World, worldSettings } from "./world.ts";

export interface SceneParts {
  readonly world: World;
  readonly startedAt: number;
  readonly act: ActNow;
  readonly lines: readonly Line[];
}

/** The world as it looks at this moment. */
export function sceneOf({ world, startedAt, act, lines }: SceneParts): Scene {
  const { clock, consumer, checkout, payments, chronicle } = world;
  const now = clock.now();
  return {
    atMs: now - startedAt,
    act,
    checkout: { perSecond: checkout.perSecond, sent: checkout.sent.length },
    queue: { name: worldSettings.queue, ready: readyIn(world) },
    handlers: {
      of: worldSettings.handlers,
      paused: consumer.health().status === "paused",
      running: chronicle.running.map(({ startedAt: since, ...running }) => ({ ...running, forMs: now - since })),
    },
    payments: { mood: payments.mood, charged: payments.books.size, answers: payments.answers },
    waiting: chronicle.waiting.map(({ dueAt, ...waiting }) => ({ ...waiting, dueInMs: dueAt - now })),
    deadLetters: [...chronicle.dead],
    quarantine: [...chronicle.quarantined],
    duplicates: chronicle.duplicates,
    breaker: breakerNow(world),
    budget: chronicle.budget,
    seconds: [...chronicle.seconds],
    lines,
    flows: flowsOf(chronicle, checkout.sentAt, now),
  };
}

/** Messages of the queue that a handler could take now: neither waiting for a retry nor in a handler's hands. */
export function readyIn({ broker, consumer, chronicle }: World): number {
  const elsewhere = chronicle.waiting.length + consumer.health().inHand;
  return Math.max(0, broker.depth(worldSettings.queue) - elsewhere);
}

function flowsOf(chronicle: Chronicle, sentAt: number, now: number): Scene["flows"] {
  return {
    sent: now - sentAt,
    taken: now - chronicle.lastAt("started"),
    retried: now - chronicle.lastAt("retried"),
    dead: now - chronicle.lastAt("dead"),
    returned: now - chronicle.lastAt("returned"),
  };
}

function breakerNow({ breaker, chronicle, clock }: World): BreakerNow {
  const { phase, openUntil, successes } = breaker.snapshot();
  const { recoveryMs, successesToClose, rule } = worldSettings.breaker;
  return {
    phase,
    probeInMs: openUntil === null ? 0 : Math.max(0, openUntil - clock.now()),
    recoveryMs,
    probesSucceeded: successes,
    probesNeeded: successesToClose,
    failedShare: chronicle.failedShare,
    opensAtShare: rule.failureRate,
  };
}
