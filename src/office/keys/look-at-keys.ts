import { isInScope } from "../../domain/actor.ts";
import { type Clock, within } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { groupedBy } from "../../domain/grouped-by.ts";
import { hexOf } from "../../domain/ids.ts";
import type { LetterState } from "../../domain/letter.ts";
import {
  lettersAtPlaces,
  type NotedRelease,
  pendingReleases,
  placeName,
  placesOfOpenLetters,
  releasesOfPlaces,
  statesOfLetters,
} from "../../ledger/find-sequence-places.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import type { SequencePlace } from "../../ledger/sequence-places.ts";
import type { BlockedKeysAdmin, LaneState } from "../../stores/blocked-keys.ts";
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

export interface Unchecked {
  readonly source: string;
  /** Why its store was not asked, or did not answer. */
  readonly why: string;
}

export interface KeysLook {
  readonly items: readonly ShownPlace[];
  readonly unchecked: readonly Unchecked[];
}

export interface KeysSearch {
  readonly source: string | null;
  readonly queue: string | null;
  readonly atMost: number;
}

const answersWithinMs = 5_000;
const notSaid =
  "the configuration does not say where its consumers keep their blocked keys. Add `keys:` to the source in dlo.config.yaml";

/** The keys that wait, longest first: as their stores say and, where a store can't be asked, as far as the ledger knows. */
export async function lookAtKeys(parts: KeyParts, search: KeysSearch): Promise<KeysLook> {
  const { ledger, sourceNames } = parts;
  const names = search.source === null ? sourceNames() : [search.source];
  const stores = await Promise.all(names.map((source) => listOf(parts, source, search)));
  const listed = stores.flatMap((look) => ("items" in look ? look.items : []));
  const silent = stores.flatMap((look) => ("why" in look ? [look] : []));
  const unchecked = new Set(silent.map(({ source }) => source));
  const known = new Set(listed.map(placeName));
  const noted = (await pendingReleases(ledger, search)).filter((place) => !known.has(placeName(place)));
  const open = unchecked.size === 0 ? [] : await placesOfOpenLetters(ledger, search);
  const others = [...noted, ...open.filter(({ source }) => unchecked.has(source))];
  const guessed = new Map(
    others.map(({ source, queue, key, number }) => {
      const place = { source, queue, key, number };
      return [placeName(place), { ...place, state: null, since: null, behind: null }] as const;
    }),
  );
  const shown = await withLetters(ledger, [...listed, ...guessed.values()]);
  // A source without ordered consumers has nothing to say of keys, and most sources have none.
  const told = silent.filter(({ source, isUnsaid }) => !isUnsaid || shown.some((item) => item.source === source));
  const ranked = shown.toSorted((a, b) => (a.since ?? a.release?.notedAt ?? 0) - (b.since ?? b.release?.notedAt ?? 0));
  return { items: ranked.slice(0, search.atMost), unchecked: told.map(({ source, why }) => ({ source, why })) };
}

type StorePlace = Omit<ShownPlace, "letter" | "release">;

async function listOf(
  parts: KeyParts,
  source: string,
  { queue, atMost }: KeysSearch,
): Promise<{ readonly items: readonly StorePlace[] } | (Unchecked & { readonly isUnsaid: boolean })> {
  const answer = await askStore(parts, source, (store) => store.list(queue, { limit: atMost }));
  if ("why" in answer) return answer;
  const inScope = answer.told.filter((each) => isInScope(parts.ledger.scope, source, each.queue));
  return { items: inScope.map((each) => ({ ...each, source })) };
}

/** Asks the store of a source, which may be away. */
export async function askStore<Told>(
  { clock, blockedKeysOf }: Pick<KeyParts, "clock" | "blockedKeysOf">,
  source: string,
  ask: (store: BlockedKeysAdmin) => Promise<Told>,
): Promise<{ readonly told: Told } | (Unchecked & { readonly isUnsaid: boolean })> {
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
  const unchecked: Unchecked[] = [];
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
  return { items: await withLetters(parts.ledger, asked.flat()), unchecked };
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
