import type { Delivery, Message } from "../domain/message.ts";
import { type AttemptLog, unfinishedAttempt } from "./attempt-log.ts";
import type { LogLevel } from "./events.ts";

/** What a handler gets. Returning acknowledges the message, throwing fails the attempt. */
export interface HandlerContext<Payload = unknown, Tx = undefined> {
  /** What the message says, decoded and validated. */
  readonly payload: Payload;
  /** What the broker carried, untouched. */
  readonly message: Message;
  /** Counts from 1, across retries, instances and restarts. */
  readonly attempt: number;
  /** Aborts when the time limit is reached, the lease is lost or the consumer stops: whoever waits should stop waiting. */
  readonly signal: AbortSignal;
  /** Lines about this message, told to the consumer's observers. */
  readonly log: Log;
  /** The inbox's own transaction, where it has one: what is written in it counts if and only if this attempt succeeds. */
  readonly tx: Tx;
}

export type Handler<Payload = unknown, Tx = undefined> = (context: HandlerContext<Payload, Tx>) => Promise<void>;

export type Log = Readonly<Record<LogLevel, (text: string, fields?: Readonly<Record<string, unknown>>) => void>>;

/** Why an attempt was given up while its handler may still be running. */
export class TimeLimitExceeded extends Error {
  override readonly name = "TimeLimitExceeded";
}

/** The message went to another consumer meanwhile; whatever the handler did, its verdict is worth nothing. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

export class ConsumerStopped extends Error {
  override readonly name = "ConsumerStopped";
}

/** Nothing may be said about the delivery: it is not ours any more, or was let go. Its cause is why. */
export class NobodyKnows extends Error {
  constructor(cause: unknown) {
    super("The delivery was lost.", { cause });
  }
}

/** What an attempt tells its consumer. One object serves all attempts: nothing is made per message that is not used. */
export interface AttemptHost<Payload, Tx> {
  log(attempt: Attempt<Payload, Tx>, level: LogLevel, text: string, fields: Readonly<Record<string, unknown>>): void;
  late(attempt: Attempt<Payload, Tx>, error?: unknown): void;
}

/** One delivery on its way through the consumer. */
export class Attempt<Payload, Tx> {
  readonly delivery: Delivery;
  readonly message: Message;
  /** The past, as of the last charge. */
  past: AttemptLog;
  /** Counts from 1. */
  readonly attempt: number;
  // Set before the handler runs: a decoded payload, a key and a transaction do not exist earlier.
  payload = undefined as Payload;
  tx = undefined as Tx;
  key: string | undefined = undefined;

  /** Where it runs, once it has its turn: decoding, asking the inbox and the handler count from there. */
  place: "none" | "together" | "alone" = "none";
  /** Its place among those in hand; -1 while it is not one of them. */
  slot = -1;
  /** The handler was called: from here on the attempt counts. */
  begun = false;
  /** The handler came to its end and did not fail. */
  performed = false;
  /** What the breaker admitted it under; 0 while it was not asked, said no, or was told the result. */
  token = 0;
  /** Milliseconds since 1970; 0 while nobody needs to know. */
  startedAt = 0;
  /** When the handler is given up, and when the delivery is let go whatever hangs; 0 while that is not known. */
  deadlineAt = 0;
  lastAt = 0;
  /** When the lease is due to be extended, 0 while that is not known; and whether that is being asked for. */
  extendAt = 0;
  extending = false;
  /** Keeps what else must be kept alive with the delivery: an inbox's turn. */
  keepTurn: ((ms: number) => Promise<boolean>) | undefined = undefined;

  readonly #host: AttemptHost<Payload, Tx>;
  #controller: AbortController | undefined = undefined;
  #gaveUp: Error | undefined = undefined;
  #reject: ((reason: Error) => void) | undefined = undefined;
  #rejectAll: ((reason: NobodyKnows) => void) | undefined = undefined;
  #log: Log | undefined = undefined;

  constructor(delivery: Delivery, past: AttemptLog, host: AttemptHost<Payload, Tx>) {
    this.delivery = delivery;
    this.message = delivery.message;
    this.past = past;
    // An attempt that was charged and sent again, but never begun, is still to be made; it is not charged twice.
    const charged = !delivery.redelivered && unfinishedAttempt(past) !== undefined;
    this.attempt = charged ? past.attempt : past.attempt + 1;
    this.#host = host;
  }

  /** Its charge is with the broker, whoever made it. */
  get charged(): boolean {
    return unfinishedAttempt(this.past)?.n === this.attempt;
  }

  get gaveUp(): Error | undefined {
    return this.#gaveUp;
  }

  /**
   * Stops waiting for the handler. A handler deaf to its signal runs on; whatever it comes to is told as "late" and
   * changes nothing.
   */
  giveUp(reason: Error): void {
    if (this.#gaveUp) return;
    this.#gaveUp = reason;
    this.#controller?.abort(reason);
    this.#reject?.(reason);
  }

  /** Ends it without a verdict, whatever it is that hangs. */
  letGo(reason: Error): void {
    this.giveUp(reason);
    this.#rejectAll?.(new NobodyKnows(reason));
  }

  /** What `work` comes to, or that the delivery was let go, whichever is first. */
  orLetGo<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#rejectAll = reject;
      work.then(resolve, reject);
    });
  }

  /** Runs the handler until it settles or is given up, whichever is first. */
  run(handler: Handler<Payload, Tx>): Promise<"succeeded"> {
    this.begun = true;
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      const fail = (error: unknown) => (this.#gaveUp ? this.#host.late(this, error) : reject(error));
      try {
        // A handler may be a plain function in spite of its type: what it returns is waited for either way.
        Promise.resolve(handler(new Context(this))).then(() => {
          if (this.#gaveUp) return this.#host.late(this);
          this.performed = true;
          resolve("succeeded");
        }, fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Made when first read, as the log is: most handlers never look. */
  signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#gaveUp) this.#controller.abort(this.#gaveUp);
    return this.#controller.signal;
  }

  log(): Log {
    const line =
      (level: LogLevel) =>
      (text: string, fields: Readonly<Record<string, unknown>> = {}) =>
        this.#host.log(this, level, text, fields);
    this.#log ??= { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") };
    return this.#log;
  }
}

/**
 * What a handler is given. Signal and log are properties of its own, so that `{...context}` has them too, but with getters
 * that all contexts share: getters of its own would give each a shape of its own, and V8 keeps shapes, and with them the
 * message, until its next major collection.
 */
class Context<Payload, Tx> implements HandlerContext<Payload, Tx> {
  static readonly #signal: PropertyDescriptor = {
    enumerable: true,
    get(this: Context<unknown, unknown>) {
      return this.#attempt.signal();
    },
  };
  static readonly #log: PropertyDescriptor = {
    enumerable: true,
    get(this: Context<unknown, unknown>) {
      return this.#attempt.log();
    },
  };

  readonly payload: Payload;
  readonly message: Message;
  readonly attempt: number;
  readonly tx: Tx;
  declare readonly signal: AbortSignal;
  declare readonly log: Log;
  readonly #attempt: Attempt<Payload, Tx>;

  constructor(attempt: Attempt<Payload, Tx>) {
    this.payload = attempt.payload;
    this.message = attempt.message;
    this.attempt = attempt.attempt;
    this.tx = attempt.tx;
    this.#attempt = attempt;
    Object.defineProperty(this, "signal", Context.#signal);
    Object.defineProperty(this, "log", Context.#log);
  }
}
