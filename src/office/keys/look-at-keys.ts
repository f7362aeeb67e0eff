import { type Clock, within } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { groupedBy } from "../../domain/grouped-by.ts";
import { hexOf } from "../../domain/ids.ts";
import type { LetterState } from "../../domain/letter.ts";
import {
  lettersAtPlaces,
  type NotedRelease,
  placeName,
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

export interface SilentSource {
  readonly source: string;
  /** Why its store was not asked, or did not answer. */
  readonly why: string;
}

export interface KeysLook {
  readonly items: readonly ShownPlace[];
  readonly unchecked: readonly SilentSource[];
}

const answersWithinMs = 5_000;
export const notSaid =
  "the configuration does not say where its consumers keep their blocked keys. Add `keys:` to the source in dlo.config.yaml";

/** A place as its store has it. */
export type StorePlace = Omit<ShownPlace, "letter" | "release">;

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

/** The same, for whoever asks for their letters later. */
export async function askAboutPlaces(
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

export async function withLetters(ledger: Ledger, places: readonly StorePlace[]): Promise<readonly ShownPlace[]> {
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
