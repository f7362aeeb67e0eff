import type { SourceConfig } from "../config/config.ts";
import type { ReferenceOrigin } from "../config/reference.ts";
import type { Clock } from "../domain/clock.ts";
import type { ReplayVia } from "../domain/dead-letter.ts";
import type { Address, Message } from "../domain/message.ts";
import type { BlockedKeysAdmin } from "../stores/blocked-keys.ts";
import type { SharedState } from "../stores/shared-state.ts";
import type { Transport } from "../transports/transport.ts";
import type { Peek } from "./peek.ts";
import type { ConsumptionWatch, QueueCondition } from "./queue-condition.ts";
import type { ReturnOutlook } from "./return-outlook.ts";
import type { IsOurs, SendLine } from "./send-line.ts";

/** A letter where it was found last. */
export interface PlacedLetter {
  readonly position: string | null;
  readonly message: Message;
}

/** A source of the configuration with a connection to its broker. */
export interface OpenedSource {
  readonly transport: Transport;
  /** The group the office reads a log as; null on brokers that have queues. */
  readonly group: string | null;
  /** Where to send what the consumer of this queue shall get; null: there is no such queue. */
  addressOf(queue: string): Promise<Address | null>;
  /** Where the messages of a replay are sent. */
  line(replay: Uint8Array, isOurs: IsOurs): SendLine;
  /**
   * Where letters never left their place, and are put back there: what that comes to for each. @default they are sent as
   * messages, whatever became of the letter
   */
  outlooks?(letters: readonly PlacedLetter[]): Promise<readonly ReturnOutlook[]>;
  /** Host and port of whoever is asked by `look` and `reachedBy`. @default the broker's */
  readonly seenThrough?: () => Promise<string>;
  /** How things are in a queue at this moment, for a message that came to it by that route once. */
  look(queue: string, via: ReplayVia | null): Promise<QueueCondition>;
  /** On a broker that routes: the queues that get a message which is sent so; null, or why, where that cannot be seen. */
  reachedBy?(via: ReplayVia): Promise<readonly string[] | { readonly unseenBecause: string } | null>;
  /** Begins to watch whether what a replay has sent to a queue by now gets consumed, or all that is in it. */
  watch(queue: string, replay: Uint8Array): Promise<ConsumptionWatch>;
  /**
   * How many messages lie beside a queue, where its consumers put what they did not finish: parked, or waiting for a retry in a
   * queue of its own. Null: that cannot be seen. @default none ever do
   */
  countBeside?(queue: string): Promise<number | null>;
  /** Whether what the office drained from that place of a log lies there still, for whoever else reads it. @default never */
  keepsDrained?(queue: string, position: string | null): Promise<boolean>;
  /**
   * Where ordered consumers of this queue park messages, on a broker that keeps order in some queues; null: there is none that does.
   * @default `<queue>.parked`, if the broker keeps order
   */
  parkedOf?(queue: string): Promise<Address | null>;
  /** Looks at what lies in a dead-letter queue and changes nothing there. @default refused */
  readonly peek?: Peek;
  /** Where consumers may keep what they share: the state of breakers. @default nowhere */
  readonly shared?: SharedState;
  /** The blocked keys of its ordered consumers. @default the configuration doesn't say where those are */
  readonly blockedKeys?: BlockedKeysAdmin;
  close(): Promise<void>;
}

/** What it takes to open a source; its address holds passwords and is never shown. */
export interface OpenParts {
  readonly source: SourceConfig;
  readonly url: string;
  readonly origin: ReferenceOrigin;
  readonly clock: Clock;
}
