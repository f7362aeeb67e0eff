import type { Actor } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { claimRelease } from "../../ledger/claim-releases.ts";
import { lettersAtPlaces, placeName, placesOfDeadLetters } from "../../ledger/find-sequence-places.ts";
import { endRelease, insertReleases, type PlaceToRelease } from "../../ledger/key-releases.ts";
import { queuesOfSources } from "../../ledger/queues-of-sources.ts";
import { requireLetters } from "../../ledger/search/require-letters.ts";
import { placesOfLetters } from "../../ledger/sequence-places.ts";
import { requireReason } from "../replay/change-replay.ts";
import { postpone, type ReleaseParts, releaseLeaseMs, tryRelease, writeDown } from "./carry-out-releases.ts";
import { askStore, type KeyParts, type KeysLook, lookAtPlaces } from "./look-at-keys.ts";

/** A place by the letter that has it, or by its number in a queue. */
export type NamedPlace =
  | { readonly letter: string }
  | { readonly source: string; readonly queue: string; readonly number: number };

export interface ReleaseOrder {
  readonly place: NamedPlace;
  readonly reason: string;
  /** A person released it in the consumer's own process: nothing has to be done any more. */
  readonly elsewhere: boolean;
}

export type ReleasingParts = ReleaseParts & KeyParts;

/** Lets the key of a dead letter go on without it, because a person says so. Gives how the places stand then. */
export async function releasePlaces(
  parts: ReleasingParts,
  actor: Actor,
  { place: named, reason, elsewhere }: ReleaseOrder,
): Promise<KeysLook> {
  requireReason(reason, "a release");
  const { ledger, clock } = parts;
  const places = await requirePlaces(parts, named);
  await ledger.database.transaction(async (transaction) => {
    await insertReleases(ledger, transaction, places, "person");
    for (const place of elsewhere ? places : []) await endRelease(ledger, transaction, place, "elsewhere");
    const [first] = places;
    const letters = places.flatMap(({ letter }) => (letter === null ? [] : [showId("letter", letter)]));
    const numbers = places.map(({ number }) => number);
    const details = {
      source: first?.source,
      queue: first?.queue,
      numbers,
      letters: [...new Set(letters)],
      reason,
      elsewhere,
    };
    await recordAction(ledger, transaction, { at: clock.now(), actor, action: "keys.release", details });
  });
  for (const place of elsewhere ? [] : places) await releaseNow(parts, place);
  return lookAtPlaces(parts, places);
}

/** At once, so that whoever asked hears what it came to. What fails is tried again as any other. */
async function releaseNow(parts: ReleasingParts, place: PlaceToRelease): Promise<void> {
  const claimed = await claimRelease(parts.ledger, place, { leaseMs: releaseLeaseMs });
  if (claimed === null) return;
  const tried = await tryRelease(parts, claimed);
  if (tried.end === null) await postpone(parts, claimed, tried.trouble);
  else await writeDown(parts, [{ ...claimed, end: tried.end }]);
}

/** Refuses what has no place in the sequence of a key. */
export async function requirePlaces(parts: KeyParts, named: NamedPlace): Promise<readonly PlaceToRelease[]> {
  const { ledger } = parts;
  if ("letter" in named) {
    const found = await placesOfLetters(ledger, ledger.database, await requireLetters(ledger, [named.letter]));
    if (found.length > 0) return found;
    const text = `No key waits for ${named.letter}: it has no ordering key, or no consumer with \`order: "key"\` gave it a place.`;
    throw new OfficeError("KEY_NOT_BLOCKED", text, { details: named });
  }
  const found = await placeOf(parts, named);
  if (found !== null) return [found];
  const { source, queue, number } = named;
  const text = `No key of ${source}/${queue} waits for number ${number}. \`dlo keys list\` has those that wait.`;
  throw new OfficeError("KEY_NOT_BLOCKED", text, { details: named });
}

/** Letters that are looked through at once for the one that has a place. */
const readAtOnce = 1_000;

/** Null also where the queue is another source's, which keeps its keys in the same store. */
async function placeOf(
  parts: KeyParts,
  { source, queue, number }: Extract<NamedPlace, { source: string }>,
): Promise<PlaceToRelease | null> {
  const { ledger } = parts;
  const queues = await queuesOfSources(ledger, { source, queue });
  if (queues.size === 0) return null;
  const listed = await askStore(parts, source, (store) => store.list(queue, { limit: 1, after: number - 1 }));
  const first = "told" in listed ? listed.told[0] : undefined;
  if (first?.number === number) {
    const place = { source, queue, key: first.key, number };
    return { ...place, letter: (await lettersAtPlaces(ledger, [place])).get(placeName(place)) ?? null };
  }
  let after: Uint8Array | null = null;
  do {
    const known = await placesOfDeadLetters(ledger, { sources: [source], queue, after, atMost: readAtOnce });
    const found = known.places.find((place) => place.number === number);
    if (found !== undefined) return found;
    after = known.last;
  } while (after !== null);
  return null;
}
