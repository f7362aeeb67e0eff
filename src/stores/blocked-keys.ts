import type { DeadPlace } from "../domain/key-release.ts";

/**
 * The keys of ordered queues that have to wait, and who is next of each. Each keeper passes `blockedKeysContract`
 * (testing).
 *
 * A message that leaves its place in its queue (to wait for a retry, to the dead letters, to be parked behind another of
 * its key) takes a number in the lane of its key. The message of the lowest number may run, all others wait; the key is
 * open again when no number is left. So order never depends on where in which queue a message lies.
 *
 * A number is given out before its message is sent on with it, and `mark` tells the message until then: whoever gets it
 * after a crash in between finds its number again. `turn` stands for one hand-over: what an earlier one asks for, however
 * late that arrives, changes nothing.
 */
export interface BlockedKeys extends BlockedKeysAdmin {
  /** Asks before a handler runs. What becomes of the message is then told by `keep`, `confirm` or `leave`. */
  arrive(lane: Lane, arrival: LaneArrival): Promise<LanePlace>;
  /**
   * Gives a message a number that it does not carry yet, and blocks its key. The same mark has the same number until it
   * is confirmed. With `charge`, that is remembered too, until the turn has a result.
   */
  enter(lane: Lane, entry: LaneEntry): Promise<number>;
  /** Remembers `charge` with a number. */
  charge(lane: Lane, number: number, turn: string, charge: string): Promise<LaneAnswer>;
  /** Its message stays where it is, or was sent on before: it will be tried again. */
  keep(lane: Lane, number: number, turn: string): Promise<LaneAnswer>;
  /**
   * Its message is where it was to go, and carries the number. With `copy`, whatever comes of it again without a number is a copy,
   * for as long as the number has a place, and for some days after a dead one was released. The same holds for a dead letter that is
   * put back once its place is gone.
   */
  confirm(lane: Lane, number: number, turn: string, fate: LaneFate, copy?: Uint8Array | null): Promise<LaneAnswer>;
  /** Its message is done with. "lost": the turn is over, nothing changed. "parked": the next one has to be fetched. */
  leave(lane: Lane, number: number, turn: string): Promise<"lost" | "open" | "parked" | "blocked">;

  /**
   * The right to pass over the parked messages of a queue, for `leaseMs`; false if there is nothing to fetch. With `forReleases`
   * also while a dead message blocks a key: a release message may lie among the parked ones.
   */
  claimPass(
    queue: string,
    holder: string,
    leaseMs: number,
    options?: { readonly forReleases?: boolean },
  ): Promise<boolean>;
  endPass(queue: string, holder: string): Promise<void>;
  /** How many messages of a queue are parked and carry their number: so many must lie among the parked ones. */
  countParked(queue: string): Promise<number>;
  /** What to do with a parked message. */
  weigh(lane: Lane, number: number): Promise<LaneWeighing>;
  /** A parked message is in its queue again. Changes nothing if it was parked anew since it was weighed. */
  released(lane: Lane, number: number, turn: string): Promise<void>;
}

/** What people and tools need to know of blocked keys, and the one thing they may do. */
export interface BlockedKeysAdmin {
  /**
   * Lets keys go on behind dead messages, whose places in their lanes these numbers are, and says of each what came of it, in their
   * order. No other place is touched, and numbers are never given out again: a repeated release changes nothing. Where it
   * rejects, some of them may be released and the others not.
   */
  release(places: readonly DeadPlace[]): Promise<readonly LaneRelease[]>;
  /**
   * The blocked keys of a queue, or of all queues, longest blocked first. A number that was not sent on yet blocks no other
   * message and is not listed.
   */
  list(
    queue: string | null,
    options?: {
      /** At most so many keys. @default 100 */
      readonly limit?: number;
      /** Only keys behind this number: that of the last one listed before, to go on from there. @default 0 */
      readonly after?: number;
    },
  ): Promise<readonly BlockedKey[]>;
  /** What is known of each of these lanes and places, in their order: one question, however many they are. */
  find(asked: readonly LaneQuestion[]): Promise<readonly LaneFinding[]>;
  /** How many keys are blocked in each queue that has any, by the state of the message that blocks them. */
  summarize(): Promise<readonly BlockedKeysSummary[]>;
}

/**
 * - "released": the place was taken away, and the next message of the key may run.
 * - "gone": there is no such place: it was released before, or its message is done with.
 * - "alive": its message is not dead. It waits for a retry or is parked, and leaves its place when it is done.
 */
export type LaneRelease = "released" | "gone" | "alive";

export interface LaneQuestion extends Lane {
  /** The place to look for as well. */
  readonly number: number | null;
}

export interface LaneFinding {
  /** Null: the key is not blocked. */
  readonly blocked: BlockedKey | null;
  /** Null: there is no such place, or none was asked for. */
  readonly place: LaneOccupant | null;
}

/** A place in a lane. */
export interface LaneOccupant {
  readonly state: LaneState;
  /** How many messages of the key are ahead of it. */
  readonly ahead: number;
  /** How many messages of the key wait behind it. */
  readonly behind: number;
}

export interface BlockedKeysSummary {
  readonly queue: string;
  /** What the first message of each of these keys is at. */
  readonly state: LaneState;
  readonly keys: number;
  /** How many messages wait behind those. */
  readonly behind: number;
  /** Milliseconds since 1970, by the store's clock, when the one that is blocked longest was blocked. */
  readonly since: number;
}

export interface Lane {
  readonly queue: string;
  readonly key: Uint8Array;
}

/** "lost": the turn is over, nothing changed. "passed": there is no such number any more. */
export type LaneAnswer = "noted" | "lost" | "passed";

/** Where a message is that has a number: on its way to a retry, parked, back in its queue, or dead. */
export type LaneState = "waiting" | "parked" | "released" | "dead";

/** Where a message was sent. */
export type LaneFate = Exclude<LaneState, "released">;

export interface LaneArrival {
  /** The number it carries. */
  readonly number: number | null;
  /** A dead letter that somebody put back: without a place in the lane it is a new message. */
  readonly revived: boolean;
  /** Tells it from other messages of its key while it carries no number. */
  readonly mark: Uint8Array;
  /** What no other message has, be it equal to this one; null: there is nothing like that. @default null */
  readonly copy?: Uint8Array | null;
  readonly turn: string;
}

export interface LaneEntry {
  readonly mark: Uint8Array;
  readonly turn: string;
  readonly charge?: string;
}

/**
 * - "free": nothing is ahead of it; it has no number.
 * - "first": it is the first of its lane; `charge` is what was remembered of a turn without a result.
 * - "behind": it has to wait, under this number.
 * - "passed": it was done with before, or is dead and was not put back, and is a copy.
 */
export type LanePlace =
  | { readonly kind: "free" | "passed" }
  | { readonly kind: "first"; readonly number: number; readonly charge: string | null }
  | { readonly kind: "behind"; readonly number: number };

/** "release": to its queue. "stay": not yet. "passed": it was done with before, and is a copy. */
export type LaneWeighing =
  | { readonly kind: "stay" | "passed" }
  /** `turn` says since when it is parked. */
  | { readonly kind: "release"; readonly turn: string };

/** A key that waits, for people. */
export interface BlockedKey {
  readonly queue: string;
  readonly key: Uint8Array;
  /** What the first of its messages is at. */
  readonly state: LaneState;
  /** The number of that message. */
  readonly number: number;
  /** Milliseconds since 1970, by the store's clock, when that message took its number. */
  readonly since: number;
  /** How many messages wait behind it. */
  readonly behind: number;
}
