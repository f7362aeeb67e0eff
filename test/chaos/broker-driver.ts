import type { Address, Message } from "../../src/domain/message.ts";
import type { Capabilities, Transport } from "../../src/transports/transport.ts";
import type { Failpoint } from "./failpoint.ts";

/** All that a kill loop needs to know of a broker. Another broker is another of these, listed in brokers.ts. */
export interface BrokerDriver {
  /** As people call it. */
  readonly label: string;
  /** Why it cannot be started here, or undefined. */
  readonly missing: string | undefined;
  /** What its transport claims. */
  readonly capabilities: Capabilities;
  start(): Promise<RunningBroker>;
  /** Where a process that is connected can be made to end: what is asked of this broker, at the moments that differ. */
  readonly failpoints: readonly Failpoint[];
  /** How long everything may take to come to rest after the last of many kills, in milliseconds. @default 120_000 */
  readonly settleWithinMs?: number;
  /** How many orders a killer is hidden among, and how many of them a process has in hand. @default a thousand, 250 */
  readonly crowd?: Crowd;
  /** From any process. */
  connect(url: string, failpoint?: Failpoint): Promise<Connection>;
  /** The queue of that name, as this broker addresses it. */
  queue(name: string): Address;
}

export interface Crowd {
  readonly orders: number;
  readonly concurrency: number;
  readonly prefetch: number;
  /** How long a process may stand still with a message in hand before that counts against the message. @default 2_000 */
  readonly leaseMs?: number;
}

export interface Connection {
  readonly transport: Transport;
  close(): Promise<void>;
}

/** A broker of one's own, as its keeper sees it. */
export interface RunningBroker {
  readonly url: string;
  /** A PostgreSQL for payments and inbox, if it is one itself; undefined: one is started beside it. */
  readonly booksUrl: string | undefined;
  /** As a crash would: every process of it is killed, nothing is written any more. */
  kill(): Promise<void>;
  /** Again, where it was and with what it had kept. */
  start(): Promise<void>;
  /** Makes what a queue needs, so that none of it is younger than a second when the broker is killed. */
  prepare(queue: Address): Promise<void>;
  /** How many messages a queue holds: waiting, delayed and in somebody's hands. */
  depth(queue: Address): Promise<number>;
  /** Every message in a queue and in the queues around it; of a log, those that nobody is done with. */
  resting(queue: Address): Promise<readonly Resting[]>;
  close(): Promise<void>;
}

/** One message in a queue. */
export interface Resting {
  readonly queue: string;
  readonly message: Message;
}
