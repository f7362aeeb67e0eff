import type { Host } from "../domain/clock.ts";
import type { FailureKind } from "../domain/handler-errors.ts";
import type { Address, Message } from "../domain/message.ts";
import type { HandledSchema, ProbeAnswer } from "../domain/report.ts";
import type { Backoff, BackoffOptions } from "../policies/backoff.ts";
import type { BudgetOptions } from "../policies/budget.ts";
import type { FailureFacts } from "../policies/failure.ts";
import type { PoisonOptions } from "../policies/poison.ts";
import type { StormOptions } from "../policies/storm.ts";
import type { BlockedKeys } from "../stores/blocked-keys.ts";
import type { Inbox } from "../stores/inbox.ts";
import type { Transport } from "../transports/transport.ts";
import type { Handler } from "./attempt.ts";
import type { Breaker, BreakerOptions } from "./breaker.ts";
import type { Decoding, StandardSchema } from "./decode.ts";
import type { Observer } from "./events.ts";

/** A consumer: where messages come from, what is done with them, and what is done when that fails. */
export interface ConsumerOptions<Payload = unknown, Tx = undefined> {
  readonly transport: Transport;
  /** Where messages come from: a queue's name, or a log and the group that reads it. */
  readonly queue: string | Address;
  /** Returning acknowledges, throwing fails the attempt. */
  readonly handler: Handler<Payload, Tx>;
  /** What the handler is called in events, dead letters and the inbox. @default the queue's name */
  readonly name?: string;
  /** The service this consumer is part of, as dead letters name it. @default "" */
  readonly service?: string;
  /** The handler's version, as dead letters name it. @default "" */
  readonly version?: string;
  /** This process among its equals. @default a new id */
  readonly instance?: string;
  /** How a body becomes a payload. @default "json" */
  readonly decode?: Decoding;
  /** What a payload must be: any Standard Schema (zod, valibot, arktype …). @default none: the payload is as decoded */
  readonly schema?: StandardSchema<Payload>;
  /**
   * The message schemas this handler understands, for the office: a letter that an older version could not read may be
   * replayed once a consumer that handles its version is at work. @default []
   */
  readonly handles?: readonly HandledSchema[];
  /**
   * Tells the office whether a message that failed took effect all the same, so that nobody has to answer for it before it is
   * replayed. It must change nothing. Asked through `officeReports`, on the queue `<queue>.probes`. @default none: people are asked
   */
  readonly probe?: EffectProbe<Payload>;
  /** Handlers at work at once, in this process. @default 10 */
  readonly concurrency?: number;
  /** Messages taken from the broker and not settled, at most. Too low starves handlers. @default twice `concurrency` */
  readonly prefetch?: number;
  /**
   * "key": messages of a key one at a time, in order, also over retries and dead letters: later ones are parked behind one
   * that is dead. Needs a transport that keeps order, and `blockedKeys`. @default "none"
   */
  readonly order?: "none" | "key";
  /** Which keys wait, for `order: "key"`: one store for all consumers of a queue. @default none */
  readonly blockedKeys?: BlockedKeys;
  /** How long one attempt may take, in milliseconds; then its signal aborts and the attempt has failed. @default 30_000 */
  readonly timeLimitMs?: number;
  /** How long the broker keeps a message for a process that shows no sign of life, in milliseconds. @default 60_000 */
  readonly leaseMs?: number;
  /** How long `stop()` waits for handlers at work, in milliseconds; then they are given up. @default 30_000 */
  readonly drainMs?: number;
  /**
   * Something in hand and nothing finished for this long is "stalled", in milliseconds. @default three time limits, at
   * least 120_000
   */
  readonly stalledAfterMs?: number;
  /** How often, how far apart and how many retries there may be. @default 5 attempts, exponential, within a budget */
  readonly retry?: RetryOptions;
  /**
   * The breaker around the handler: options for one of its own, one shared by several consumers, or false for none.
   * @default one of its own: 5 failures in a row open it for 30 s
   */
  readonly breaker?: BreakerOptions | Breaker | false;
  /** Breakers of what the handler depends on: while one is open, no new message is begun. @default [] */
  readonly dependencies?: readonly Breaker[];
  /**
   * What an open breaker means: stop consuming, put each message back for later, or dead-letter it as `circuit_open`.
   * @default "pause"
   */
  readonly whenOpen?: "pause" | "delay" | "dead-letter";
  /** When a message itself is taken for the problem. @default 3 equal failures, 3 crashes */
  readonly poison?: PoisonOptions;
  /** When many messages failing alike are called a handler's problem. */
  readonly storm?: StormOptions;
  /** Makes duplicates harmless. @default none: a message delivered twice is processed twice */
  readonly inbox?: InboxOptions<Payload, Tx>;
  /** Where dead letters go, and what happens if they cannot. @default `<queue>.dlq`, tried again after 5 s */
  readonly deadLetter?: DeadLetterOptions;
  /** Your own word on what kind a failure is; undefined leaves it to the tables. */
  readonly classify?: (error: unknown, facts: FailureFacts) => FailureKind | undefined;
  /** Who is told what happens, from the first event on. @default [] */
  readonly observers?: readonly Observer[];
  /** Clock, dice and ids: given by tests and simulations. @default the system's */
  readonly host?: Host;
}

/** "done": it took effect. "none": it did not. Whatever else it gives or throws, somebody is asked. */
export type EffectProbe<Payload = unknown> = (asked: ProbedMessage<Payload>) => ProbeAnswer | Promise<ProbeAnswer>;

export interface ProbedMessage<Payload = unknown> {
  /** As the handler got it. */
  readonly payload: Payload;
  readonly message: Message;
}

export interface RetryOptions {
  /** Attempts a message gets, the first included. 1 means no retry. @default 5 */
  readonly maxAttempts?: number;
  /** How long to wait between attempts. @default exponential from 1 s to 60 s with full jitter */
  readonly backoff?: BackoffOptions | Backoff;
  /** Share of requests that may be retries; false means as many as there are. @default 10 % and 10 a second */
  readonly budget?: BudgetOptions | false;
}

export interface InboxOptions<Payload = unknown, Tx = undefined> {
  readonly store: Inbox<Tx>;
  /** How long a success is remembered, in milliseconds. Must outlast the latest duplicate, replays included. @default 7 days */
  readonly windowMs?: number;
  /** What a duplicate means: nothing (acknowledged), a merge by this function, or a dead letter. @default "ignore" */
  readonly onDuplicate?: "ignore" | "fail" | { readonly merge: Handler<Payload, Tx> };
  /** The idempotency key. @default `dlo-key`, else `idempotency-key`, else the property `message-id` */
  readonly key?: (message: Message) => string | undefined;
}

export interface DeadLetterOptions {
  /** Where dead letters go: a queue for this one, or a rule from queue to queue. @default `<queue>.dlq` */
  readonly queue?: string | ((queue: string) => string);
  /** How long a message waits whose dead letter could not be written, in milliseconds. @default 5_000 */
  readonly returnDelayMs?: number;
}

const dayMs = 86_400_000;

export const consumerDefaults = {
  decode: "json",
  concurrency: 10,
  order: "none",
  timeLimitMs: 30_000,
  leaseMs: 60_000,
  drainMs: 30_000,
  stalledAfterMs: 120_000,
  whenOpen: "pause",
  maxAttempts: 5,
  inboxWindowMs: 7 * dayMs,
  returnDelayMs: 5_000,
} as const;
