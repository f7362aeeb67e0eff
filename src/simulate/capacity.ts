import { assessBackpressure, type Load } from "../policies/backpressure.ts";

/** What a backlog calls for if it shall be gone within a time. */
export interface CapacityRow {
  readonly clearWithinMs: number;
  /** Messages handled at once, over all consumers. */
  readonly concurrency: number;
  /** Consumers of the given concurrency that this takes. */
  readonly consumers: number;
}

export interface CapacityOptions {
  readonly load: Omit<Load, "clearWithinMs">;
  /** What one consumer handles at once. */
  readonly perConsumer: number;
  readonly clearWithinMs: readonly number[];
}

/** How many handlers a queue needs, for each time in which its backlog shall be gone. */
export function capacityFor({ load, perConsumer, clearWithinMs }: CapacityOptions): CapacityRow[] {
  const limits = { concurrency: perConsumer, depthLimit: 0 };
  return clearWithinMs.map((within) => {
    const { concurrency, consumers } = assessBackpressure({ ...load, clearWithinMs: within }, limits);
    return { clearWithinMs: within, concurrency, consumers };
  });
}
