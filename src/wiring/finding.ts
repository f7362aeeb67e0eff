import type { WiredQueue, Wiring } from "./wiring.ts";

/** "error": messages are being lost, or will be. "warning": they are in circumstances that are not rare. "note": good to know. */
export type Severity = "error" | "warning" | "note";

export const severities: readonly Severity[] = ["error", "warning", "note"];

/** What doctor can find. A public name: scripts go by it. */
export type FindingCode =
  | "broker.evicts"
  | "broker.forgets"
  | "broker.flushes_late"
  | "dead_letters.target_missing"
  | "dead_letters.cycle"
  | "dead_letters.retry_loop"
  | "dead_letters.unsure"
  | "destination.next_death_lost"
  | "delivery_limit.drops"
  | "delivery_limit.unheard"
  | "delivery_limit.default"
  | "delivery_limit.low"
  | "letters.compacted"
  | "letters.expiring"
  | "letters.retention"
  | "letters.queue_expires"
  | "letters.overflow"
  | "naming.unlike"
  | "queue.no_dead_letters"
  | "queue.trimmed"
  | "rights.missing"
  | "rights.needless";

/** What a check found, before anybody says what to do about it. */
export interface Found {
  /** Null: the source as a whole. */
  readonly queue: WiredQueue | null;
  readonly sentence: string;
  /** Where the check knows better than the table of remedies. */
  readonly remedy?: string;
}

export interface Finding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly queue: string | null;
  readonly sentence: string;
  /** A command or setting to paste, or what to do where there is none. */
  readonly remedy: string;
}

/** One thing to look for, on any broker. */
export interface Check {
  readonly code: FindingCode;
  readonly severity: Severity;
  /** What it means, for the reference. */
  readonly about: string;
  /** What to do about it where the broker's own table has nothing better. */
  readonly remedy: string;
  find(wiring: Wiring): readonly Found[];
}

/** What to do about a finding in a broker's own words. */
export type Remedies = Partial<Readonly<Record<FindingCode, (queue: WiredQueue) => string>>>;
