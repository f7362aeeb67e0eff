import type { Classification, Fingerprint } from "../domain/classification.ts";
import type { SendMark } from "../domain/send-mark.ts";

/** A letter that is about to be held, with all that the ledger keeps of it. */
export interface NewLetter {
  /** Made by `makeId` from the time of arrival. */
  readonly id: Uint8Array;
  readonly identity: LetterIdentity;
  /** The connection it came by, and the queue it was found in. */
  readonly source: string;
  readonly broker: string;
  readonly drainedFrom: string;
  /** The queue it failed in. */
  readonly queue: string;
  readonly classification: Classification;
  /** What the rule that decided puts on it. */
  readonly tags: readonly string[];
  /** The version of the policy that was in force; null where there was none. */
  readonly policyVersion: number | null;
  readonly fingerprint: Fingerprint;
  /** Where changes of groups want it; null: in the group of its queue and fingerprint, as if nobody had changed any. */
  readonly placement: Placement | null;
  /** With what must not be shown taken out. */
  readonly error: LetterError;
  readonly times: LetterTimes;
  readonly attempts: number | null;
  readonly names: LetterNames;
  readonly origin: LetterOrigin;
  readonly content: LetterContent;
  /** What people look for it by. */
  readonly keys: readonly string[];
  /** The words of its error, with their places: a `wordVector`. */
  readonly words: Uint8Array;
  readonly trail: LetterTrail;
}

/** The group a letter belongs to. */
export interface Placement {
  readonly groupId: Uint8Array;
  /** The last change of groups that was known. */
  readonly version: number;
}

/** By what a message is recognised that a replay had sent. */
export interface LetterTrail {
  /** What it says of itself; null where it says nothing. */
  readonly mark: SendMark | null;
  /** Of the message as it was before anybody wrapped it; null where it is not here. */
  readonly payloadSha256: Uint8Array | null;
  /** What its sender names it by: `senderNames`. */
  readonly names: readonly string[];
  /** What its consumer names this failure; null where it says nothing. */
  readonly failure: string | null;
  /** Where it was found nothing else ever is: an equal letter found elsewhere is another failure. @default false */
  readonly hasOwnPlace?: boolean;
}

/** What tells it from all others. */
export type LetterIdentity =
  /** The broker says where it is: whoever has the same key is the same letter. */
  | { readonly kind: "position"; readonly key: Uint8Array }
  /**
   * The broker does not. Each delivery is a letter of its own, unless it is a second delivery of one that an ended drain
   * had committed but not acknowledged: those have the same digest.
   */
  | {
      readonly kind: "delivery";
      readonly key: Uint8Array;
      readonly digest: Uint8Array;
      readonly redelivered: boolean;
    };

export interface LetterError {
  readonly class: string | null;
  readonly message: string | null;
  readonly code: string | null;
  /** By `sharedStack`. */
  readonly stack: string | null;
}

/** In milliseconds since 1970. */
export interface LetterTimes {
  readonly arrivedAt: number;
  /** When the message was first sent; null where nobody says. */
  readonly enqueuedAt: number | null;
  /** When the message's own time to live is over; null where it has none. */
  readonly expiresAt: number | null;
  readonly firstFailedAt: number | null;
  readonly failedAt: number;
  readonly failedAtBy: "letter" | "broker" | "arrival";
}

/** Where its message was when it failed, and on which machine, as far as it says. */
export interface LetterOrigin {
  readonly partition: number | null;
  /** An offset, or a sequence. */
  readonly offset: bigint | null;
  readonly host: string | null;
}

export interface LetterNames {
  readonly type: string | null;
  readonly key: string | null;
  readonly orderKey: string | null;
  readonly tenant: string | null;
  readonly trace: string | null;
  readonly consumer: string | null;
}

export interface LetterContent {
  /** Null where it is kept by reference, or where nobody had it. */
  readonly body: Uint8Array | null;
  readonly bodyRef: string | null;
  /** What people look for where it is kept: the object, or the file. */
  readonly bodyPlace: string | null;
  readonly sha256: Uint8Array | null;
  readonly sizeBytes: number;
  readonly headers: Uint8Array | null;
  readonly properties: Uint8Array | null;
  readonly messageKey: Uint8Array | null;
  readonly position: string | null;
  readonly exchange: string | null;
  readonly routingKey: string | null;
  /** JSON in UTF-8. */
  readonly reading: Uint8Array;
  /** What was too long, with the bytes it had. */
  readonly cut: Readonly<Record<string, number>> | null;
}
