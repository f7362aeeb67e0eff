/**
 * What an inspector found out about a source. The checks go by this alone, so that one table of them serves every broker;
 * whatever a broker has no word for is left null.
 */
export interface Wiring {
  /** "RabbitMQ 4.1.2": for people. */
  readonly product: string;
  readonly queues: readonly WiredQueue[];
  /** What an inspector of this broker sees besides the queues, in words: "how old messages are". */
  readonly sees: readonly string[];
  /** What this broker shows to nobody who only looks. */
  readonly blindTo: readonly string[];
  /** What could not be seen, or is allowed to more than it needs. */
  readonly gaps: readonly Gap[];
  /** What becomes of messages that the broker has confirmed. @default nothing is known against it */
  readonly hazards?: readonly Hazard[];
}

/** How a message may be gone that the broker has confirmed. */
export interface Hazard {
  /**
   * "evicts": deleted when memory is short. "forgets": gone after a restart. "flushes-late": the last moments are gone when the
   * machine crashes. "trimmed": deleted by somebody before it was read. "gives-up": not delivered any more, and nobody is told.
   * "gives-up-early": dead-lettered by the broker before a consumer could have tried as often as it may.
   */
  readonly kind: "evicts" | "forgets" | "flushes-late" | "trimmed" | "gives-up" | "gives-up-early";
  /** The queue it happened to; null: any. */
  readonly queue: string | null;
  readonly sentence: string;
  /** A command or setting to paste. */
  readonly remedy: string;
}

/** A queue, topic, stream or subject: whatever messages wait in. */
export interface WiredQueue {
  readonly name: string;
  /** Messages in it, as far as that can be known. */
  readonly depth: number | null;
  /** Age of the oldest message, in milliseconds. */
  readonly oldestAgeMs: number | null;
  /** It goes away with whoever made it, so that nobody expects anything of it. */
  readonly isTemporary: boolean;
  /** What is counted in it are its own dead letters, as in a job framework's queue. @default false */
  readonly holdsLetters?: boolean;
  /** Where messages go that the broker gives up. "unseen": there may be something, but it may not be looked at. */
  readonly deadLettering: DeadLettering | "unseen" | null;
  readonly keeping: Keeping;
  /** Only one of its consumers is handed messages at a time. @default it is not said */
  readonly isOneAtATime?: boolean;
  /** How often a message is delivered before the broker gives it up; null: for ever. */
  readonly deliveryLimit: DeliveryLimit | null;
}

export interface DeliveryLimit {
  readonly deliveries: number;
  /** Nobody asked for it. */
  readonly isDefault: boolean;
}

/** Where messages go, on a broker that routes them by exchange and key. */
export interface Routes {
  /** Queues that get a message which is sent by that exchange and key; null: cannot be known. */
  reachedBy(exchange: string, key: string): readonly string[] | null;
  /** Queues that get a message which came into the queue with that key and dies there; null: cannot be known. */
  reachedByDeath(queue: string, key: string): readonly string[] | null;
}

/** How dead letters leave a queue. */
export interface DeadLettering {
  /** The way, for people: `exchange dlx, key orders`. */
  readonly via: string;
  /** Queues that its dead letters can get to. */
  readonly targets: readonly string[];
  /** A clause for each kind of message that would get nowhere: "exchange dlx does not exist". */
  readonly leaks: readonly string[];
  /** Queues that get a message which was sent back straight to this queue and dies again; null: cannot be known. */
  readonly targetsAfterReplay: readonly string[] | null;
  /** Why a letter may be lost on its way though everything is there; null: it is handed over for sure. */
  readonly unsure: string | null;
  /** Messages leave by themselves when their time is over, as they do from a retry queue. */
  readonly afterMs: number | null;
  /** The broker does it; otherwise the consumers are expected to, by the name alone. */
  readonly byBroker: boolean;
}

/** How long, and how many, messages are kept that nobody takes. */
export interface Keeping {
  /** Deleted after this, in milliseconds. */
  readonly retentionMs: number | null;
  /** The queue itself goes away, with all that is in it, when unused for this long, in milliseconds. */
  readonly expiresMs: number | null;
  /** The oldest are deleted beyond this many messages or bytes: "10,000 messages". */
  readonly dropsBeyond: string | null;
  /** A later message with the same key replaces an earlier one. */
  readonly isCompacted: boolean;
}

/** Nothing is ever deleted. */
export const keepsAll: Keeping = { retentionMs: null, expiresMs: null, dropsBeyond: null, isCompacted: false };

/** A right that is missing, or one too many. */
export interface Gap {
  readonly kind: "missing" | "needless";
  /** "The policies cannot be read, so dead-lettering set by them is not seen." */
  readonly sentence: string;
  /** A command or setting to paste. */
  readonly remedy: string;
}
