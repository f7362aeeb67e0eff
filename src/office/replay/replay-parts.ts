import type { Actor } from "../../domain/actor.ts";
import type { BodyStore } from "../../domain/body-store.ts";
import type { Host } from "../../domain/clock.ts";
import type { DeadLetter, LetterReading } from "../../domain/dead-letter.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { Transport } from "../../transports/transport.ts";
import type { PolicyInForce } from "../policy/policy-in-force.ts";
import type { DestinationFacts } from "./facts.ts";

/** What replaying needs of the rest of the office. */
export interface ReplayParts {
  readonly ledger: Ledger;
  readonly host: Host;
  readonly read: (letter: DeadLetter) => LetterReading;
  readonly bodies: BodyStore | null;
  /** Read anew for each plan and each window that is sent: what a letter may do follows from the latest policy. */
  readonly policy: () => Promise<PolicyInForce>;
  /** How things are where letters would go. Asked again before each step: what it says must be of now. */
  readonly look: (source: string, queue: string) => Promise<DestinationFacts>;
  /**
   * Whether all that was sent there was seen consumed while the drain of its dead-letter queue was watching: then silence
   * means that it worked.
   */
  readonly wasConsumed: (source: string, queue: string) => Promise<boolean>;
  /** The way to that source; null when it is not configured any more. */
  readonly transportOf: (source: string) => Transport | null;
  readonly mayReplay: (actor: Actor, queue: string) => boolean;
}
