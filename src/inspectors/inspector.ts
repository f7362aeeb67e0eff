import type { Remedies } from "../wiring/finding.ts";
import type { Routes, Wiring } from "../wiring/wiring.ts";

/** A source with its references resolved. It holds passwords: nothing of it may be printed. */
export interface Place {
  readonly url: string;
  readonly management?: string;
  readonly schema?: string;
  readonly prefix?: string;
}

export interface Patience {
  /** Aborts when the time is over, or somebody pressed Ctrl-C. Everything under way ends then. */
  readonly signal: AbortSignal;
  /** The time there is, in milliseconds, for clients that want a number. */
  readonly limitMs: number;
}

/** What was seen, and what to do about whatever is wrong with it, in this broker's commands and settings. */
export interface Inspection {
  readonly wiring: Wiring;
  readonly remedies: Remedies;
  /** Only of a broker that routes. @default there is nothing to follow */
  readonly routes?: Routes;
}

/**
 * Looks at a broker and changes nothing in it: no message is taken, no counter moves, nothing is made. Whatever it cannot
 * see it says in the wiring's `gaps`; only where nothing at all can be seen it refuses, with TRANSPORT_UNAVAILABLE or
 * ACCESS_REFUSED.
 */
export type Inspect = (place: Place, patience: Patience) => Promise<Inspection>;
