import { readReleaseClock } from "../../ledger/pending-releases.ts";
import { queuesOfSources } from "../../ledger/queues-of-sources.ts";
import { type FeedParts, type KeyFeed, letterFeed, mergeFeeds, releaseFeed, storeFeed } from "./key-feeds.ts";
import { type KeysCursor, type KeysOf, pageBehind, readCursor, type SilentGroup } from "./keys-cursor.ts";
import { type KeyParts, type KeysLook, notSaid, type SilentSource, withLetters } from "./look-at-keys.ts";
import { openStore } from "./store-pages.ts";

export interface KeysSearch extends KeysOf {
  /** Null: the first page. */
  readonly after: string | null;
  readonly atMost: number;
}

export interface KeysPage extends KeysLook {
  /** Where the next page begins; null: no more keys wait. */
  readonly next: string | null;
}

/** The keys that wait, longest first: as their stores say and, where a store can't be asked, as far as the ledger knows. */
export async function listKeys(parts: KeyParts, search: KeysSearch): Promise<KeysPage> {
  const { atMost, after, ...of } = search;
  const begun = after === null ? firstPage(await readReleaseClock(parts.ledger)) : readCursor(after, of);
  const unheard = new Map<string, SilentSource>();
  const tell = (sources: readonly SilentSource[]) => {
    for (const each of sources) unheard.set(each.source, each);
  };
  let isCut = false;
  const cut = (source: SilentSource) => {
    isCut = true;
    tell([source]);
  };
  const reading = { ...parts, of, cursor: begun, atOnce: Math.max(atMost + 1, readAtLeast) };
  const { feeds, cursor, unasked } = await openFeeds(reading, { cut, tell });
  const merged = await mergeFeeds(feeds, { cursor, atMost });
  const items = await withLetters(parts.ledger, merged.places);
  // A source without ordered consumers has nothing to say of keys, and most sources have none.
  const told = unasked.filter((look) => !look.isUnsaid || items.some((item) => item.source === look.source));
  tell(told.map(({ source, why }) => ({ source, why })));
  // A store that stopped answering may have more: the next page has its letters.
  const hasMore = merged.hasMore || isCut;
  return { items, unchecked: [...unheard.values()], next: hasMore ? pageBehind(merged.cursor, of) : null };
}

/** Fewer places than this are not worth a question of their own: some of them may not be shown. */
const readAtLeast = 100;

function firstPage(begunAt: number): KeysCursor {
  return { begunAt, numbers: [], release: null, silent: [] };
}

type Unasked = SilentSource & { readonly isUnsaid: boolean };

interface OpenedFeeds {
  readonly feeds: readonly KeyFeed[];
  /** Where the page begins, with the sources whose letters are shown. */
  readonly cursor: KeysCursor;
  readonly unasked: readonly Unasked[];
}

/** Stores are asked first: where one does not answer, letters are read. */
async function openFeeds(
  parts: FeedParts,
  { cut, tell }: { readonly cut: (source: SilentSource) => void; readonly tell: (of: readonly SilentSource[]) => void },
): Promise<OpenedFeeds> {
  const { ledger, of, cursor: begun, sourceNames } = parts;
  const queues = await queuesOfSources(ledger, of);
  const sources = (of.source === null ? sourceNames() : [of.source]).filter(
    (name) => ledger.scope.length === 0 || queues.has(name),
  );
  const known = begun.silent.map((group) => ({
    ...group,
    sources: group.sources.filter((name) => sources.includes(name)),
  }));
  const before = known.flatMap(whyOf);
  const asked = sources.filter((name) => before.every(({ source }) => source !== name));
  const stores = await Promise.all(
    asked.map((source) => openStore(parts, { source, queues: queues.get(source) ?? new Set(), cut })),
  );
  const silent = stores.flatMap((store) => ("why" in store ? [store] : []));
  const cursor = { ...begun, silent: [...known, ...groupsOf(silent)] };
  const unasked = [...before, ...silent];
  const here = { ...parts, cursor };
  return {
    feeds: [
      ...stores.flatMap((store) => ("pages" in store ? [storeFeed(here, store.source, store.pages)] : [])),
      releaseFeed(here, new Set(unasked.map(({ source }) => source)), tell),
      ...cursor.silent.map((_, index) => letterFeed(here, index)),
    ],
    cursor,
    unasked,
  };
}

/** Those of one kind begin with their first letter together. */
function groupsOf(silent: readonly Unasked[]): readonly SilentGroup[] {
  return [true, false].flatMap((isUnsaid) => {
    const sources = silent.filter((look) => look.isUnsaid === isUnsaid).map(({ source }) => source);
    return sources.length === 0 ? [] : [{ sources, isUnsaid, last: null }];
  });
}

function whyOf({ sources, isUnsaid }: SilentGroup): readonly Unasked[] {
  const why = isUnsaid
    ? notSaid
    : "its store did not answer on an earlier page. Start from the first page to ask it again";
  return sources.map((source) => ({ source, why, isUnsaid }));
}
