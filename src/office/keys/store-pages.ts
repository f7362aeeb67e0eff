import type { BlockedKey, BlockedKeysAdmin } from "../../stores/blocked-keys.ts";
import type { FeedParts } from "./key-feeds.ts";
import { askStore, type SilentSource } from "./look-at-keys.ts";

interface StoreToOpen {
  readonly source: string;
  /** Sources may share a store: each has the keys of its own queues there. */
  readonly queues: ReadonlySet<string>;
  /** It stopped answering after its first page. */
  readonly cut: (source: SilentSource) => void;
}

export type OpenedStore =
  | { readonly source: string; readonly pages: AsyncIterable<readonly BlockedKey[]> }
  | (SilentSource & { readonly isUnsaid: boolean });

/** Asks the store of a source for the keys behind the last one shown: whether it answers decides how its keys are found. */
export async function openStore(parts: FeedParts, { source, queues, cut }: StoreToOpen): Promise<OpenedStore> {
  const { cursor, atOnce } = parts;
  const ask = (after: number) =>
    askStore(parts, source, (store) => listQueues(store, queues, { after, limit: atOnce }));
  const first = await ask(new Map(cursor.numbers).get(source) ?? 0);
  if ("why" in first) return first;

  async function* pages(page: readonly BlockedKey[]): AsyncGenerator<readonly BlockedKey[], void> {
    yield page;
    const last = page.length < atOnce ? undefined : page.at(-1);
    if (last === undefined) return;
    const answer = await ask(last.number);
    if ("told" in answer) yield* pages(answer.told);
    else cut(answer);
  }

  return { source, pages: pages(first.told) };
}

/** More queues than this are not asked for one by one. */
const oneByOne = 10;

/** Keys of all queues that are asked for at once, to find those of some. */
const readAtOnce = 1_000;

/** By number: all queues of a store share one sequence. */
async function listQueues(
  store: BlockedKeysAdmin,
  queues: ReadonlySet<string>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly BlockedKey[]> {
  if (queues.size <= oneByOne) {
    const found = await Promise.all([...queues].map((queue) => store.list(queue, { limit, after })));
    return found
      .flat()
      .toSorted((one, other) => one.number - other.number)
      .slice(0, limit);
  }
  const found: BlockedKey[] = [];
  let from: number | undefined = after;
  while (from !== undefined && found.length < limit) {
    const page: readonly BlockedKey[] = await store.list(null, { limit: readAtOnce, after: from });
    found.push(...page.filter(({ queue }) => queues.has(queue)));
    from = page.length < readAtOnce ? undefined : page.at(-1)?.number;
  }
  return found.slice(0, limit);
}
