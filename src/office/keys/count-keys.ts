import { isInScope } from "../../domain/actor.ts";
import type { BlockedKeysSummary } from "../../stores/blocked-keys.ts";
import { askStore, type KeyParts } from "./look-at-keys.ts";

export interface CountedKeys extends BlockedKeysSummary {
  readonly source: string;
}

export interface KeyCounts {
  readonly counts: readonly CountedKeys[];
  /** Sources whose stores did not answer. One whose store nobody named is none of them. */
  readonly silent: readonly string[];
}

/** How many keys wait, by source, queue and what the first message of each is at. */
export async function countKeys(parts: KeyParts): Promise<KeyCounts> {
  const counts: CountedKeys[] = [];
  const silent: string[] = [];
  const count = async (source: string) => {
    const answer = await askStore(parts, source, (store) => store.summarize());
    if ("told" in answer) counts.push(...answer.told.map((each) => ({ ...each, source })));
    else if (!answer.isUnsaid) silent.push(source);
  };
  await Promise.all(parts.sourceNames().map(count));
  const { scope } = parts.ledger;
  return { counts: counts.filter(({ source, queue }) => isInScope(scope, source, queue)), silent: silent.toSorted() };
}
