import { type Clock, within } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { groupedBy } from "../../domain/grouped-by.ts";
import { hexOf } from "../../domain/ids.ts";
import type { LetterState } from "../../domain/letter.ts";
import {
  lettersAtPlaces,
  type NotedRelease,
  type PlaceSearch,
  pendingReleases,
  placeName,
  placesOfDeadLetters,
  releasesOfPlaces,
  statesOfLetters,
} from "../../ledger/find-sequence-places.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { queuesOfSources } from "../../ledger/queues-of-sources.ts";
import type { SequencePlace } from "../../ledger/sequence-places.ts";
import type { BlockedKey, BlockedKeysAdmin, LaneState } from "../../stores/blocked-keys.ts";
import { sentenceOf } from "../keep-trying.ts";

export interface KeyParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** The sources there are. */
  readonly sourceNames: () => readonly string[];
  readonly blockedKeysOf: (source: string) => Promise<BlockedKeysAdmin | null>;
}

/** A place that blocks its key, or did. */
export interface ShownPlace extends SequencePlace {
  /** What its message is at; null: its store was not asked, or has no such place. */
  readonly state: LaneState | null;
  /** Since when it blocks its key, in milliseconds since 1970, by the store's clock. */
  readonly since: number | null;
  /** How many messages of the key wait behind it; null: nobody knows. */
  readonly behind: number | null;
  /** The letter that has the place. */
  readonly letter: { readonly id: Uint8Array; readonly state: LetterState } | null;
  readonly release: NotedRelease | null;
}

export interface SilentSource {
  readonly source: string;
  /** Why its store was not asked, or did not answer. */
  readonly why: string;
}

export interface KeysLook {
  readonly items: readonly ShownPlace[];
  readonly unchecked: readonly SilentSource[];
}

export interface KeysSearch {
  readonly source: string | null;
  readonly queue: string | null;
  readonly atMost: number;
}

export interface KeysList extends KeysLook {
  /** More keys wait than these. */
  readonly hasMore: boolean;
}

const answersWithinMs = 5_000;
const notSaid =
  "the configuration does not say where its consumers keep their blocked keys. Add `keys:` to the source in dlo.config.yaml";

/** The keys that wait, longest first: as their stores say and, where a store can't be asked, as far as the ledger knows. */
export async function lookAtKeys(parts: KeyParts, { source, queue, atMost }: KeysSearch): Promise<KeysList> {
  const { ledger, sourceNames } = parts;
  const queues = await queuesOfSources(ledger, { source, queue });
  const sources = (source === null ? sourceNames() : [source]).filter(
    (name) => ledger.scope.length === 0 || queues.has(name),
  );
  // One more than is shown says that there are more.
  const search = { sources: source === null ? null : [source], queue, atMost: atMost + 1 };
  const stores = await Promise.all(
    sources.map((name) => listOf(parts, name, queues.get(name) ?? new Set(), search.atMost)),
  );
  const listed = stores.flatMap((look) => ("items" in look ? look.items : []));
  const silent = stores.flatMap((look) => ("why" in look ? [look] : []));
  const pending = await pendingReleases(ledger, search);
  const answers = (place: SequencePlace) => !silent.some((look) => look.source === place.source);
  const unseen = [
    ...pending.filter((place) => !answers(place)),
    ...(await placesAsLettersSay(ledger, { ...search, sources: silent.map((look) => look.source) })),
  ].map((place) => ({ ...place, state: null, since: null, behind: null }));
  // A store lists the first message of each key, and one that is to be released may be behind another.
  const { asked } = await askAboutPlaces(parts, pending.filter(answers));
  // What a store says of a place counts before what is known without it.
  const places = new Map([...unseen, ...asked, ...listed].map((place) => [placeName(place), place]));
  const shown = await withLetters(ledger, [...places.values()]);
  // A source without ordered consumers has nothing to say of keys, and most sources have none.
  const told = silent.filter((look) => !look.isUnsaid || shown.some((item) => item.source === look.source));
  const ranked = shown.toSorted((a, b) => (a.since ?? a.release?.notedAt ?? 0) - (b.since ?? b.release?.notedAt ?? 0));
  return {
    items: ranked.slice(0, atMost),
    unchecked: told.map((look) => ({ source: look.source, why: look.why })),
    hasMore: ranked.length > atMost,
  };
}

async function placesAsLettersSay(ledger: Ledger, search: PlaceSearch): Promise<readonly SequencePlace[]> {
  if (search.sources?.length === 0) return [];
  const found: SequencePlace[] = [];
  let after: Uint8Array | null = null;
  do {
    const { places, last } = await placesOfDeadLetters(ledger, { ...search, after, atMost: readAtOnce });
    found.push(...places);
    after = last;
  } while (after !== null && found.length < search.atMost);
  return found.slice(0, search.atMost);
}

/** Letters that are looked through for places at once: many have a key and no place. */
const readAtOnce = 1_000;

type StorePlace = Omit<ShownPlace, "letter" | "release">;

/** Sources may share a store: each has the keys of its own queues there. */
async function listOf(
  parts: KeyParts,
  source: string,
  queues: ReadonlySet<string>,
  atMost: number,
): Promise<{ readonly items: readonly StorePlace[] } | (SilentSource & { readonly isUnsaid: boolean })> {
  const answer = await askStore(parts, source, (store) => listQueues(store, queues, atMost));
  return "why" in answer ? answer : { items: answer.told.map((each) => ({ ...each, source })) };
}

/** More queues than this are not asked for one by one. */
const oneByOne = 10;

async function listQueues(
  store: BlockedKeysAdmin,
  queues: ReadonlySet<string>,
  atMost: number,
): Promise<readonly BlockedKey[]> {
  if (queues.size <= oneByOne)
    return (await Promise.all([...queues].map((queue) => store.list(queue, { limit: atMost })))).flat();
  const found: BlockedKey[] = [];
  let after: number | undefined = 0;
  while (after !== undefined && found.length < atMost) {
    const page: readonly BlockedKey[] = await store.list(null, { limit: readAtOnce, after });
    found.push(...page.filter(({ queue }) => queues.has(queue)));
    after = page.length < readAtOnce ? undefined : page.at(-1)?.number;
  }
  return found;
}

/** Asks the store of a source, which may be away. */
export async function askStore<Told>(
  { clock, blockedKeysOf }: Pick<KeyParts, "clock" | "blockedKeysOf">,
  source: string,
  ask: (store: BlockedKeysAdmin) => Promise<Told>,
): Promise<{ readonly told: Told } | (SilentSource & { readonly isUnsaid: boolean })> {
  try {
    const asking = blockedKeysOf(source).then(async (store) => (store === null ? null : { told: await ask(store) }));
    const answer = await within(clock, answersWithinMs, asking, () => {
      throw new OfficeError("STORE_UNAVAILABLE", `It did not answer within ${answersWithinMs / 1_000} s.`);
    });
    return answer ?? { source, why: notSaid, isUnsaid: true };
  } catch (error) {
    return { source, why: sentenceOf(error), isUnsaid: false };
  }
}

/** These places as their stores have them now. */
export async function lookAtPlaces(parts: KeyParts, places: readonly SequencePlace[]): Promise<KeysLook> {
  const { asked, unchecked } = await askAboutPlaces(parts, places);
  return { items: await withLetters(parts.ledger, asked), unchecked };
}

async function askAboutPlaces(
  parts: KeyParts,
  places: readonly SequencePlace[],
): Promise<{ readonly asked: readonly StorePlace[]; readonly unchecked: readonly SilentSource[] }> {
  const unchecked: SilentSource[] = [];
  const bySource = groupedBy(places, ({ source }) => source);
  const asked = await Promise.all(
    [...bySource].map(async ([source, some]): Promise<readonly StorePlace[]> => {
      const answer = await askStore(parts, source, (store) => store.find(some));
      if ("why" in answer) unchecked.push({ source, why: answer.why });
      return some.map(({ queue, key, number }, index) => {
        const finding = "told" in answer ? answer.told[index] : undefined;
        const isFirst = finding?.blocked?.number === number;
        const { state = null, behind = null } = finding?.place ?? {};
        return { source, queue, key, number, state, behind, since: isFirst ? (finding?.blocked?.since ?? null) : null };
      });
    }),
  );
  return { asked: asked.flat(), unchecked };
}

async function withLetters(ledger: Ledger, places: readonly StorePlace[]): Promise<readonly ShownPlace[]> {
  const [letters, releases] = [await lettersAtPlaces(ledger, places), await releasesOfPlaces(ledger, places)];
  const states = await statesOfLetters(ledger, [...letters.values()]);
  return places.map((place) => {
    const id = letters.get(placeName(place));
    const state = id === undefined ? undefined : states.get(hexOf(id));
    return {
      ...place,
      letter: id === undefined || state === undefined ? null : { id, state },
      release: releases.get(placeName(place)) ?? null,
    };
  });
}
