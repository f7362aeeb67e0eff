/**
 * Small documents that several processes read and change: the state of breakers, mostly. Each keeper passes
 * `sharedStateContract` (testing). Losing it degrades, never stops, a consumer: callers go on with what they know.
 */
export interface SharedState {
  /** The document, its version, and the time by the store's own clock. */
  read(name: string): Promise<SharedDocument>;
  /** Replaces the document if it still has `version` (null: if there is none yet). False: somebody was faster. */
  replace(name: string, version: number | null, value: unknown): Promise<boolean>;
}

export interface SharedDocument {
  /** Undefined, with version null, while nobody wrote it. */
  readonly value: unknown;
  readonly version: number | null;
  /** Milliseconds since 1970 by the store's clock: leases in the document go by it, not by a process's own. */
  readonly now: number;
}
