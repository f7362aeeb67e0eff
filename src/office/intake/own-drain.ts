import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import type { DrainProgress, DrainRequest } from "./drain.ts";

/** Whoever does what the configuration says. */
export const officeItself: Actor = { id: "office", kind: "system", roles: ["admin"] };

/** A dead-letter queue in which nothing came for so long is taken in, in milliseconds. */
const caughtUpMs = 1_000;
/** A dead-letter queue that has not fallen silent by then is one that letters keep coming to, in milliseconds. */
const fallsSilentWithinMs = 60_000;

interface OwnDrain {
  readonly source: string;
  readonly queue: string;
  readonly idleMs: number | null;
  readonly signal: AbortSignal;
}

/** A drain that the office needs for its own ends. */
function asOffice({ source, queue, idleMs, signal }: OwnDrain): DrainRequest {
  return { source, queue, signal, tuning: { idleMs }, actor: officeItself };
}

type DrainQueue = (request: DrainRequest) => Promise<DrainProgress>;

export async function drainUntil(drain: DrainQueue, queue: Omit<OwnDrain, "idleMs">): Promise<void> {
  await drain(asOffice({ ...queue, idleMs: null }));
}

export interface CatchUpParts {
  readonly drain: DrainQueue;
  readonly clock: Clock;
  /** @default a minute */
  readonly withinMs?: number;
}

/**
 * Takes in what is in a dead-letter queue by now. False when letters kept coming until the time was over, or `signal` aborted:
 * then nobody can say that all of them are here.
 */
export async function catchUp(
  { drain, clock, withinMs = fallsSilentWithinMs }: CatchUpParts,
  { signal, ...queue }: Omit<OwnDrain, "idleMs">,
): Promise<boolean> {
  const late = new AbortController();
  const cancel = clock.after(withinMs, () => late.abort());
  const either = AbortSignal.any([signal, late.signal]);
  try {
    await drain(asOffice({ ...queue, idleMs: caughtUpMs, signal: either }));
    return !either.aborted;
  } finally {
    cancel();
  }
}
