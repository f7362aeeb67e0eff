import type { FindSchema } from "../../domain/body-schema.ts";
import type { BodyStore } from "../../domain/body-store.ts";
import type { Host } from "../../domain/clock.ts";
import type { DeadLetter, LetterReading, ReplayVia } from "../../domain/dead-letter.ts";
import type { KeyPlace } from "../../domain/key-place.ts";
import type { Message } from "../../domain/message.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { NamedRole } from "../../ledger/people/roles.ts";
import type { PlacedLetter } from "../../sources/opened-source.ts";
import type { ReturnOutlook } from "../../sources/return-outlook.ts";
import type { SendLine } from "../../sources/send-line.ts";
import type { BlockedKeysAdmin } from "../../stores/blocked-keys.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import type { DestinationFacts } from "./facts.ts";

/** What replaying needs of the rest of the office. */
export interface ReplayParts {
  readonly ledger: Ledger;
  readonly host: Host;
  /** Of the configuration: what people may do by them counts as it is now. */
  readonly roles: readonly NamedRole[];
  readonly read: (letter: DeadLetter) => LetterReading;
  readonly bodies: BodyStore | null;
  /** What an edit must leave a letter's body. */
  readonly schemaFor: FindSchema;
  /** Read anew for each plan and each window that is sent: what a letter may do follows from the latest policy. */
  readonly policy: () => Promise<PolicyInForce>;
  /** Where letters of a dead-letter queue go back to, if not where each says it came from. */
  readonly replayTo: (source: string, deadLetters: string) => string | null;
  /** Where consumers of its letters find the idempotency key, where the policy says nothing of that; null: where senders usually put it. */
  readonly keyAt: (source: string, deadLetters: string) => KeyPlace | null;
  /**
   * How things are where letters would go. Asked again before each step: what it says must be of now. Rejects where the broker
   * cannot be asked (see `whyNotAsked`), or did not answer within `withinMs`. @default as long as its client waits
   */
  readonly look: (source: string, wanted: WantedPlace, withinMs?: number) => Promise<DestinationFacts>;
  /** What putting letters back comes to; null where they are sent as messages instead. Rejects as `look` does. */
  readonly outlooks: (
    source: string,
    letters: readonly PlacedLetter[],
    withinMs?: number,
  ) => Promise<readonly ReturnOutlook[] | null>;
  /** Begins to watch what becomes of all that a replay has sent to a place by now. */
  readonly watch: (place: SentTo, replay: Uint8Array) => Promise<SilenceWatch>;
  /** Where this replay's messages to a source are sent. */
  readonly line: (source: string, replay: Uint8Array) => Promise<SendLine>;
  /** Whether a letter can go back to the dead-letter queue it was drained from. */
  readonly takesBack: (origin: DrainedPlace) => Promise<TakesBack>;
  /** Where ordered consumers of a source keep their blocked keys; null: nobody said where. */
  readonly blockedKeysOf: (source: string) => Promise<BlockedKeysAdmin | null>;
  /** Puts a question to the consumers of a queue, who have a probe of their own. */
  readonly probe: (source: string, queue: string, question: Message) => Promise<void>;
  /** Sees to it that what consumers of a source say is heard, until `signal` aborts. */
  readonly hear: (source: string, signal: AbortSignal) => Promise<void>;
  /** Asks an address that a policy names. Refuses private networks, unless the configuration allows that host. */
  readonly call: (url: string) => Promise<OutsideAnswer>;
}

/** Where a letter would go, as far as it is known from the letter and the configuration. */
export interface WantedPlace {
  readonly queue: string | null;
  /** How it came there before. */
  readonly via: ReplayVia | null;
}

/** Where a letter was when it was drained. */
export interface DrainedPlace {
  readonly source: string;
  readonly queue: string;
  readonly position: string | null;
}

/**
 * - "drained": the configuration has that queue drained, so that it would be back here at once.
 * - "there": it is a log, in which the letter lies still: it would be there twice.
 */
export type TakesBack = "yes" | "drained" | "there";

/** What somebody outside answered. */
export interface OutsideAnswer {
  readonly status: number;
  readonly body: Uint8Array;
}

/** A queue that letters were sent to. */
export interface SentTo {
  readonly source: string;
  readonly queue: string;
  /** Where those letters had been dead: where they would be found again. */
  readonly deadLetters: readonly string[];
}

/**
 * Whether silence means success: all that was sent has been consumed, and everything that died since has been taken in. Asked
 * when the time to wait is over. Once `signal` aborts it ends soon, and its answer means nothing.
 */
export type SilenceWatch = (signal: AbortSignal) => Promise<Silence>;

/** "unless_parked": only of what is not parked or waiting for a retry, in queues of their own beside that queue. */
export type Silence = boolean | "unless_parked";
