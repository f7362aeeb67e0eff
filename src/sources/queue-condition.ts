import type { ReplayVia } from "../domain/dead-letter.ts";
import type { Address } from "../domain/message.ts";

/**
 * Whether messages of one ordering key are processed there in the order in which they are sent. "by_key": those that have a key
 * of the broker's own; null: nobody can see that.
 */
export type KeptOrder = "always" | "by_key" | "never" | null;

/** How things are in a queue that letters would be sent to, as far as its broker shows it. */
export interface QueueCondition {
  /** Where to send so that its consumer gets it; null: there is no such queue. */
  readonly address: Address | null;
  /** The exchange and key by which it is sent there, and nowhere else; null: straight to the queue. @default null */
  readonly via?: ReplayVia | null;
  /** The broker did not show how things are there: what is wired may be what it was, or not. @default false */
  readonly isUnseen?: boolean;
  /** Why not: "rabbit-1:15672 refused the connection". @default nobody can say */
  readonly unseenBecause?: string;
  /** Whether a message that is sent there so and dies again is kept; null where that could not be seen. */
  readonly keepsNextDeath: boolean | null;
  /** Groups that read the same log and did not fail; empty on a queue. */
  readonly otherGroups: readonly string[];
  readonly keepsOrder: KeptOrder;
  /** Messages that wait there; null where nobody can tell. */
  readonly lag: number | null;
}

/** Whether everything that was in a queue when the watch began has been taken and settled by its consumer. */
export type ConsumptionWatch = () => Promise<boolean>;
