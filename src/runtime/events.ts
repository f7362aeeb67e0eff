import type { Cancel } from "../domain/clock.ts";
import type { FailureKind } from "../domain/handler-errors.ts";
import type { Address, Message } from "../domain/message.ts";
import { join, tell } from "../domain/observers.ts";
import type { HandledSchema, ProbeAnswer } from "../domain/report.ts";
import type { DeadLetterReason } from "../domain/wire.ts";
import type { Incident } from "../transports/transport.ts";

/** What every event about a message says. */
interface AboutMessage {
  readonly message: Message;
  /** Counts from 1: the attempt that was made, or would have been. For what was put back, attempts charged so far. */
  readonly attempt: number;
}

/** A failure in the words of the failure itself. */
export interface FailureSummary {
  readonly kind: FailureKind;
  readonly errorClass: string;
  readonly errorMessage: string;
}

/** What a consumer tells its observers, and the only way it tells anything. */
export type ConsumerEvent = EventBody & {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly queue: string;
  readonly handler: string;
};

export type EventBody =
  | ({ readonly type: "attempt-started"; readonly suspect: boolean } & AboutMessage)
  | ({ readonly type: "attempt-succeeded"; readonly durationMs: number } & AboutMessage)
  | ({ readonly type: "attempt-failed"; readonly durationMs: number; readonly error: unknown } & FailureSummary &
      AboutMessage)
  /** A handler that was given up on (time limit, lost lease, stop) came to its end after all; it changes nothing. */
  | ({ readonly type: "handler-late"; readonly error?: unknown } & AboutMessage)
  | ({ readonly type: "retried"; readonly delayMs: number; readonly because: RetryCause } & AboutMessage)
  /** Decided, and now to be written; an "incident" says so if that fails, and it is decided again later. */
  | ({
      readonly type: "dead-lettered";
      readonly reason: DeadLetterReason;
      readonly category: string;
      readonly to: Address;
    } & AboutMessage)
  /** Raised beside "dead-lettered" for poison: somebody should look. */
  | ({ readonly type: "quarantined"; readonly reason: DeadLetterReason; readonly why: string } & AboutMessage)
  /** Set aside by its handler, or to keep the order of its key: behind one that waits for a retry or is dead. */
  | ({ readonly type: "parked"; readonly because: "handler" | "order"; readonly to: Address } & AboutMessage)
  /** In an ordered consumer: the later messages of its key are parked from now on. */
  | ({ readonly type: "key-blocked"; readonly fate: "waiting" | "dead"; readonly number: number } & AboutMessage)
  /** A message that was parked to keep order is in its queue again. */
  | ({ readonly type: "released"; readonly number: number } & AboutMessage)
  /** A release message was read, and what came of it; "gone": the key had no such number any more. */
  | {
      readonly type: "key-released";
      readonly key: Uint8Array;
      readonly number: number;
      readonly outcome: "released" | "gone";
    }
  /** In an ordered consumer: a second copy of what was done with under its number, left by a crash. */
  | ({ readonly type: "copy-dropped" } & AboutMessage)
  /** The store of blocked keys could not be asked, so nothing ran: the message waits, at no cost. */
  | ({ readonly type: "order-unavailable"; readonly error: unknown; readonly retryInMs: number } & AboutMessage)
  | ({
      readonly type: "duplicate";
      readonly key: string;
      readonly treatment: "ignore" | "merge" | "fail";
    } & AboutMessage)
  /** The consumer has an inbox, and this message no key: it is processed, but a duplicate of it would be too. */
  | ({ readonly type: "key-missing" } & AboutMessage)
  /** The inbox could not be asked, so nothing ran: the message waits, at no cost. */
  | ({ readonly type: "inbox-unavailable"; readonly error: unknown; readonly retryInMs: number } & AboutMessage)
  | ({ readonly type: "lease-lost" } & AboutMessage)
  /** Many different messages fail alike: the handler is the problem, not the messages. */
  | {
      readonly type: "handler-failing";
      readonly signature: string;
      readonly messages: number;
      readonly errorClass: string;
    }
  | { readonly type: "breaker-changed"; readonly breaker: string; readonly phase: "closed" | "open" | "half-open" }
  | { readonly type: "paused"; readonly breaker: string; readonly retryInMs: number }
  | { readonly type: "resumed" }
  | { readonly type: "incident"; readonly incident: Incident }
  | ({
      readonly type: "log";
      readonly level: LogLevel;
      readonly text: string;
      readonly fields: Readonly<Record<string, unknown>>;
    } & AboutMessage)
  | { readonly type: "started"; readonly consumer: ConsumerDescription }
  | { readonly type: "stopping"; readonly inHand: number }
  | { readonly type: "stopped"; readonly abandoned: number };

/** What a consumer says of itself when it starts. */
export interface ConsumerDescription {
  readonly service: string;
  readonly version: string;
  readonly instance: string;
  readonly schemas: readonly HandledSchema[];
  /** How long its inbox remembers a success, in milliseconds; null without an inbox. */
  readonly inboxWindowMs: number | null;
  /** What its handler writes is committed together with the inbox's memory of it, or not at all. */
  readonly inboxIsTransactional: boolean;
  /** How long a message may be on its way through all its attempts, in milliseconds: waits and time limits at their longest. */
  readonly retryHorizonMs: number;
  /** Where its messages come from. */
  readonly source: Address;
  /** Says whether a message took effect; null where nobody can be asked. */
  readonly probe: ((message: Message) => Promise<ProbeAnswer>) | null;
}

export type RetryCause = "failure" | "retry-later" | "circuit-open" | "inbox-busy" | "stopping" | "unavailable";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** Listens to a consumer. What it throws is swallowed: telemetry never fails a message. */
export interface Observer {
  event?(event: ConsumerEvent): void;
  /** Runs an attempt, for observers that must be around it (a tracer's active span). It must call `run` exactly once. */
  around?(attempt: RunningAttempt, run: () => Promise<void>): Promise<void>;
}

export interface RunningAttempt {
  readonly message: Message;
  /** Counts from 1. */
  readonly attempt: number;
  readonly queue: string;
  readonly handler: string;
}

export class Events {
  readonly #observers: Observer[] = [];
  readonly #stamp: () => { at: number; queue: string; handler: string };

  constructor(stamp: () => { at: number; queue: string; handler: string }) {
    this.#stamp = stamp;
  }

  /** Ask before building an event: with nobody listening none is built. */
  get heard(): boolean {
    return this.#observers.length > 0;
  }

  /** Whether an attempt has to be run inside somebody. */
  get surrounds(): boolean {
    for (const { around } of this.#observers) if (around !== undefined) return true;
    return false;
  }

  observe(observer: Observer): Cancel {
    return join(this.#observers, observer);
  }

  emit(body: EventBody): void {
    if (this.heard) tell<ConsumerEvent>(this.#observers, { ...this.#stamp(), ...body });
  }

  /** Runs an attempt inside every observer that wants to be around it. */
  around({ message, attempt }: AboutMessage, run: () => Promise<void>): Promise<void> {
    const about = { message, attempt, ...this.#stamp() };
    return this.#observers.reduceRight<() => Promise<void>>(
      (next, observer) => (observer.around ? () => surround(observer, about, next) : next),
      run,
    )();
  }
}

/** An observer that fails before it runs the attempt must not keep it from running, nor hold up its end. */
async function surround(observer: Observer, attempt: RunningAttempt, next: () => Promise<void>): Promise<void> {
  let ran: Promise<void> | undefined;
  const once = () => {
    ran ??= next();
    // The observer may never look at it: a failed attempt is no unhandled rejection.
    ran.catch(() => {});
    return ran;
  };
  try {
    const around = Promise.resolve(observer.around?.(attempt, once));
    around.catch(() => {});
    if (ran === undefined) await around;
  } catch {
    // Whatever it throws, the attempt's own result is what counts.
  }
  return once();
}
