import type { Cancel } from "../domain/clock.ts";
import type { Address, Header, Message } from "../domain/message.ts";
import type { Incident } from "./transport.ts";

/**
 * What is asked of a broker that gives messages to whoever asks for them (tables, Redis, SQS, our own memory).
 * `pullTransport` makes a whole `Transport` of it: the loop, prefetch, order of settling, repeats and stopping are there
 * once, for all of them.
 *
 * Every method may reject with an answer that is unknown (connection cut after the broker did it). All but `send` may
 * therefore be repeated with the same receipt: the second time finds nothing to do.
 */
export interface PullLink<Receipt> {
  /** Resolves when the message is durable. `onward` as in `SendOptions`. */
  send(to: Address, message: Message, delayMs: number, onward?: boolean): Promise<void>;

  /** Takes up to `max` messages that are due, each kept for the caller for `leaseMs`. Empty when nothing is due. */
  take(from: Address, max: number, options: TakeOptions): Promise<readonly Taken<Receipt>[]>;

  /** Deletes what these receipts stand for; receipts whose lease was lost are passed over. */
  acknowledge(receipts: readonly Receipt[]): Promise<void>;

  /** Puts `message` in the place of the one taken, due after `delayMs`. False: the lease was lost, nothing changed. */
  replace(receipt: Receipt, message: Message, delayMs: number): Promise<boolean>;

  /** Sends `message` to `to` and deletes the one taken, in one step. False: the lease was lost, nothing changed. */
  move?(receipt: Receipt, to: Address, message: Message): Promise<boolean>;

  /** Gives back messages no handler saw: due now, neither counted nor marked as redelivered. Lost leases are passed over. */
  giveBack(receipts: readonly Receipt[]): Promise<void>;

  /**
   * Makes these the message's headers for good, while it stays taken. False: the lease was lost. "resent": a message cannot
   * be changed there, so it was sent again with them, and the one taken is deleted.
   */
  charge(receipt: Receipt, headers: readonly Header[]): Promise<boolean | "resent">;

  /** Keeps it for another `ms` from now. False: the lease was lost. */
  extend(receipt: Receipt, ms: number): Promise<boolean>;

  /** Calls `wake` when there may be something to take. Only a hint: asking again after a while must suffice. */
  watch?(from: Address, wake: () => void): Promise<Cancel>;

  /** As `Transport.depth`. */
  depth?(of: Address): Promise<number>;

  close(): Promise<void>;
}

export interface TakeOptions {
  readonly leaseMs: number;
  /** "key": at most one message of a key is out at a time, always the earliest, also if that one is not due yet. */
  readonly order: "none" | "key";
  /** Aborts when nobody wants the answer any more. @default it never does */
  readonly signal?: AbortSignal;
  /** Called with what goes wrong with messages of this queue that nobody has in hand. @default nobody hears of it */
  readonly report?: (incident: Incident) => void;
}

export interface Taken<Receipt> {
  /** Stands for this one hand-over: a later one of the same message has another, and this one is then worth nothing. */
  readonly receipt: Receipt;
  readonly message: Message;
  readonly position: string | null;
  readonly redelivered: boolean;
  readonly deliveryCount: number | null;
  /** As in `Delivery`. */
  readonly unreadable?: Error;
}
