/**
 * Remembers which messages were processed, so that a duplicate has no second effect. Each keeper passes
 * `inboxContract` (testing).
 */
export interface Inbox<Tx = undefined> {
  /**
   * Success is remembered in the transaction that handlers write in, so that an attempt that failed left nothing of it. Consumers report
   * it, and a replay goes by it. @default false
   */
  readonly isTransactional?: boolean;

  /**
   * Runs `work` unless this key succeeded within its window before.
   *
   * Only success is remembered: when `work` rejects, so does `once`, and the next try runs again. While one caller is
   * at work others get "busy". A caller that lost its turn (it stood still for longer than its lease, and another
   * took over) cannot succeed any more: `once` rejects, and nothing of it is remembered.
   */
  once(entry: InboxEntry, work: (turn: Turn<Tx>) => Promise<void>): Promise<InboxOutcome>;

  /** Runs `work` in a transaction of its own, remembering nothing: for merging a duplicate. */
  without(work: (tx: Tx) => Promise<void>): Promise<void>;
}

export type InboxOutcome = "ran" | "duplicate" | "busy";

export interface InboxEntry {
  /** The consumer, usually queue and handler: the same key in another scope is another message. */
  readonly scope: string;
  readonly key: string;
  /** How long a success is remembered, in milliseconds. Shorter than the time a duplicate may take is too short. */
  readonly windowMs: number;
  /** How long a caller that shows no sign of life keeps its turn, in milliseconds. */
  readonly leaseMs: number;
}

/** One caller's turn at a key. */
export interface Turn<Tx> {
  /** The transaction in which success is remembered, where the store has one: what is written in it stands or falls with it. */
  readonly tx: Tx;
  /** Keeps the turn for another `ms`. False: it is lost. */
  extend(ms: number): Promise<boolean>;
  /** Says that the caller gave up waiting for `work`, which may still be running. Its transaction must come to nothing. */
  abandon(): void;
}
