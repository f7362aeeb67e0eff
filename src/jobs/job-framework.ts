import type { Message } from "../domain/message.ts";

/** One failure of one job. It is over as soon as the job is moved, by whomever, or fails again. */
export interface JobFailure {
  /** Where its framework lists it among the failed. */
  readonly queue: string;
  readonly id: string;
  /** As exact as its store has it, in the framework's own words. */
  readonly failedAt: string;
}

/** One that is put back before the store's clock shows that many milliseconds, or never. */
export interface TimedFailure extends JobFailure {
  readonly beforeMs: number;
}

/** A failed job as its store keeps it: what it was given is the body, its fields or columns are the properties. */
export interface FailedJob extends JobFailure {
  /** The number by which its store lists it, as text. @default failedAt, which is a number then */
  readonly listedAt?: string;
  /** Null: the store lists it and has nothing else of it left. */
  readonly message: Message | null;
}

/**
 * "failed": that failure stands. "pending": the job waits or runs. "over": it is done, gone, or failed another time. "moved": one
 * of these two, and its framework does not say of a single job which.
 */
export type JobStanding = "failed" | "pending" | "over" | "moved";

/** What putting a job back comes to, as far as the job itself tells. */
export type JobOutlook =
  /** How often it is run before it is among the failed again; null: once, or more often where its workers retry it. */
  | { readonly kind: "runs"; readonly runs: number | null }
  | { readonly kind: "refused"; readonly why: string; readonly change: string };

export type PutBack =
  | "done"
  /** That failure does not stand any more: nothing was changed. */
  | "moved"
  /** The time it had was over: nothing was changed. */
  | "late"
  /** It cannot be done safely: nothing was changed. */
  | { readonly why: string; readonly change: string };

export interface JobQueue {
  readonly name: string;
  readonly failed: number;
  /** Jobs that wait or run. */
  readonly pending: number;
}

/**
 * The failed jobs of a framework: read where they are, and put back by one step that compares and moves. Nothing else in its
 * store is ever changed, and nothing of ours is written there.
 */
export interface JobFramework {
  /** What the numbers by which its store lists failures grow by in a second. */
  readonly unitsPerSecond: number;
  /** How long before the newest a failure may be listed that is newer than it, in seconds. @default 300: clocks of workers differ */
  readonly lateS?: number | undefined;
  /** Milliseconds since 1970, by the store's own clock. */
  now(): Promise<number>;
  /** Of the store and the framework, as far as they say: for people. */
  product(): Promise<string>;
  queues(): Promise<readonly JobQueue[]>;
  /** A queue where failed jobs are listed, or one that jobs are put back to; null: there is no such queue. */
  look(queue: string): Promise<JobQueue | null>;
  /** Those that are listed by that number or a higher one, the lowest first; null: all. */
  list(queue: string, from: string | null, limit: number): Promise<readonly FailedJob[]>;
  /** By the job alone, as it was listed. */
  outlook(message: Message): JobOutlook;
  standings(jobs: readonly JobFailure[]): Promise<readonly JobStanding[]>;
  /** Back to be run, if that failure still stands. Done twice it changes nothing the second time. */
  putBack(job: TimedFailure): Promise<PutBack>;
}

/** Why a job cannot be put back. */
export type PutBackRefusal = Exclude<PutBack, string>;

/** A failure as text, by which it can be found again. */
export function showFailure({ queue, id, failedAt }: JobFailure): string {
  return JSON.stringify([queue, id, failedAt]);
}

/** The failure that a text names; null where it names none. */
export function failureOf(text: string | null): JobFailure | null {
  try {
    const [queue, id, failedAt] = JSON.parse(text ?? "") as readonly unknown[];
    const isOne = typeof queue === "string" && typeof id === "string" && typeof failedAt === "string";
    return isOne ? { queue, id, failedAt } : null;
  } catch {
    return null;
  }
}
