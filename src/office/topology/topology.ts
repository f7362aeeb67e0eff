/** Where messages go, as far as the office knows: the same for a drawing, a table and a terminal. */
export interface Topology {
  readonly sources: readonly TopologySource[];
  /** Queues that are shown, and all that match; what is left out has the fewest open letters. */
  readonly shown: number;
  readonly matching: number;
  /** Queues whose letters nobody looked at: there are too many. Where these die is not known. */
  readonly unexplored: number;
}

export interface TopologySource {
  readonly name: string;
  /** Null where nothing was heard of it yet. */
  readonly broker: string | null;
  readonly owner: string | null;
  readonly queues: readonly TopologyQueue[];
  /** What matches and is not among them, so that nobody takes a part for the whole. */
  readonly leftOut: { readonly queues: number; readonly open: number };
  /** Dead-letter queues that are looked after, and that no letter came from lately. */
  readonly quiet: readonly DeadLetterQueue[];
  readonly warnings: readonly TopologyWarning[];
}

export interface TopologyQueue {
  readonly name: string;
  readonly open: number;
  /** Letters that came in the running hour and the one before. */
  readonly failedLately: number;
  readonly consumers: readonly TopologyConsumer[];
  readonly breakers: readonly { readonly name: string; readonly state: BreakerState }[];
  /** Where its latest letters were found. */
  readonly deadLetters: readonly DeadLetterQueue[];
  readonly replaysTo: readonly ReplayTarget[];
  readonly warnings: readonly TopologyWarning[];
}

type BreakerState = "closed" | "half-open" | "open";

export interface TopologyConsumer {
  readonly service: string;
  readonly version: string;
  /** Processes at work. */
  readonly instances: number;
}

export interface DeadLetterQueue {
  readonly name: string;
  /** "drained": a process does so now. "not drained": one should, and none does. */
  readonly fate: "drained" | "not drained" | "read in place" | "observed" | "left alone";
}

/** "origin": where each letter failed. "configured": `replayTo`. "sent": a replay sent some there lately. */
export interface ReplayTarget {
  readonly queue: string;
  readonly because: "origin" | "configured" | "sent";
}

/** Something that does not hold together, and what to do about it. */
export interface TopologyWarning {
  readonly code:
    | "source.gone"
    | "drain.missing"
    | "drain.stopped"
    | "drain.troubled"
    | "replay.cycle"
    | "consumer.silent"
    | "breaker.open";
  readonly sentence: string;
}
