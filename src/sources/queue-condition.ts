import type { Address } from "../domain/message.ts";

/** How things are in a queue that letters would be sent to, as far as its broker shows it. */
export interface QueueCondition {
  /** Where to send so that its consumer gets it; null: there is no such queue. */
  readonly address: Address | null;
  /** Whether a message that is sent straight to it and dies again is kept; null where that could not be seen. */
  readonly keepsNextDeath: boolean | null;
  /** Groups that read the same log and did not fail; empty on a queue. */
  readonly otherGroups: readonly string[];
  /** Messages that wait there; null where nobody can tell. */
  readonly lag: number | null;
}

/** Whether everything that was in a queue when the watch began has been taken and settled by its consumer. */
export type ConsumptionWatch = () => Promise<boolean>;
