import { groupedBy } from "../../domain/grouped-by.ts";
import { hexOf, timeOfId } from "../../domain/ids.ts";
import { placeName, placesOfDeadLetters, releasesOfPlaces } from "../../ledger/find-sequence-places.ts";
import { pendingReleases, wasPending } from "../../ledger/pending-releases.ts";
import type { LetterPlace, SequencePlace } from "../../ledger/sequence-places.ts";
import type { BlockedKey } from "../../stores/blocked-keys.ts";
import type { KeysCursor, KeysOf, SilentGroup } from "./keys-cursor.ts";
import { askAboutPlaces, type KeyParts, type SilentSource, type StorePlace } from "./look-at-keys.ts";

/**
 * Lists that pages of blocked keys are merged from. Each goes one way, by what never changes, and has its own places: what was to be
 * released when the first page was read is among the releases, all else is its store's or, where that can't be asked, its letter's.
 * By what is first of its key now, a place would change lists between two pages whenever the one ahead of it is released. Only a
 * release that is withdrawn or noted again between pages takes its own place along.
 */
export type KeyFeed = AsyncGenerator<FedPlace, void>;

export interface FedPlace {
  readonly place: StorePlace;
  /** Since when it is there, in milliseconds since 1970: lists are merged by it. */
  readonly at: number;
  /** The cursor with this place behind it. */
  readonly advance: (cursor: KeysCursor) => KeysCursor;
}

export interface FeedParts extends KeyParts {
  readonly of: KeysOf;
  /** Where this page begins. */
  readonly cursor: KeysCursor;
  /** How many places are read at once. */
  readonly atOnce: number;
}

/** Keys that a store lists, by number. */
export async function* storeFeed(
  { ledger, cursor }: Pick<FeedParts, "ledger" | "cursor">,
  source: string,
  pages: AsyncIterable<readonly BlockedKey[]>,
): KeyFeed {
  for await (const page of pages) {
    const places = page.map((key) => ({ ...key, source }));
    const isReleased = await pendingAmong({ ledger, cursor }, places);
    for (const place of places)
      if (!isReleased(place))
        yield {
          place,
          at: place.since,
          advance: (of) => ({ ...of, numbers: withNumber(of.numbers, [source, place.number]) }),
        };
  }
}

function withNumber(numbers: KeysCursor["numbers"], [source, number]: [string, number]): KeysCursor["numbers"] {
  return [...numbers.filter(([name]) => name !== source), [source, number]];
}

/** Places that are to be released, as their stores have them: one may be behind another dead one of its key. */
export async function* releaseFeed(
  parts: FeedParts,
  silent: ReadonlySet<string>,
  tell: (unchecked: readonly SilentSource[]) => void,
): KeyFeed {
  const { ledger, cursor, of, atOnce } = parts;
  const search = { sources: of.source === null ? null : [of.source], queue: of.queue, atMost: atOnce };
  let after = cursor.release;
  do {
    const page = await pendingReleases(ledger, { ...search, atThatTime: cursor.begunAt, after });
    const askable = page.flatMap(({ place }) => (silent.has(place.source) ? [] : [place]));
    const { asked, unchecked } = await askAboutPlaces(parts, askable);
    tell(unchecked);
    const known = new Map(asked.map((place) => [placeName(place), place]));
    for (const { place, position, isEnded } of page) {
      const shown = known.get(placeName(place)) ?? unseen(place);
      if (!isEnded || shown.state !== null)
        yield { place: shown, at: position.notedAt, advance: (to) => ({ ...to, release: position }) };
    }
    after = page.length < atOnce ? null : (page.at(-1)?.position ?? null);
  } while (after !== null);
}

/** Letters that are looked through for places at once: many have a key and no place. */
const lettersAtOnce = 1_000;

/** Places as letters have them, whose stores can't be asked: those that came first, and not what a store listed on earlier pages. */
export async function* letterFeed({ ledger, cursor, of }: FeedParts, index: number): KeyFeed {
  const group = cursor.silent[index];
  if (group === undefined || group.sources.length === 0) return;
  const listed = new Map(cursor.numbers);
  const search = { sources: group.sources, queue: of.queue, atMost: lettersAtOnce };
  const from = group.last === null ? null : new Uint8Array(Buffer.from(group.last.letter, "hex"));
  let after: Uint8Array | null = null;
  do {
    const { places, last } = await placesOfDeadLetters(ledger, { ...search, from, after });
    const isReleased = await pendingAmong({ ledger, cursor }, places);
    for (const place of inOrder(places)) {
      const isShown = isUpTo(group.last, place) || place.number <= (listed.get(place.source) ?? 0);
      if (!isShown && !isReleased(place))
        yield { place: unseen(place), at: timeOfId(place.letter), advance: (to) => withLast(to, index, place) };
    }
    after = last;
  } while (after !== null);
}

function inOrder(places: readonly LetterPlace[]): readonly LetterPlace[] {
  const byLetter = groupedBy(places, ({ letter }) => hexOf(letter));
  return [...byLetter]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, some]) => some.toSorted((a, b) => a.number - b.number));
}

function isUpTo(last: SilentGroup["last"], { letter, number }: LetterPlace): boolean {
  return last !== null && hexOf(letter) === last.letter && number <= last.number;
}

function withLast(cursor: KeysCursor, index: number, { letter, number }: LetterPlace): KeysCursor {
  const last = { letter: hexOf(letter), number };
  return { ...cursor, silent: cursor.silent.map((group, n) => (n === index ? { ...group, last } : group)) };
}

function unseen({ source, queue, key, number }: SequencePlace): StorePlace {
  return { source, queue, key, number, state: null, since: null, behind: null };
}

/** Which of these are among the releases. */
async function pendingAmong(
  { ledger, cursor }: Pick<FeedParts, "ledger" | "cursor">,
  places: readonly SequencePlace[],
): Promise<(place: SequencePlace) => boolean> {
  const releases = await releasesOfPlaces(ledger, places);
  return (place) => wasPending(releases.get(placeName(place)), cursor.begunAt);
}

export interface MergedPlaces {
  readonly places: readonly StorePlace[];
  readonly cursor: KeysCursor;
  readonly hasMore: boolean;
}

/** The first places of all lists, longest first. Each list keeps its own order, so that a position in it has all that was shown behind it. */
export async function mergeFeeds(
  feeds: readonly KeyFeed[],
  { cursor: begin, atMost }: { readonly cursor: KeysCursor; readonly atMost: number },
): Promise<MergedPlaces> {
  const heads = await Promise.all(feeds.map(async (feed) => ({ feed, head: await headOf(feed) })));
  const places = new Map<string, StorePlace>();
  let cursor = begin;
  for (;;) {
    const [first] = heads
      .flatMap((at) => (at.head === null ? [] : [{ at, head: at.head }]))
      .toSorted((one, other) => one.head.at - other.head.at);
    if (first === undefined || places.size === atMost)
      return { places: [...places.values()], cursor, hasMore: first !== undefined };
    const { at, head } = first;
    // Two letters may have one place.
    places.set(placeName(head.place), head.place);
    cursor = head.advance(cursor);
    at.head = await headOf(at.feed);
  }
}

async function headOf(feed: KeyFeed): Promise<FedPlace | null> {
  const { value, done } = await feed.next();
  return done === true ? null : value;
}
