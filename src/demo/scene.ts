import type { BreakerPhase } from "../policies/circuit-breaker.ts";
import type { PaymentsMood } from "./payments.ts";
import type { Line } from "./sentences.ts";

/** Everything there is to see at one moment, as plain data. Times are milliseconds, ages count back from now. */
export interface Scene {
  /** Since the story began. */
  readonly atMs: number;
  readonly act: ActNow;
  readonly checkout: { readonly perSecond: number; readonly sent: number };
  readonly queue: { readonly name: string; readonly ready: number };
  readonly handlers: { readonly of: number; readonly paused: boolean; readonly running: readonly RunningNow[] };
  /** `answers`: whether the latest calls were answered, newest last. */
  readonly payments: { readonly mood: PaymentsMood; readonly charged: number; readonly answers: readonly boolean[] };
  /** The next one first. */
  readonly waiting: readonly WaitingNow[];
  /** Newest last. */
  readonly deadLetters: readonly LetterNow[];
  readonly quarantine: readonly LetterNow[];
  readonly duplicates: number;
  readonly breaker: BreakerNow;
  readonly budget: { readonly left: number; readonly of: number };
  /** One entry for each second of the story, the running one last. */
  readonly seconds: readonly { readonly succeeded: number; readonly retried: number; readonly dead: number }[];
  /** Newest last. */
  readonly lines: readonly Line[];
  /** How long ago something last went that way. */
  readonly flows: Readonly<Record<Flow, number>>;
}

/** "sent": into the queue; "taken": to a handler; "retried", "dead": away from it; "returned": after its wait. */
export type Flow = "sent" | "taken" | "retried" | "dead" | "returned";

export interface ActNow {
  /** Counts from 1. */
  readonly number: number;
  readonly of: number;
  readonly title: string;
  readonly caption: string;
}

export interface RunningNow {
  /** Which of the handlers, from 0. */
  readonly slot: number;
  readonly order: number;
  readonly attempt: number;
  readonly forMs: number;
}

export interface WaitingNow {
  readonly order: number;
  /** The attempt it waits for. */
  readonly attempt: number;
  readonly dueInMs: number;
  readonly delayMs: number;
}

export interface LetterNow {
  readonly order: number;
  readonly reason: string;
}

export interface BreakerNow {
  readonly phase: BreakerPhase;
  /** Until a probe is let through; 0 unless it is open. */
  readonly probeInMs: number;
  readonly recoveryMs: number;
  readonly probesSucceeded: number;
  readonly probesNeeded: number;
  /** Share of calls that failed lately, and the share that opens it, 0 to 1. */
  readonly failedShare: number;
  readonly opensAtShare: number;
}
