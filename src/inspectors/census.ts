import type { Patience, Place } from "./inspector.ts";

/** What lies in a queue and who takes from it, counted for somebody who is about to drain it. */
export interface QueueCensus {
  readonly queue: string;
  /** Of the messages in it; null: the broker does not tell. */
  readonly bytes: number | null;
  /** Who takes messages from it now, each in words; null: the broker does not tell. */
  readonly consumers: readonly string[] | null;
}

/** Counts and changes nothing. A queue that is gone, or that may not be seen, is left out. */
export type TakeCensus = (
  place: Place,
  queues: readonly string[],
  patience: Patience,
) => Promise<readonly QueueCensus[]>;
