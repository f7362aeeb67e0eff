import { hexOf, idOfUuid, uuidOf } from "../domain/ids.ts";
import type { LetterState } from "../domain/letter.ts";
import { textOf } from "../domain/text-of.ts";
import type { ReleaseCause, ReleaseEnd } from "./key-releases.ts";
import type { Ledger } from "./ledger.ts";
import { Parameters } from "./search/parameters.ts";
import { withinScope } from "./search/within-scope.ts";
import { type LetterPlace, placesOfLetters, type SequencePlace } from "./sequence-places.ts";
import { sha256Of } from "./sha256.ts";

/** Tells a place from all others. */
export function placeName({ source, queue, key, number }: SequencePlace): string {
  return JSON.stringify([source, queue, hexOf(key), number]);
}

/** Letters of one key that are looked through for the one that has a place, from the newest on: while it is blocked, few are newer. */
const newestOfKey = 10;

/** The letters that have these places, by `placeName`. */
export async function lettersAtPlaces(
  ledger: Ledger,
  places: readonly SequencePlace[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const named = places.flatMap((place) => {
    const orderKey = textOf(place.key);
    return orderKey === null ? [] : [{ ...place, orderKey }];
  });
  const { rows } = await ledger.database.query<{ id: string }>(
    `select distinct l.id from unnest($1::text[], $2::text[], $3::text[]) as k (source, queue, order_key)
     cross join lateral (
       select id from ${ledger.at}.letters l where l.queue = k.queue and l.order_key = k.order_key and l.source = k.source
       order by l.id desc limit $4
     ) l`,
    [
      named.map(({ source }) => source),
      named.map(({ queue }) => queue),
      named.map(({ orderKey }) => orderKey),
      newestOfKey,
    ],
  );
  const ids = rows.map(({ id }) => idOfUuid(id));
  const found = await placesOfLetters(ledger, ledger.database, ids);
  return new Map(found.map((place) => [placeName(place), place.letter]));
}

export interface PlaceSearch {
  /** Null: of all. */
  readonly sources: readonly string[] | null;
  readonly queue: string | null;
  readonly group?: Uint8Array | null;
  readonly atMost: number;
}

/** Letters whose message is dead, or may be: it waits for a decision, is somebody else's to decide about, or is being sent. */
const deadStates: readonly LetterState[] = ["open", "returned", "escalated", "in_replay", "in_doubt"];

/** Places of letters that block their keys as far as the ledger knows, those that came first. Letters that were given back are dead again. */
export async function placesOfDeadLetters(
  ledger: Ledger,
  search: PlaceSearch & {
    /** This letter and those that came later. */ readonly from?: Uint8Array | null;
    readonly after?: Uint8Array | null;
  },
): Promise<{
  readonly places: readonly LetterPlace[] /** The last letter, where there may be more. */;
  readonly last: Uint8Array | null;
}> {
  const { at } = ledger;
  const { group = null, from = null, after = null, atMost } = search;
  const parameters = new Parameters();
  const of = [
    ...conditionsOf(parameters, "l", search),
    group === null ? "" : `and l.group_id = ${parameters.add(uuidOf(group))}::uuid`,
    from === null ? "" : `and l.id >= ${parameters.add(uuidOf(from))}::uuid`,
    after === null ? "" : `and l.id > ${parameters.add(uuidOf(after))}::uuid`,
  ];
  const { rows } = await ledger.database.query<{ id: string }>(
    `select l.id from ${at}.letters l where l.order_key is not null and (l.state = any (${parameters.add(deadStates)}::text[])
       or l.state = 'dropped' and exists (
         select from ${at}.compensations c where c.letter_id = l.id and c.kind = 'give_back' and c.state = 'sent'
       ))
       and ${withinScope(ledger, parameters, "l")} ${of.join(" ")} order by l.id limit ${parameters.add(atMost)}`,
    parameters.values,
  );
  const ids = rows.map(({ id }) => idOfUuid(id));
  const last = ids.length < atMost ? null : (ids.at(-1) ?? null);
  return { places: await placesOfLetters(ledger, ledger.database, ids), last };
}

/** What rows of a search must fulfil. `row` has a source and a queue. */
export function conditionsOf(parameters: Parameters, row: string, { sources, queue }: PlaceSearch): readonly string[] {
  return [
    sources === null ? "" : `and ${row}.source = any (${parameters.add(sources)}::text[])`,
    queue === null ? "" : `and ${row}.queue = ${parameters.add(queue)}`,
  ];
}

/** What was noted of the release of a place. */
export interface NotedRelease {
  readonly because: ReleaseCause;
  readonly state: "pending" | ReleaseEnd;
  /** Milliseconds since 1970. */
  readonly notedAt: number;
  readonly endedAt: number | null;
  readonly trouble: string | null;
}

/** The releases of these places, by `placeName`. */
export async function releasesOfPlaces(
  { database, at }: Ledger,
  places: readonly SequencePlace[],
): Promise<ReadonlyMap<string, NotedRelease>> {
  if (places.length === 0) return new Map();
  const { rows } = await database.query<NotedRelease & { readonly n: number }>(
    `select p.n::integer as n, r.because, r.state, (extract(epoch from r.noted_at) * 1000)::float8 as "notedAt",
       (extract(epoch from r.ended_at) * 1000)::float8 as "endedAt", r.trouble
     from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) with ordinality as p (source, queue, lane, number, n)
     join ${at}.key_releases r on r.source = p.source and r.queue = p.queue and r.lane = decode(p.lane, 'hex') and r.number = p.number`,
    [
      places.map(({ source }) => source),
      places.map(({ queue }) => queue),
      places.map(({ key }) => hexOf(sha256Of(key))),
      places.map(({ number }) => number),
    ],
  );
  const names = places.map(placeName);
  return new Map(rows.map(({ n, ...release }) => [names[n - 1] ?? "", release]));
}

/** States of letters, by their ids in hexadecimal digits. */
export async function statesOfLetters(
  { database, at }: Ledger,
  letters: readonly Uint8Array[],
): Promise<ReadonlyMap<string, LetterState>> {
  const { rows } = await database.query<{ id: string; state: LetterState }>(
    `select id, state from ${at}.letters where id = any ($1::uuid[])`,
    [letters.map(uuidOf)],
  );
  return new Map(rows.map(({ id, state }) => [hexOf(idOfUuid(id)), state]));
}
