import { placesOfDeadLetters } from "../../ledger/find-sequence-places.ts";
import { queuesOfSources } from "../../ledger/queues-of-sources.ts";
import type { BlockedKeysSummary } from "../../stores/blocked-keys.ts";
import type { KeptKeySums } from "./key-sums.ts";
import type { KeyParts } from "./look-at-keys.ts";

export interface CountedKeys extends BlockedKeysSummary {
  readonly source: string;
}

export interface KeyCounts {
  readonly counts: readonly CountedKeys[];
  /** Sources whose stores did not answer, or are not named though letters of theirs have places in sequences. */
  readonly silent: readonly string[];
}

/** A source that keeps order has such a letter among its oldest. Of one that has keys and no order, no more are read each time. */
const lookedThrough = 200;

/** How many keys wait, by source, queue and what the first message of each is at. */
export async function countKeys({
  ledger,
  sourceNames,
  blockedKeysOf,
  keySums,
}: KeyParts & { readonly keySums: KeptKeySums }): Promise<KeyCounts> {
  const queues = await queuesOfSources(ledger, { source: null, queue: null });
  const counts: CountedKeys[] = [];
  const silent: string[] = [];
  const hasOrder = async (source: string) => {
    const search = { sources: [source], queue: null, atMost: lookedThrough };
    return (await placesOfDeadLetters(ledger, search)).places.length > 0;
  };
  const count = async (source: string) => {
    const own = queues.get(source);
    const sums = await keySums(source, () => blockedKeysOf(source));
    if (typeof sums !== "string")
      counts.push(...sums.flatMap((each) => (own?.has(each.queue) === true ? [{ ...each, source }] : [])));
    else if (sums === "silent" || (await hasOrder(source))) silent.push(source);
  };
  await Promise.all(sourceNames().map(count));
  return { counts, silent: silent.toSorted() };
}
