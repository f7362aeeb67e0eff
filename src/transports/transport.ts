import type { Cancel } from "../domain/clock.ts";
import type { Address, Delivery, Message, Verdict } from "../domain/message.ts";

/** What a broker does by itself. Each claim is held to by the contract suite; the runtime makes up for the rest. */
export interface Capabilities {
  /** Sends onward and acknowledges in one step. Otherwise a crash in between makes a duplicate, never a loss. */
  readonly atomicOnward: boolean;
  /**
   * With `order: "key"`, messages of one key are handed over one at a time in the order they were sent, over all
   * consumers, also when one dies or stops: what is not settled comes again before what was sent after it.
   */
  readonly order: boolean;
  /**
   * With `order: "key"`, a message that waits for a retry keeps its place: the later ones of its key are held back behind
   * it. Otherwise the consumer parks them.
   */
  readonly holdsBack: boolean;
  /** Counts deliveries, across restarts of consumers. */
  readonly deliveryCount: boolean;
  /** A delivery is lost to another consumer unless it is extended in time. */
  readonly lease: boolean;
  /** Header values keep their type. Otherwise they arrive as text or bytes. */
  readonly typedHeaders: boolean;
  /** A header name may come several times. */
  readonly repeatedHeaders: boolean;
  /**
   * Sends an answer to the address that a requester names for it, which is the requester's alone and goes with it: once, without
   * making a queue.
   */
  readonly replyAddresses: boolean;
}

/** Why a transport does not claim a capability, in a sentence for people. */
export type Shortcomings = Readonly<Partial<Record<keyof Capabilities, string>>>;

/** How many handlers may run now; it changes while a consumer runs. A breaker closes it to 0 or narrows it to its probes. */
export interface Gate {
  readonly limit: number;
  /** Calls `changed` after each change of `limit`, until cancelled. */
  onChange(changed: () => void): Cancel;
}

/** Something that went wrong at the broker and that a consumer survives by itself. */
export interface Incident {
  /**
   * - "onward-failed": a dead letter or a parked message could not be sent, or a retry was refused for good; it comes
   *   back as it was.
   * - "settle-failed": the broker did not say whether it did what it was asked; it is asked again. Or `handle`
   *   rejected, with this error; the message comes again.
   * - "delivery-lost": the delivery is no longer ours, and its verdict changed nothing.
   * - "connection-lost", "connection-restored": reported once each, however often it is tried in between. A broker whose
   *   answers cannot be read is as good as lost; the error then has the code UNKNOWN_ANSWER.
   * - "broker-blocked", "broker-unblocked": the broker takes no messages for now (memory, disk), and what is to be sent
   *   waits; deliveries go on.
   * - "passed-over": something is listed of which nothing is left that could be handed over.
   */
  readonly kind:
    | "onward-failed"
    | "settle-failed"
    | "delivery-lost"
    | "connection-lost"
    | "connection-restored"
    | "broker-blocked"
    | "broker-unblocked"
    | "passed-over";
  readonly error?: unknown;
  readonly message?: Message;
  /** When it will be tried again, in milliseconds from now. */
  readonly retryInMs?: number;
}

export interface SendOptions {
  /** How long it waits before it may be delivered, in milliseconds. @default 0 */
  readonly delayMs?: number;
  /**
   * It was received before and goes on. What only its first sender may say of it (who he is, when it expires, who else gets
   * a copy) is then left out, where a broker has such, and the longest delay there is will do. @default false
   */
  readonly onward?: boolean;
  /**
   * Which message it is to its consumers, on a broker without positions: whoever may have sent it before, and cannot know, names the
   * same again, and both copies are known for one. @default made anew: it is another message than any sent before
   */
  readonly sendId?: string | null;
}

export interface ConsumeOptions {
  /** Calls of `handle` at once, at most. */
  readonly concurrency: number;
  /** Messages taken from the broker and not yet settled, at most; at least `concurrency`. */
  readonly prefetch: number;
  readonly order: "none" | "key";
  /**
   * How long the broker keeps a delivery for us unless it is extended, in milliseconds. At least half of it is left when
   * `handle` is called; extending it from then on is up to `handle`.
   */
  readonly leaseMs: number;
  /** How long a message waits that could not be sent onward, before it is delivered again, in milliseconds. */
  readonly returnDelayMs: number;
  readonly signal: AbortSignal;
  readonly gate?: Gate;
  readonly report?: (incident: Incident) => void;
  /**
   * Called once, when silence begins to tell that there is nothing: the broker has let this consumer in, and a log has
   * handed over all that was there and seen it settled. Who waits for a queue to run dry counts from here, lest a slow
   * connection pass for an empty queue.
   */
  readonly listening?: () => void;
}

/**
 * Decides what becomes of a delivery.
 *
 * If it rejects, nothing is acknowledged: the message is delivered again, as redelivered, once its lease lapses.
 */
export type Handle = (delivery: Delivery) => Promise<Verdict>;

/**
 * The one seam between the library and a broker. Its comments are the specification, and `transportContract`
 * (testing) has a test for each sentence; a transport is done when it passes against the real broker.
 */
export interface Transport {
  readonly broker: string;
  readonly capabilities: Capabilities;
  /** A position names one message for ever, so that it alone tells whether two deliveries are of one. @default false */
  readonly positionsAreNames?: boolean;
  /**
   * In a queue each key has a sequence of its own: all messages of one key may come before any of another's, whenever they were sent.
   * @default false
   */
  readonly hasSequenceByKey?: boolean;
  /** Why it lacks what it lacks. @default no reasons given */
  readonly shortcomings?: Shortcomings;

  /**
   * Resolves once the broker has the message durably, not before. Rejects if it has not, or if that is unknown;
   * repeating is then safe (a duplicate at worst). Bytes, headers, key and properties arrive exactly as sent. With
   * `delayMs` it is not delivered earlier than that, and does not hold up the messages behind it.
   */
  send(to: Address, message: Message, options?: SendOptions): Promise<void>;

  /**
   * Hands deliveries to `handle`, at most `concurrency` (and the gate's limit) at a time, and carries out its verdicts:
   *
   * - "done" acknowledges.
   * - "retry" puts `message` in the delivery's place, due after `delayMs`, without holding up the messages behind it.
   * - "dead-letter" and "park" send `message` to `to`, then acknowledge. If it cannot be sent, nothing is
   *   acknowledged and the message comes back after `returnDelayMs`; the incident is reported.
   *
   * What is refused for good (too large, no such queue) stays in its queue in that way and is reported each time, until
   * somebody clears the cause away.
   *
   * A message whose consumer died, or whose lease lapsed, is delivered again with `redelivered` true. A verdict that
   * comes after the lease was lost changes nothing. Losing the broker is reported and survived; what was in hand then
   * comes again. While the gate's limit is 0 no new message is taken.
   *
   * Once `signal` aborts no further delivery is handed over; those never handed over go back at no cost (neither
   * counted nor marked as redelivered, where the broker can). Resolves when the handlers under way have settled; a broker
   * that gives no answer is waited for a few seconds more, whatever the lease, and what it was not told comes again.
   * Rejects only if it can never work (closed transport, a name that cannot be, a queue that does not exist and may not
   * be made).
   */
  consume(from: Address, handle: Handle, options: ConsumeOptions): Promise<void>;

  /**
   * How many messages lie in a queue, due or not; those that are in somebody's hands may be among them. None where there is no such
   * queue. Takes none of them.
   * @default the broker does not say
   */
  depth?(of: Address): Promise<number>;

  /** Stops every consume, waits for what is under way, lets go of the connection. Calling it again does nothing. */
  close(): Promise<void>;
}
