import { type WorkingConsumer, workingConsumers } from "../../ledger/consumers.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { type FailureTimes, readFailureTimes } from "../../ledger/settle-window.ts";
import type { SentTo } from "./replay-parts.ts";

export interface WindowRequest {
  readonly replay: Uint8Array;
  /** The policy's, in seconds: at least that. */
  readonly leastS: number;
  readonly places: readonly SentTo[];
}

/** A letter that took that much longer to die than any before it would still be seen. */
const margin = 1.5;

/**
 * How long silence has to last before it may mean success, in seconds: long enough for a letter to fail as slowly as any did, by
 * what its consumers report, by how these letters died, and by how others came back from there.
 */
export async function settleWindowS(ledger: Ledger, { replay, leastS, places }: WindowRequest): Promise<number> {
  const queues = places.map(({ queue }) => queue);
  const [working, times] = await Promise.all([
    workingConsumers(ledger, queues),
    readFailureTimes(ledger, { replay, queues }),
  ]);
  const consumers = places.flatMap(({ source, queue }) => working.get(`${source}/${queue}`) ?? []);
  return longestOf(leastS, consumers, times);
}

export function longestOf(
  leastS: number,
  consumers: readonly Pick<WorkingConsumer, "retryHorizonS">[],
  { longestInPlan, usualReturn }: FailureTimes,
): number {
  const horizons = consumers.map(({ retryHorizonS }) => retryHorizonS);
  return Math.max(leastS, ...horizons, margin * longestInPlan, usualReturn);
}
