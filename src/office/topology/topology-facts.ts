import type { ReportedBreaker } from "../../ledger/list-breakers.ts";
import type { ReportedConsumer } from "../../ledger/list-consumers.ts";
import type { QueueRoute } from "../../ledger/search/queue-routes.ts";
import type { LetterFate } from "../../sources/letter-fate.ts";

/** Of a source that is connected now. */
export interface ConnectedSource {
  readonly name: string;
  readonly broker: string;
  readonly owner: string | null;
  /** Whoever looks may know of it though no queue of it is shown. */
  readonly isSeen: boolean;
  /** Dead-letter queues that it names without a star. */
  readonly named: readonly string[];
  readonly fateOf: (deadLetters: string) => LetterFate;
  /** Where letters of that queue are sent back to, if not where each failed. */
  readonly replayTo: (deadLetters: string) => string | null;
}

interface Named {
  readonly source: string;
  readonly queue: string;
}

/** A queue that messages are consumed from, as letters or consumers name it. */
export interface Place extends Named {
  readonly open: number;
  readonly failedLately: number;
}

/** Everything a topology is made of. Whoever gathers it does the looking. */
export interface TopologyFacts {
  readonly connected: readonly ConnectedSource[];
  /** By the letters they came with, for sources that are gone too. */
  readonly brokers: ReadonlyMap<string, string>;
  readonly places: readonly Place[];
  readonly routes: readonly QueueRoute[];
  /** Places whose latest letters were not looked at, since there are too many: neither in focus, nor with most open ones. */
  readonly unexplored: number;
  readonly consumers: readonly ReportedConsumer[];
  readonly breakers: readonly ReportedBreaker[];
  /** Dead-letter queues that some process drains now. */
  readonly drained: readonly Named[];
  /** Drains that cannot go on, as this process sees them. */
  readonly troubles: readonly (Named & { readonly trouble: string })[];
  /** Made up, and never in any configuration. */
  readonly isDemo: boolean;
}

export function isSamePlace(one: Named, other: Named): boolean {
  return one.source === other.source && one.queue === other.queue;
}
