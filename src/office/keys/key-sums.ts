import { type Clock, within } from "../../domain/clock.ts";
import type { BlockedKeysAdmin, BlockedKeysSummary } from "../../stores/blocked-keys.ts";

/** What the store of a source says of its blocked keys in sum. "silent": it does not answer. "unsaid": no one said where it is. */
export type KeySums = readonly BlockedKeysSummary[] | "silent" | "unsaid";

/** Gives the sums of a source as they were a short while ago. */
export type KeptKeySums = (source: string, open: () => Promise<BlockedKeysAdmin | null>) => Promise<KeySums>;

interface Kept {
  sums: KeySums;
  /** When it was heard, in milliseconds since 1970. */
  heardAt: number;
  asking: Promise<void> | null;
}

/** A store counts all that waits, so it isn't asked again before this, however many monitors there are. */
const freshMs = 15_000;
/** Whoever wants to know waits no longer than this for a store: a monitor has a time limit for all of its sources. */
const waitMs = 500;
/** What a store said before it fell silent is not given after this. */
const knownMs = 60_000;

/** Asks each store once at a time, though it should take longer than anyone waits. */
export function keySums(clock: Clock): KeptKeySums {
  const sources = new Map<string, Kept>();

  async function ask(kept: Kept, open: () => Promise<BlockedKeysAdmin | null>): Promise<void> {
    try {
      const store = await open();
      kept.sums = store === null ? "unsaid" : await store.summarize();
    } catch {
      kept.sums = "silent";
    }
    kept.heardAt = clock.now();
    kept.asking = null;
  }

  return async (source, open) => {
    const kept = sources.get(source) ?? { sums: "silent", heardAt: Number.NEGATIVE_INFINITY, asking: null };
    sources.set(source, kept);
    if (clock.now() - kept.heardAt < freshMs) return kept.sums;
    kept.asking ??= ask(kept, open);
    await within(clock, waitMs, kept.asking, () => {});
    return clock.now() - kept.heardAt < knownMs ? kept.sums : "silent";
  };
}
