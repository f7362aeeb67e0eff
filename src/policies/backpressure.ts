import { requireNumber } from "../domain/options.ts";

/** How a queue fares, measured or expected. */
export interface Load {
  /** Messages that arrive, per second. */
  readonly arrivalsPerSecond: number;
  /** How long a handler takes for one message, in milliseconds. */
  readonly handlingMs: number;
  /** Messages waiting. @default 0 */
  readonly backlog?: number;
  /** Within this time the backlog shall be gone, in milliseconds. @default 3_600_000 */
  readonly clearWithinMs?: number;
}

/**
 * How many messages must be handled at once to keep up with what arrives (Little's law) and to work off what waits:
 * arrivals per second x seconds per message + backlog x seconds per message / seconds allowed to clear it.
 */
export function neededConcurrency(load: Load): number {
  const { arrivalsPerSecond, handlingMs, backlog = 0, clearWithinMs = 3_600_000 } = load;
  requireNumber("arrivalsPerSecond", arrivalsPerSecond, { min: 0 });
  requireNumber("handlingMs", handlingMs, { min: 0 });
  requireNumber("backlog", backlog, { min: 0 });
  requireNumber("clearWithinMs", clearWithinMs, { min: 1 });
  const busy = (arrivalsPerSecond * handlingMs) / 1_000 + (backlog * handlingMs) / clearWithinMs;
  // 0.1 + 0.2 must not call for one more handler than 0.3 does.
  return Math.ceil(Number(busy.toPrecision(12)));
}

export interface Backpressure {
  /** Messages to be handled at once, over all consumers. */
  readonly concurrency: number;
  /** Consumers of the given concurrency that this takes. */
  readonly consumers: number;
  /** The backlog is over its limit: somebody should act. */
  readonly isOverLimit: boolean;
}

/** What a queue's depth calls for. */
export function assessBackpressure(
  load: Load,
  { concurrency, depthLimit }: { readonly concurrency: number; readonly depthLimit: number },
): Backpressure {
  requireNumber("concurrency", concurrency, { min: 1, integer: true });
  requireNumber("depthLimit", depthLimit, { min: 0 });
  const needed = neededConcurrency(load);
  return {
    concurrency: needed,
    consumers: Math.ceil(needed / concurrency),
    isOverLimit: (load.backlog ?? 0) > depthLimit,
  };
}
